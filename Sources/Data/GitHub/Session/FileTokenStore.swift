public import BrowseDomain
public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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

extension StorageFile {
    /// The contents of a file that only its owner can use; `nil` when there is none.
    ///
    /// - Throws: `.exposed` when others may use it, or it is no plain file of the owner's.
    func readPrivately(limit: Int) throws(StorageFailure) -> Data? {
        // Not through a link, and without waiting for whoever might write to a pipe of that name.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP, EMLINK: throw StorageFailure(reason: .exposed, file: name)
            default: throw Self.failure(errno, file: name)
            }
        }
        defer { close(descriptor) }
        // Of what was opened, not of what has that name by now.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno, file: name) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw StorageFailure(reason: .exposed, file: name)
        }
        guard status.st_size <= limit else { throw StorageFailure(reason: .damaged, file: name) }
        var data = Data(count: limit + 1)
        var count = 0
        while count < data.count {
            let read = data.withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw Self.failure(errno, file: name) }
            guard read > 0 else { break }
            count += read
        }
        guard count <= limit else { throw StorageFailure(reason: .damaged, file: name) }
        return data.prefix(count)
    }

    /// Puts a file of its owner's alone in place of what is there, in one step; for whoever holds the lock.
    func writePrivately(_ data: Data) throws(StorageFailure) {
        let new = sibling("new")
        // Left by somebody who was stopped in the middle.
        unlink(new.path)
        try new.write(data)
        do throws(StorageFailure) {
            try new.takePlace(of: self)
        } catch {
            unlink(new.path)
            throw error
        }
    }

    private func write(_ data: Data) throws(StorageFailure) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(errno, file: name) }
        defer { close(descriptor) }
        var count = 0
        while count < data.count {
            let written = data.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                let code = errno
                unlink(path)
                throw Self.failure(code, file: name)
            }
            count += written
        }
        guard fsync(descriptor) == 0 else {
            let code = errno
            unlink(path)
            throw Self.failure(code, file: name)
        }
    }

    /// Deletes the file, where it is.
    func delete() throws(StorageFailure) {
        for file in [self, sibling("new")] where unlink(file.path) != 0 && errno != ENOENT {
            throw Self.failure(errno, file: name)
        }
    }
}
