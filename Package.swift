// swift-tools-version: 6.2
import PackageDescription

// Layers are targets: a target sees only what its dependency list allows, so a view model that
// imports the HTTP client does not compile. Docs/Architecture.md draws the picture.
let package = Package(
    name: "BrowseKit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "BrowseDomain", targets: ["BrowseDomain"]),
        .library(name: "BrowseData", targets: ["BrowseData"]),
        .library(name: "BrowsePresentation", targets: ["BrowsePresentation"]),
        .library(name: "BrowseKit", targets: ["BrowseKit"]),
        .library(name: "BrowseMocks", targets: ["BrowseMocks"]),
        .library(name: "BrowseTesting", targets: ["BrowseTesting"]),
    ],
    targets: [
        .target(name: "BrowseDomain", path: "Sources/Domain"),
        // Targets share one namespace with every other package of an app, hence the prefix.
        // Without pkg-config: when building for a device it would add the Mac's own headers.
        .systemLibrary(
            name: "CBrowseSQLite",
            path: "Sources/CBrowseSQLite",
            providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]
        ),
        // Foundation's own library of HTTP on Linux, and zlib, which it needs; nothing of them is used elsewhere.
        .systemLibrary(
            name: "CBrowseCurl",
            path: "Sources/CBrowseCurl",
            providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev"]), .yum(["libcurl-devel", "zlib-devel"])]
        ),
        .target(
            name: "BrowseData",
            dependencies: [
                "BrowseDomain", "CBrowseSQLite",
                .target(name: "CBrowseCurl", condition: .when(platforms: [.linux])),
            ],
            path: "Sources/Data",
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        .target(name: "BrowsePresentation", dependencies: ["BrowseDomain"], path: "Sources/Presentation"),
        .target(
            name: "BrowseKit",
            dependencies: ["BrowseDomain", "BrowseData", "BrowsePresentation"],
            path: "Sources/BrowseKit"
        ),
        .target(
            name: "BrowseMocks",
            dependencies: ["BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseKit"],
            path: "Mocks",
            resources: [.copy("Fixtures")]
        ),
        // Apart from BrowseMocks, which apps and previews import: an executable can't link Testing statically.
        .target(
            name: "BrowseTesting",
            dependencies: ["BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseKit", "BrowseMocks"],
            path: "Testing"
        ),
        .target(name: "TestSupport", path: "Tests/Support/TestSupport"),
        .target(name: "SlowLookups", path: "Tests/Support/SlowLookups"),
        .executableTarget(
            name: "TestChild",
            dependencies: [
                "BrowseDomain", "BrowseData", "BrowseKit", "BrowseMocks", "CBrowseSQLite", "TestSupport",
                .target(name: "SlowLookups", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/Support/TestChild"
        ),
        .testTarget(
            name: "MocksTests",
            dependencies: ["BrowseDomain", "BrowseData", "BrowseMocks", "TestSupport"],
            path: "Tests/Mocks",
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "TestingTests",
            dependencies: [
                "BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseKit", "BrowseMocks", "BrowseTesting",
            ],
            path: "Tests/Testing",
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "DomainTests",
            dependencies: ["BrowseDomain", "BrowseMocks", "TestSupport"],
            path: "Tests/Domain"
        ),
        .testTarget(
            name: "DataTests",
            dependencies: [
                "BrowseDomain", "BrowseData", "BrowseMocks", "CBrowseSQLite", "TestSupport",
                .target(name: "TestChild", condition: .when(platforms: [.macOS, .linux])),
            ],
            path: "Tests/Data"
        ),
        .testTarget(
            name: "PresentationTests",
            dependencies: ["BrowseDomain", "BrowsePresentation", "BrowseMocks", "TestSupport"],
            path: "Tests/Presentation"
        ),
        .testTarget(
            name: "KitTests",
            dependencies: ["BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseKit", "BrowseMocks"],
            path: "Tests/BrowseKit"
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseKit", "BrowseMocks", "BrowseTesting",
            ],
            path: "Tests/Documentation",
            resources: [.copy("Fixtures")]
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
