// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the SDK has no dependencies: the server needs swift-nio, and one side of a comparison
// is AsyncHTTPClient.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "BrowseKit", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.60.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: [
                // Dependencies, so that `swift run bench` also builds the programs that it starts as processes.
                "bench-server", "cold-bare", "cold-sdk",
                "BareSQLite",
                .product(name: "BrowseDomain", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowseGitHub", package: "BrowseKit"),
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowsePresentation", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .systemLibrary(name: "BareSQLite"),
        .executableTarget(name: "cold-bare"),
        .executableTarget(
            name: "cold-sdk",
            dependencies: [
                .product(name: "BrowseGitHub", package: "BrowseKit"),
                .product(name: "BrowseDomain", package: "BrowseKit"),
                .product(name: "BrowseKit", package: "BrowseKit"),
            ]
        ),
        .executableTarget(
            name: "bench-server",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
