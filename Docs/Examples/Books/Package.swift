// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Books",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Books", targets: ["Books"])],
    dependencies: [
        .package(name: "BrowseKit", path: "../../..")
    ],
    targets: [
        .target(
            name: "Books",
            dependencies: [
                .product(name: "BrowseCore", package: "BrowseKit"),
                .product(name: "BrowseData", package: "BrowseKit"),
            ]
        ),
        .testTarget(
            name: "BooksTests",
            dependencies: [
                "Books",
                .product(name: "BrowseCoreMocks", package: "BrowseKit"),
                .product(name: "BrowseCoreTesting", package: "BrowseKit"),
            ],
            resources: [.copy("Fixtures")]
        ),
    ]
)
