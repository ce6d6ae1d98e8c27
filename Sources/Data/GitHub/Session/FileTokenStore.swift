public import BrowseDomain
public import Foundation

/// Credentials in a file that only its owner can read: for Linux, and for tools that have no keychain.
///
/// The file has the rights 0600 from its first byte on, its folder 0700 when it is made here. It is written beside the old
/// one and takes its place in one step. A file that others may read or change, that belongs to somebody else, or that is a
/// link or no plain file is not used, and is told as `.storageFailed` with the reason `.exposed`.
public struct FileTokenStore: TokenStore {
    private let file: StorageFile
    private let server: String

    /// Creates a store; nothing is read or made yet.
    ///
    /// - Parameters:
    ///   - folder: Where the file is, or is to be; a folder that is missing is made.
    ///   - server: The API that the credentials are for. Each has a file of its own, such as
    ///     `session-https-api.github.com.json`, and no other is given what is in it.
    public init(folder: URL, server: URL) {
        self.server = Origin(server)?.text ?? server.absoluteString
        let name = self.server.replacing("://", with: "-").map { character in
            character.isASCII && (character.isLetter || character.isNumber || "-.".contains(character))
                ? character : "-"
        }
        file = StorageFile(folder: folder, name: "session-" + String(name.prefix(200)) + ".json")
    }

    /// What is stored; `nil` when there is no file.
    @concurrent
    public func load() async throws(BrowseError) -> GitHub.Credentials? {
        try read()
    }

    /// Looks at what is stored and changes it; a change is on the disk when this returns.
    @concurrent
    public func update(
        _ change: @Sendable (Result<GitHub.Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        do {
            try file.locked {
                let stored: Result<GitHub.Credentials?, BrowseError>
                do throws(BrowseError) { stored = .success(try read()) } catch { stored = .failure(error) }
                switch change(stored) {
                case .keep: break
                case .store(let credentials):
                    try file.writePrivately(CredentialsRecord(credentials, for: server).encoded())
                case .delete: try file.delete()
                }
            }
        } catch let error as StorageFailure {
            throw .storageFailed(error)
        } catch {
            throw .storageFailed(StorageFailure(reason: .other, file: file.name))
        }
    }

    private func read() throws(BrowseError) -> GitHub.Credentials? {
        do throws(StorageFailure) {
            guard let data = try file.readPrivately(limit: Self.limit) else { return nil }
            do throws(StorageFailure.Reason) {
                return try CredentialsRecord.credentials(from: data, for: server)
            } catch {
                throw StorageFailure(reason: error, file: file.name)
            }
        } catch {
            throw .storageFailed(error)
        }
    }

    /// The most bytes of a file; what is longer is none of ours.
    private static var limit: Int { 1 << 16 }
}
