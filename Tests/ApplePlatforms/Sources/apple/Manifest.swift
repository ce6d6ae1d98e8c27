import Foundation

/// The parts of the manifest that affect compilation.
struct Manifest: Decodable {
    struct Target: Decodable {
        enum Kind: String, Decodable { case regular, executable, test, system }

        let name: String
        let type: Kind
        let path: String?
        let dependencies: [Dependency]
        let resources: [Resource]
        let settings: [Setting]

        /// Its folder, relative to the package.
        var folder: String { path ?? "Sources/\(name)" }

        /// The compiler flags of its settings.
        var flags: [String] {
            settings.flatMap { setting in
                ["-enable-upcoming-feature", setting.kind.enableUpcomingFeature._0]
            }
        }
    }

    struct Dependency: Decodable {
        let name: String
        /// The platforms of the dependency, in lowercase; `nil` for all.
        let platforms: [String]?

        init(name: String, platforms: [String]?) {
            self.name = name
            self.platforms = platforms
        }

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.container(keyedBy: Key.self)
            guard let kind = kinds.allKeys.first else { throw Failure("A dependency of the manifest is empty.") }
            var parts = try kinds.nestedUnkeyedContainer(forKey: kind)
            name = try parts.decode(String.self)
            if kind == .product {
                // Its package and the aliases of its modules; products and their modules have the same names.
                _ = try parts.decodeIfPresent(String.self)
                _ = try parts.decodeIfPresent([String: String].self)
            }
            platforms = parts.isAtEnd ? nil : try parts.decodeIfPresent(Condition.self)?.platformNames
        }

        private struct Condition: Decodable { let platformNames: [String] }

        private enum Key: String, CodingKey { case byName, product, target }
    }

    struct Resource: Decodable {}

    struct Setting: Decodable {
        struct Kind: Decodable {
            struct Feature: Decodable { let _0: String }
            /// The only kind of setting so far; others fail to decode instead of being ignored.
            let enableUpcomingFeature: Feature
        }

        let kind: Kind
    }

    struct Minimum: Decodable {
        let platformName: String
        let version: String
    }

    let platforms: [Minimum]
    let targets: [Target]

    /// Reads the manifest of a package.
    ///
    /// - Parameter scratch: A scratch folder for SwiftPM, because another build may lock the default one.
    init(of package: URL, scratch: String) throws {
        let (status, json) = try output(
            of: ["swift", "package", "--package-path", package.path, "--scratch-path", scratch, "dump-package"],
            includesErrors: false
        )
        guard status == 0 else { throw Failure("The manifest can't be read.") }
        self = try JSONDecoder().decode(Manifest.self, from: Data(json.utf8))
    }
}
