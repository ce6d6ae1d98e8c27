// swift-tools-version: 6.2
import PackageDescription

/// A program that uses a product of BrowseKit.
func program(_ name: String, _ products: String...) -> Target {
    .executableTarget(
        name: name,
        dependencies: products.map { .product(name: $0, package: "browsekit") }
    )
}

// Programs that load an account's followers: with Foundation alone, and with more and more of BrowseKit.
// Scripts/footprint.sh compares their sizes.
let package = Package(
    name: "Footprint",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "browsekit", path: "../..")],
    targets: [
        program("bare"),
        program("client", "BrowseDomain", "BrowseData"),
        program("core", "BrowseCore"),
        program("github", "BrowseGitHub"),
        program("kit", "BrowseKit"),
    ]
)
