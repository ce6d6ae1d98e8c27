import Foundation
public import WebSupport

/// Finds a visitor's stores by the id in the visitor's cookie, also after the visitor was forgotten.
///
/// The key of the stores is random, and stays when signing in or out replaces the id. So a cookie that somebody else knew before
/// doesn't lead to them.
public protocol VisitorKeys: Sendable {
    /// Returns the key of a visitor's stores; for an unknown id a new one, which is stored.
    func key(of id: VisitorID) async throws -> String
    /// Gives the key of an id to another one; the former id is unknown afterwards.
    func move(_ former: VisitorID, to new: VisitorID) async throws
}

/// Keys in a folder, as a symbolic link for each id.
///
/// The file system creates and renames links atomically. The name of a link is a digest, so that its reader doesn't learn the id.
struct FileVisitorKeys: VisitorKeys {
    private let folder: URL

    /// Creates the keys of a folder, which is created when it's first needed.
    init(folder: URL) {
        self.folder = folder
    }

    func key(of id: VisitorID) async throws -> String {
        let path = path(of: id)
        if let key = try? FileManager.default.destinationOfSymbolicLink(atPath: path) { return key }
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let key = RandomID.make()
        do {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: key)
            return key
        } catch {
            // Another request was faster.
            return try FileManager.default.destinationOfSymbolicLink(atPath: path)
        }
    }

    func move(_ former: VisitorID, to new: VisitorID) async throws {
        try FileManager.default.moveItem(atPath: path(of: former), toPath: path(of: new))
    }

    private func path(of id: VisitorID) -> String {
        folder.appending(path: id.digest).path(percentEncoded: false)
    }
}
