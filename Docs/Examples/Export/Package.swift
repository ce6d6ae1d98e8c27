// swift-tools-version: 6.2
import PackageDescription

// Exports lists of any length with BrowseKit's public products only.
let package = Package(
    name: "Export",
    // The same as BrowseKit's.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Export", targets: ["Export"])],
    dependencies: [.package(name: "BrowseKit", path: "../../..")],
    targets: [
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
        .target(name: "Export", dependencies: ["CSQLite", .product(name: "BrowseGitHub", package: "BrowseKit")]),
        // A process that the tests kill.
        .executableTarget(
            name: "ExportProbe",
            dependencies: ["Export", .product(name: "BrowseDomain", package: "BrowseKit")],
            path: "Tests/ExportProbe"
        ),
        .testTarget(
            name: "ExportTests",
            dependencies: [
                "CSQLite", "Export", "ExportProbe",
                .product(name: "BrowseData", package: "BrowseKit"), .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
            ],
            path: "Tests/Export"
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
