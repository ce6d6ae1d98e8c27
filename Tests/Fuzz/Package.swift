// swift-tools-version: 6.2
import PackageDescription

// A separate package, because it links libFuzzer, which only the toolchains of swift.org include.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "BrowseKit", path: "../..")],
    targets: [
        .systemLibrary(name: "LibFuzzer"),
        // A link to the sources of BrowseCoreMocks' LoopbackServer, so that fuzzing doesn't build the rest of the module.
        .target(name: "FuzzServer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "FuzzServer", "LibFuzzer",
                .product(name: "BrowseDomain", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
                .product(name: "BrowseGitHub", package: "BrowseKit"),
                .product(name: "BrowseRickAndMorty", package: "BrowseKit"),
                .product(name: "BrowseAppStore", package: "BrowseKit"),
            ],
            linkerSettings: [
                .unsafeFlags(["-sanitize=fuzzer"]),
                // Swift's default linker fails with an internal error on libFuzzer's debug information.
                .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
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
