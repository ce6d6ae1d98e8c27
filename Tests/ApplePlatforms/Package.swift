// swift-tools-version: 6.2
import PackageDescription

// A separate package with a tool for this repository, which users of the SDK don't build. See README.md.
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
