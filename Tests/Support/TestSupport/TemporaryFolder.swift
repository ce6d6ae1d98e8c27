public import Foundation

/// A temporary folder that is deleted with the value.
public final class TemporaryFolder: Sendable {
    /// The address of the folder, which doesn't exist until something is written.
    public let url: URL

    /// Chooses a name.
    public init() {
        url = FileManager.default.temporaryDirectory
            .appending(path: "browsekit-\(UUID().uuidString)", directoryHint: .isDirectory)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns the URL of a file in the folder.
    public func file(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

    /// The names of the folder's contents; empty if it doesn't exist.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))) ?? []).sorted()
    }
}
