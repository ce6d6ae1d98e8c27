public import Foundation

/// Ids in the folders of visitors, for one process.
///
/// The date of a visitor's folder is that of the last visit, or at most a day earlier.
public struct FileVisitorIDs: VisitorIDs {
    private static let lifetime: TimeInterval = 32 * 86_400

    private let folder: URL
    private var files: FileManager { .default }

    /// Creates the ids of visitors.
    ///
    /// - Parameter folder: The folder of all visitors' folders, and of nothing else.
    public init(folder: URL) {
        self.folder = folder
    }

    /// Returns a visitor's current id; `nil` if it was never replaced.
    public func current(of visitor: String) throws -> String? {
        let path = path(of: visitor)
        guard let date = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date else { return nil }
        // The visit doesn't depend on it: a disk that can't be written still has the id.
        if date.timeIntervalSinceNow < -86_400 {
            try? files.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        }
        do {
            return try String(contentsOfFile: path + "/id", encoding: .utf8)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Replaces an id; returns `false` if another request has replaced it.
    public func replace(_ former: String, by new: String, of visitor: String) throws -> Bool {
        guard try current(of: visitor) ?? former == former else { return false }
        let path = path(of: visitor)
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try files.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: mode)
        try Data(new.utf8).write(to: URL(filePath: path + "/id"), options: .atomic)
        return true
    }

    /// Deletes the folders of visitors whose cookies have expired; those with an id alone after an hour.
    public func deleteExpired() {
        for visitor in (try? files.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [] {
            let path = path(of: visitor)
            // A file that isn't a visitor's, or can't be deleted, must not keep the others.
            let date = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date
            // A sign-in was started, and nothing stored.
            let names = try? files.contentsOfDirectory(atPath: path)
            let lifetime = names == ["id"] ? 3_600 : Self.lifetime
            if let date, date.timeIntervalSinceNow < -lifetime { try? files.removeItem(atPath: path) }
        }
    }

    private func path(of visitor: String) -> String { folder.appending(path: visitor).path(percentEncoded: false) }
}
