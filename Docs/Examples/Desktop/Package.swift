// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
    name: "Desktop",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "BrowseKit", path: "../../..")],
    targets: [
        .systemLibrary(name: "CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        .target(name: "CDesktop", dependencies: ["CGtk"]),
        .target(
            name: "Desktop",
            dependencies: ["CDesktop", .product(name: "BrowseKit", package: "BrowseKit")],
            // GTK's functions belong to the main thread.
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]
        ),
        .executableTarget(
            name: "browse-desktop",
            dependencies: ["Desktop", "CDesktop", .product(name: "BrowseMocks", package: "BrowseKit")],
            swiftSettings: settings
        ),
        // Not a test target: a window needs the main thread, which belongs to the runner there.
        .executableTarget(
            name: "desktop-tests",
            dependencies: ["Desktop", "CDesktop", .product(name: "BrowseMocks", package: "BrowseKit")],
            path: "Tests/desktop-tests",
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
