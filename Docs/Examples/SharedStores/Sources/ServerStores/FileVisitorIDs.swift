public import Foundation

/// Ids in the folders of visitors, for one process.
///
/// The date of a visitor's folder is that of the last visit, or at most a day earlier.
public struct FileVisitorIDs: VisitorIDs {
    private static let lifetime: TimeInterval = 32 * 86_400

    private let folder: URL
    private let disk: Disk
    /// Nobody waits for it.
    private let cleaning = Disk("FileVisitorIDs.cleaning")
    private var files: FileManager { .default }

    /// Creates the ids of visitors.
    ///
    /// - Parameters:
    ///   - folder: The folder of all visitors' folders, and of nothing else.
    ///   - patience: The time after which a disk that doesn't respond is a failure.
    public init(folder: URL, patience: Duration = .seconds(2)) {
        self.folder = folder
        disk = Disk("FileVisitorIDs", patience: patience)
    }

    /// Returns a visitor's current id; `nil` if it was never replaced.
    public func current(of visitor: String) async throws -> String? {
        try await disk.run { try read(visitor) }
    }

    /// Replaces an id; returns `false` if another request has replaced it.
    public func replace(_ former: String, by new: String, of visitor: String) async throws -> Bool {
        try await disk.run { try write(new, inPlaceOf: former, of: visitor) }
    }

    /// Deletes the folders of visitors whose cookies have expired; those with an id alone after an hour.
    public func deleteExpired() async { try? await cleaning.run { deleteFolders() } }

    private func read(_ visitor: String) throws -> String? {
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

    private func write(_ new: String, inPlaceOf former: String, of visitor: String) throws -> Bool {
        let stored = try read(visitor)
        // Repeated, because nobody waited for the first time.
        if stored == new { return true }
        guard stored ?? former == former else { return false }
        let path = path(of: visitor)
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try files.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: mode)
        try Data(new.utf8).write(to: URL(filePath: path + "/id"), options: .atomic)
        return true
    }

    private func deleteFolders() {
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
