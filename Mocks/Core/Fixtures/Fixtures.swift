import BrowseData
import BrowseDomain
public import Foundation

/// JSON files by name: the fixtures of a service, those of an app's bundle, or data in memory.
///
/// ```swift
/// let fixtures = Fixtures(in: .module).adding(Fixtures(["work": Data("{}".utf8)]))
/// let work = try fixtures["work"]
/// ```
public struct Fixtures: Sendable {
    /// The error for a name without a file.
    public struct Missing: Error, Hashable, CustomStringConvertible {
        /// The requested name.
        public let name: String
        /// The missing name, the files that exist, and the folders that were searched.
        public let description: String
    }

    /// A file that can't be read, or has an unexpected form.
    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        /// The file, and what is wrong with it.
        public let description: String

        /// Creates an error with a description.
        public init(description: String) {
            self.description = description
        }
    }

    private enum Source: Sendable {
        case folder(URL)
        case memory([String: Data])
    }

    /// Later sources replace files of earlier ones.
    private var sources: [Source]

    /// Creates fixtures from the files in a bundle's folder `Fixtures`, or at its root.
    ///
    /// Files are read when they are used.
    public init(in bundle: Bundle) {
        let root = bundle.resourceURL ?? bundle.bundleURL
        sources = [.folder(root), .folder(root.appending(path: "Fixtures", directoryHint: .isDirectory))]
    }

    /// Creates fixtures from the files in a folder, which are read when they are used.
    ///
    /// - Throws: ``Unreadable`` when the folder has no JSON files.
    public init(contentsOf folder: URL) throws(Unreadable) {
        sources = [.folder(folder)]
        guard !names.isEmpty else {
            throw Unreadable(description: "\(folder.path(percentEncoded: false)) is no folder with JSON files.")
        }
    }

    /// Creates fixtures from memory.
    ///
    /// - Parameter files: The bytes of each file by its name without extension.
    public init(_ files: [String: Data]) {
        sources = [.memory(files)]
    }

    /// Returns these fixtures with others added, which replace files with the same name.
    public func adding(_ others: Fixtures) -> Fixtures {
        var fixtures = self
        fixtures.sources += others.sources
        return fixtures
    }

    /// The names without `.json`, sorted; of a folder, without those in its folders.
    public var names: [String] {
        var names: Set<String> = []
        for source in sources {
            switch source {
            case .memory(let files): names.formUnion(files.keys)
            case .folder(let folder):
                let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                for file in files ?? [] where file.pathExtension == "json" {
                    names.insert(file.deletingPathExtension().lastPathComponent)
                }
            }
        }
        return names.sorted()
    }

    /// The bytes of a file.
    ///
    /// The name is the path without `.json`.
    ///
    /// - Throws: ``Missing`` when there is no such file, or it can't be read.
    public subscript(name: String) -> Data {
        get throws(Missing) {
            if let data = data(name) {
                TestScope.current?.keys.add(data, of: corpus)
                return data
            }
            let folders = sources.compactMap { source in
                if case .folder(let folder) = source { folder.path(percentEncoded: false) } else { nil }
            }
            let places = folders.isEmpty ? "" : " Searched: \(folders.joined(separator: ", "))."
            throw Missing(name: name, description: "There is no fixture \"\(name)\". \(hint(for: name))\(places)")
        }
    }

    /// Says which files there are, or how to add or name them.
    private func hint(for name: String) -> String {
        let names = names
        if names.isEmpty {
            return #"There are none. Add their folder to the target, in a package with resources: [.copy("Fixtures")]."#
        }
        if name.hasSuffix(".json"), names.contains(String(name.dropLast(5))) { return "Omit “.json”." }
        return "There are: \(names.joined(separator: ", "))."
    }

    /// The bytes of a file; `nil` if there is none.
    private func data(_ name: String) -> Data? {
        for source in sources.reversed() {
            switch source {
            case .memory(let files): if let data = files[name] { return data }
            case .folder(let folder):
                if let file = folder.file(name), let data = try? Data(contentsOf: file) { return data }
            }
        }
        return nil
    }

    /// All files, in which every key of an app's types must occur.
    private var corpus: FixtureKeys.Corpus {
        FixtureKeys.Corpus(name: "\(sources)") { names.compactMap(data) }
    }

    /// The decoded file.
    ///
    /// - Throws: ``Unreadable`` with the file's name.
    package func decoded<Value: Decodable>(_: Value.Type, _ name: String) throws(Unreadable) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: self[name])
        } catch {
            throw Unreadable(description: "\(name) has an unexpected form: \(BrowseError.DecodingFailure(error))")
        }
    }
}

extension URL {
    /// A JSON file in a folder; `nil` for a name that leads out of it.
    fileprivate func file(_ name: String) -> URL? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !name.utf8.contains(0) else { return nil }
        return appending(path: "\(name).json")
    }
}
