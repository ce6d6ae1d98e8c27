public import Foundation

/// A JSON file for tests: one of BrowseMocks, or one of an app's own bundle.
///
/// The fixtures of BrowseMocks describe invented people in the shape of real responses; ``names(in:)`` lists them.
///
/// ```swift
/// let octocat = try Fixture("GitHub/user-octocat")
/// let profile = try JSONSerialization.jsonObject(with: octocat.data)
/// ```
public struct Fixture: Hashable, Sendable {
    /// The error for a name without a fixture.
    public struct Missing: Error, Hashable, CustomStringConvertible {
        /// The requested name.
        public let name: String
        private let places: [String]

        /// Creates the error for a name.
        public init(name: String) {
            self.init(name: name, places: [])
        }

        fileprivate init(name: String, places: [String]) {
            self.name = name
            self.places = places
        }

        /// The missing name, and the names that exist or the places that were searched.
        public var description: String {
            guard places.isEmpty else {
                return "There is no fixture \"\(name)\". Searched: \(places.joined(separator: ", "))."
            }
            let folder = name.split(separator: "/").dropLast().joined(separator: "/")
            let others = (try? Fixture.names(in: folder)) ?? []
            let hint =
                others.isEmpty
                ? "Names begin with a folder: GitHub, RickAndMorty, or AppStore."
                : "There are: \(others.joined(separator: ", "))."
            return "BrowseMocks has no fixture \"\(name)\". \(hint)"
        }
    }

    /// The path without its extension, such as `GitHub/user-octocat`.
    public let name: String
    /// The bytes of the file.
    public let data: Data

    init(name: String, data: Data) {
        self.name = name
        self.data = data
    }

    /// All fixtures of BrowseMocks, by name.
    static let bundled: [String: Data] = {
        let names = ["GitHub", "RickAndMorty", "AppStore"].flatMap { (try? Fixture.names(in: $0)) ?? [] }
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                (try? Fixture(name)).map { (name, $0.data) }
            }
        )
    }()

    /// Reads a fixture.
    ///
    /// - Parameters:
    ///   - name: The path without `.json`, case-sensitive.
    ///   - bundle: A bundle with the file in its `Fixtures` folder or at its root; `nil` for BrowseMocks.
    /// - Throws: ``Missing`` when there is no such file, or it can't be read.
    public init(_ name: String, in bundle: Bundle? = nil) throws(Missing) {
        let own = bundle.flatMap(\.resourceURL)
            .map { [$0.appending(path: "Fixtures", directoryHint: .isDirectory), $0] }
        let files = (own ?? [Self.root].compactMap(\.self)).compactMap { $0.file(name, extension: "json") }
        guard let data = files.lazy.compactMap({ try? Data(contentsOf: $0) }).first else {
            throw Missing(name: name, places: bundle == nil ? [] : files.map { $0.path(percentEncoded: false) })
        }
        self.name = name
        self.data = data
    }

    /// The names of a service's fixtures, sorted.
    ///
    /// - Parameter folder: The folder of the service, such as `GitHub`.
    /// - Throws: ``Missing`` when there is no such folder.
    public static func names(in folder: String) throws(Missing) -> [String] {
        guard let directory = root?.file(folder, extension: nil),
            let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        else { throw Missing(name: folder + "/") }
        return files.filter { $0.pathExtension == "json" }
            .map { "\(folder)/\($0.deletingPathExtension().lastPathComponent)" }
            .sorted()
    }

    private static var root: URL? {
        Bundle.module.resourceURL?.appending(path: "Fixtures", directoryHint: .isDirectory)
    }
}

extension URL {
    /// A file in a folder; `nil` for a name that leads out of it.
    fileprivate func file(_ name: String, extension suffix: String?) -> URL? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !name.utf8.contains(0) else { return nil }
        return appending(path: suffix.map { "\(name).\($0)" } ?? name)
    }
}
