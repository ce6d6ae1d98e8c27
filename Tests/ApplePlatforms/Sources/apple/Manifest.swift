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
            platforms = parts.isAtEnd ? nil : try parts.decodeIfPresent(Condition.self)?.platformNames
        }

        private struct Condition: Decodable { let platformNames: [String] }

        private enum Key: String, CodingKey { case byName, target }
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
    init(of package: URL) throws {
        // In a separate scratch folder, because another build may lock the default one.
        let scratch = package.path + "/Tests/ApplePlatforms/.build/manifest"
        let (status, json) = try output(
            of: ["swift", "package", "--package-path", package.path, "--scratch-path", scratch, "dump-package"],
            includesErrors: false
        )
        guard status == 0 else { throw Failure("The manifest can't be read.") }
        self = try JSONDecoder().decode(Manifest.self, from: Data(json.utf8))
    }
}
