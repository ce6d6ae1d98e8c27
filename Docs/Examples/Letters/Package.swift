// swift-tools-version: 6.2
import PackageDescription

// Adds a service with OAuth from outside, with public products only, in Swift 6 mode without upcoming features.
let package = Package(
    name: "Letters",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Letters", targets: ["Letters"])],
    dependencies: [.package(name: "BrowseKit", path: "../../..")],
    targets: [
        .target(
            name: "Letters",
            dependencies: [
                .product(name: "BrowseCore", package: "BrowseKit"), .product(name: "BrowseData", package: "BrowseKit"),
            ]
        ),
        // A second process, which the tests start.
        .executableTarget(name: "LettersProcess", dependencies: ["Letters"]),
        .testTarget(
            name: "LettersTests",
            dependencies: [
                "Letters", .target(name: "LettersProcess", condition: .when(platforms: [.macOS, .linux])),
                .product(name: "BrowseCoreMocks", package: "BrowseKit"),
                .product(name: "BrowseCoreTesting", package: "BrowseKit"),
            ],
            path: "Tests/Letters"
        ),
    ]
)
