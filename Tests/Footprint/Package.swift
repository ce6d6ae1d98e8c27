// swift-tools-version: 6.2
import PackageDescription

// Two programs that load an account's followers, with and without BrowseKit. Scripts/footprint.sh compares their sizes.
let package = Package(
    name: "Footprint",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "browsekit", path: "../..")],
    targets: [
        .executableTarget(name: "bare"),
        .executableTarget(name: "kit", dependencies: [.product(name: "BrowseKit", package: "browsekit")]),
    ]
)
