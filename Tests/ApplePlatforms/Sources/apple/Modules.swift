import Foundation

/// The modules to compile: the stand-ins and the targets of the manifest.
struct Modules {
    let sources: [ModuleSource]
    /// The targets of the manifest.
    let targets: [String]
    /// The targets of the SwiftUI example.
    let views: [String]
    /// The targets that users build.
    let products: [String]
    /// Examples that the checks must report.
    let probes: [String]

    private static let standIns: KeyValuePairs = [
        "ObjectiveC": [],
        "DarwinTypes": [],
        "Darwin": ["DarwinTypes"],
        "Dispatch": ["ObjectiveC"],
        "Foundation": ["Darwin", "Dispatch", "ObjectiveC"],
        "Security": ["Foundation"],
        "CryptoKit": ["Foundation"],
        "_Testing_Foundation": ["Foundation"],
    ]

    /// The target of the SDK that has views.
    static let viewModule = "BrowseSwiftUI"

    /// The stand-ins that only front ends import.
    private static let interfaceStandIns: KeyValuePairs = [
        "CoreGraphics": [],
        "ImageIO": ["CoreGraphics", "Foundation"],
        "Accessibility": [],
        "AppIntents": ["Foundation"],
        "AppKit": ["CoreGraphics", "Foundation"],
        "UIKit": ["CoreGraphics", "Foundation"],
        "SwiftUI": ["AppKit", "CoreGraphics", "Foundation", "UIKit"],
        "AuthenticationServices": ["Foundation", "SwiftUI"],
        "WidgetKit": ["Foundation", "SwiftUI"],
    ]

    /// - Parameters:
    ///   - manifest: The manifest of the SDK.
    ///   - example: The manifest of the SwiftUI example.
    ///   - folder: The folder of the example, relative to the repository.
    init(of manifest: Manifest, example: Manifest, in folder: String) {
        let standIns = Self.standIns.map { Manifest.Dependency(name: $0.key, platforms: nil) }
        let interface = Self.interfaceStandIns.map { Manifest.Dependency(name: $0.key, platforms: nil) }
        var sources = (Array(Self.standIns) + Array(Self.interfaceStandIns)).map { name, dependencies in
            ModuleSource(
                name: name,
                path: "Tests/ApplePlatforms/StandIns/\(name)",
                dependencies: dependencies.map { Manifest.Dependency(name: $0, platforms: nil) },
                flags: [],
                isStandIn: true
            )
        }
        let linuxOnly = manifest.targets.flatMap(\.dependencies).filter { $0.platforms == ["linux"] }.map(\.name)
        let targets = manifest.targets.filter { $0.type != .system && !linuxOnly.contains($0.name) }
        let names = Set(targets.map(\.name))
        for target in targets {
            sources.append(
                ModuleSource(
                    name: target.name,
                    path: target.folder,
                    dependencies: target.dependencies.filter { names.contains($0.name) } + standIns
                        + (target.name == Self.viewModule ? interface : []),
                    flags: target.flags,
                    generated: target.resources.isEmpty ? [:] : ["resource_bundle_accessor.swift": Self.bundleAccessor]
                )
            )
        }
        for target in example.targets {
            sources.append(
                ModuleSource(
                    name: target.name,
                    path: "\(folder)/\(target.folder)",
                    dependencies: target.dependencies + standIns + interface,
                    flags: target.flags,
                    package: "swiftui"
                )
            )
        }
        views = example.targets.map(\.name)
        probes = ["SendabilityProbe", "FileStatusProbe", "AvailabilityProbe", "ConversionProbe", "ViewProbe"]
        let sdk = Manifest.Dependency(name: "BrowseKit", platforms: nil)
        sources += probes.map { name in
            ModuleSource(
                name: name,
                path: "Tests/ApplePlatforms/Probes/\(name)",
                dependencies: standIns + (name == "ViewProbe" ? interface + [sdk] : []),
                flags: targets.first?.flags ?? []
            )
        }
        self.sources = sources
        self.targets = targets.map(\.name)
        products = targets.filter { $0.type == .regular && $0.path?.hasPrefix("Tests/") != true }.map(\.name)
    }

    /// The source that SwiftPM generates for a target with resources.
    private static let bundleAccessor = """
        import class Foundation.Bundle
        private class BundleFinder {}
        extension Foundation.Bundle {
            static let module: Bundle = Bundle(for: BundleFinder.self)
        }
        """
}
