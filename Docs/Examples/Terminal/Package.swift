// swift-tools-version: 6.2
import PackageDescription

// Uses BrowseKit's public products only, like any app.
let package = Package(
    name: "BrowseTerminal",
    // The same as BrowseKit's.
    platforms: [.macOS(.v15)],
    products: [.executable(name: "browse", targets: ["browse"])],
    dependencies: [
        // By name, so the clone's folder can have any name except `terminal`, which is this folder's.
        .package(name: "BrowseKit", path: "../../.."),
        .package(name: "Export", path: "../Export"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(name: "browse", dependencies: ["BrowseTerminal"]),
        .target(
            name: "BrowseTerminal",
            dependencies: [
                .product(name: "BrowseDomain", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowsePresentation", package: "BrowseKit"),
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Export", package: "Export"),
            ]
        ),
        .testTarget(
            name: "BrowseTerminalTests",
            dependencies: [
                "BrowseTerminal",
                .product(name: "BrowseDomain", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowsePresentation", package: "BrowseKit"),
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
            ],
            path: "Tests/BrowseTerminal"
        ),
        // As an app is: without upcoming features, and with these imports only.
        .testTarget(
            name: "AppTests",
            dependencies: [
                .product(name: "BrowseKit", package: "BrowseKit"), .product(name: "BrowseMocks", package: "BrowseKit"),
            ],
            path: "Tests/App"
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "AppTests" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
