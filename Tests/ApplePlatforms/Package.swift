// swift-tools-version: 6.2
import PackageDescription

// A package of its own: a tool for this repository, which no user of the SDK builds. See README.md.
let package = Package(
    name: "ApplePlatforms",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CIndexStore"),
        .executableTarget(
            name: "apple",
            dependencies: ["CIndexStore"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
