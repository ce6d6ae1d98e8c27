// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Audience",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../browsekit")
    ],
    targets: [
        .executableTarget(
            name: "audience",
            dependencies: [
                .product(name: "BrowseKit", package: "browsekit"),
                .product(name: "BrowseMocks", package: "browsekit"),
            ]
        )
    ]
)
