public import Foundation

/// A recorded response that comes with BrowseMocks: made-up people in the shape of real responses.
///
/// ```swift
/// let octocat = try Fixture("GitHub/user-octocat")
/// let profile = try JSONSerialization.jsonObject(with: octocat.data)
/// ```
///
/// What there is, ``names(in:)`` tells.
public struct Fixture: Hashable, Sendable {
    /// Thrown for a name that no fixture has.
    public struct Missing: Error, Hashable, CustomStringConvertible {
        /// The name that was asked for.
        public let name: String

        /// Creates the error for a name.
        public init(name: String) {
            self.name = name
        }

        /// Says which fixture is missing, and what there is in its folder.
        public var description: String {
            let folder = name.split(separator: "/").dropLast().joined(separator: "/")
            let others = (try? Fixture.names(in: folder)) ?? []
            let hint =
                others.isEmpty ? "There are none in \"\(folder)\"." : "There are: \(others.joined(separator: ", "))."
            return "BrowseMocks has no fixture \"\(name)\". \(hint)"
        }
    }

    /// The service's folder and the file without its extension, as in `GitHub/user-octocat`.
    public let name: String
    /// The file, byte for byte.
    public let data: Data

    /// Reads a fixture.
    ///
    /// - Parameter name: The service's folder and the file without `.json`, in the case in which it is written.
    /// - Throws: ``Missing`` when there is none of that name, or it cannot be read.
    public init(_ name: String) throws(Missing) {
        guard let file = Self.root?.file(name, extension: "json"), let data = try? Data(contentsOf: file) else {
            throw Missing(name: name)
        }
        self.name = name
        self.data = data
    }

    /// The names of a service's fixtures, in alphabetical order.
    ///
    /// - Parameter folder: The service, as in `GitHub`.
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
    /// A file below a folder; `nil` for a name that would lead out of it.
    fileprivate func file(_ name: String, extension suffix: String?) -> URL? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !name.utf8.contains(0) else { return nil }
        return appending(path: suffix.map { "\(name).\($0)" } ?? name)
    }
}
