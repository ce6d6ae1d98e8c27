import BrowseKit
import Foundation
public import WebSupport

/// Stores the current ids of visitors whose ids were replaced, by the keys of their stores.
///
/// So a former cookie, which somebody may have planted or stolen, is worthless in every process. Nothing is stored for others.
public protocol VisitorIDs: Sendable {
    /// Returns the digest of a visitor's current id; `nil` if it was never replaced. What is stored for the visitor then lives on.
    func current(of key: String) async throws -> String?
    /// Replaces an id; returns `false` if another request has replaced it.
    func replace(_ former: VisitorID, by new: VisitorID) async throws -> Bool
    /// Deletes what is stored for visitors whose cookies have expired, if the store doesn't do it by itself.
    func deleteExpired() async throws
}

/// Ids in the folders of visitors.
///
/// The date of a visitor's folder is that of the last visit, or at most a day earlier.
struct FileVisitorIDs: VisitorIDs {
    private static let lifetime: TimeInterval = 32 * 86_400

    let folder: URL

    func current(of key: String) async throws -> String? {
        let path = path(of: key)
        guard let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date else {
            return nil
        }
        if date.timeIntervalSinceNow < -86_400 {
            try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        }
        return try? String(contentsOfFile: path + "/id", encoding: .utf8)
    }

    func replace(_ former: VisitorID, by new: VisitorID) async throws -> Bool {
        guard try await current(of: former.key) ?? former.digest == former.digest else { return false }
        let path = path(of: former.key)
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(new.digest.utf8).write(to: URL(filePath: path + "/id"), options: .atomic)
        return true
    }

    func deleteExpired() async throws {
        for key in (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [] {
            let date = try FileManager.default.attributesOfItem(atPath: path(of: key))[.modificationDate] as? Date
            if let date, date.timeIntervalSinceNow < -Self.lifetime {
                try FileManager.default.removeItem(atPath: path(of: key))
            }
        }
    }

    private func path(of key: String) -> String { folder.appending(path: key).path(percentEncoded: false) }
}
