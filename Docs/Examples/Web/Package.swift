// swift-tools-version: 6.2
import PackageDescription

// A web front end on BrowseKit's public products. The README describes the targets and the contracts between them.
let package = Package(
    name: "BrowseWeb",
    // The same as BrowseKit's.
    platforms: [.macOS(.v15)],
    products: [.executable(name: "browse-web", targets: ["WebApp"])],
    dependencies: [
        // By name, so the clone's folder can have any name except `web` and `sharedstores`.
        .package(name: "BrowseKit", path: "../../.."),
        .package(name: "SharedStores", path: "../SharedStores"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The process: visitors, routes, pages, assets, settings.
        .executableTarget(
            name: "WebApp",
            dependencies: [
                .product(name: "RedisStores", package: "SharedStores"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServerStores", package: "SharedStores"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Assets")]
        ),
        // A client of the W3C WebDriver protocol.
        .target(
            name: "WebDriver",
            dependencies: [
                .product(name: "BrowseDomain", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "TestServers", package: "SharedStores"),
            ],
            path: "Tests/Tools/WebDriver"
        ),
        // The load client.
        .executableTarget(
            name: "WebLoad",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Tools/WebLoad"
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "WebApp",
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "RedisStores", package: "SharedStores"),
                .product(name: "ServerStores", package: "SharedStores"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "TestServers", package: "SharedStores"),
            ]
        ),
        // Several processes with a Redis server.
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "WebApp", "WebDriver",
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "RedisStores", package: "SharedStores"),
                .product(name: "TestServers", package: "SharedStores"),
            ]
        ),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "WebApp", "WebDriver",
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
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
