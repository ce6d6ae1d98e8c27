// swift-tools-version: 6.2
import PackageDescription

// Adds a service from outside, with public products only, in Swift 6 mode without upcoming features.
let package = Package(
    name: "Books",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Books", targets: ["Books"])],
    dependencies: [.package(name: "BrowseKit", path: "../../..")],
    targets: [
        .target(
            name: "Books",
            dependencies: [
                .product(name: "BrowseCore", package: "BrowseKit"), .product(name: "BrowseData", package: "BrowseKit"),
            ]
        ),
        .testTarget(
            name: "BooksTests",
            dependencies: [
                "Books", .product(name: "BrowseCore", package: "BrowseKit"),
                .product(name: "BrowseCoreMocks", package: "BrowseKit"),
            ],
            path: "Tests/Books",
            resources: [.copy("Fixtures")]
        ),
    ]
)
