// swift-tools-version: 6.2
import PackageDescription

// Stores on Redis for a server of several processes, on BrowseKit's protocols. The README describes the Redis server.
let package = Package(
    name: "SharedStores",
    // The same as BrowseKit's.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ServerStores", targets: ["ServerStores"]),
        .library(name: "RedisStores", targets: ["RedisStores"]),
        .library(name: "TestServers", targets: ["TestServers"]),
    ],
    dependencies: [
        // By name, so the clone's folder can have any name except `sharedstores`, which is this folder's.
        .package(name: "BrowseKit", path: "../../.."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"]), .yum(["hiredis-devel"])]),
        // What a server stores for its visitors, and stores for a single process.
        .target(
            name: "ServerStores",
            dependencies: [
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
            ]
        ),
        // The stores on Redis.
        .target(
            name: "RedisStores",
            dependencies: [
                "CHiredis", "ServerStores",
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // Child processes of tests: Redis, and a stand-in for GitHub.
        .target(
            name: "TestServers",
            dependencies: [
                "RedisStores",
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/TestServers"
        ),
        // A process of the tests.
        .executableTarget(
            name: "StoreProbe",
            dependencies: [
                "RedisStores",
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/StoreProbe"
        ),
        .testTarget(
            name: "RedisStoresTests",
            dependencies: [
                "RedisStores", "StoreProbe", "TestServers", "ServerStores",
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "BrowseTesting", package: "BrowseKit"),
                .product(name: "Crypto", package: "swift-crypto"),
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
