// swift-tools-version: 6.2
import PackageDescription

// The services as an outside package would contain them, with links to their folders: what is `package` in the core
// doesn't exist here, so they compile only with what a service of another package can use. Scripts/services.sh makes
// the package of the core, from the SDK's own manifest.
let core = ["BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseCore"]
    .map { Target.Dependency.product(name: $0, package: "core") }

func cells(of service: String) -> [Target] {
    var layers: [Target] = []
    for layer in ["Domain", "Data", "Presentation"] {
        let lower = layer == "Domain" ? [] : [Target.Dependency(stringLiteral: "Browse\(service)Domain")]
        layers.append(
            .target(name: "Browse\(service)\(layer)", dependencies: core + lower, path: "\(service)/\(layer)")
        )
    }
    let names = layers.map { Target.Dependency(stringLiteral: $0.name) }
    return layers + [.target(name: "Browse\(service)", dependencies: core + names, path: "\(service)/BrowseKit")]
}

let package = Package(
    name: "Services",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../../.build/core")],
    targets: ["GitHub", "RickAndMorty", "AppStore"].flatMap(cells),
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
