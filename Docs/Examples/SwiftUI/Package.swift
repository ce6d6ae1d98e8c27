// swift-tools-version: 6.2
import PackageDescription

// The source of an app for iPhone, iPad, and Mac: it uses the public products only, in Swift 6 mode without upcoming features.
let package = Package(
    name: "BrowseApp",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "BrowseScreens", targets: ["BrowseScreens"]),
        .executable(name: "BrowseApp", targets: ["BrowseApp"]),
    ],
    dependencies: [.package(name: "BrowseKit", path: "../../..")],
    targets: [
        .target(
            name: "BrowseScreens",
            dependencies: [
                .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseSwiftUI", package: "BrowseKit"),
            ]
        ),
        .executableTarget(
            name: "BrowseApp",
            dependencies: ["BrowseScreens", .product(name: "BrowseKit", package: "BrowseKit")]
        ),
        // A target of its own: no product contains it, so no app links the fixtures of BrowseMocks.
        .target(
            name: "BrowsePreviews",
            dependencies: [
                "BrowseScreens", .product(name: "BrowseKit", package: "BrowseKit"),
                .product(name: "BrowseMocks", package: "BrowseKit"),
                .product(name: "BrowseSwiftUI", package: "BrowseKit"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
