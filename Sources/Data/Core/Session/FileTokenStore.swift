public import BrowseDomain
public import Foundation

/// A token store in a file that only its owner can access, for Linux and for tools without a
/// keychain.
///
/// The file is created with the mode 0600, and the folder, if missing, with 0700. Changes are
/// atomic. If others can access the file, or it isn't a regular file of the current user,
/// ``load()`` throws `.storageFailed` with the reason `.exposed`.
///
/// The store removes the write permission of others from a folder of the current user. A folder
/// that users other than root can still write to, such as one of another user, or one that is
/// shared on purpose (with the sticky or set-group-ID bit, like `/tmp`), is refused with the reason
/// `.exposedFolder`.
public struct FileTokenStore: TokenStore {
    let coder: CredentialsCoder
    let file: StorageFile
    /// The clock that measures waits for other processes.
    var clock: any Clock<Duration> = ContinuousClock()
    /// Keeps the process running while it holds the refresh lock.
    var activity: ExpiringActivity = .system
    /// Runs all that accesses files.
    var queue: QueueExecutor = .tokens

    /// Creates a store without accessing the file.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; created if it doesn't exist.
    ///   - name: The name of the session. Each has its own file, whose name is `session-….json`
    ///     with a digest of the session's.
    public init(folder: URL, name: SessionName) {
        coder = CredentialsCoder(name: name)
        file = StorageFile(folder: folder, name: name.fileName)
    }

    /// Reads the stored credentials; `nil` if there's no file.
    ///
    /// - Throws: `.storageFailed` with the reason `.busy` if the disk hangs for ten seconds.
    @concurrent
    public func load() async throws(BrowseError) -> Credentials? {
        try await file.queued(on: queue, read)
    }

    /// Reads and changes the stored credentials; changes are durable when this returns.
    ///
    /// - Throws: `.storageFailed` with the reason `.busy` if another process holds the lock for
    ///   longer than 30 seconds, or if the disk hangs for ten, and the change can then still be
    ///   made later; `.notEncodable` if a date isn't finite or the credentials exceed 1 MiB;
    ///   `.cancelled` if the task is canceled while it waits for another process.
    @concurrent
    public func update(_ change: @escaping TokenUpdate) async throws(BrowseError) {
        try await file.privatelyLocked(waitingAtMost: Self.longestWait, on: clock, queue) {
            switch change(Result(catching: read).mapError(file.error)) {
            case .keep: break
            case .store(let credentials):
                try file.protectFolder()
                try file.writePrivately(coder.encode(credentials))
            case .delete: try file.delete()
            }
        }
    }

    /// Takes the lock of a separate file in the folder.
    @concurrent
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        try await file.queued(on: queue) {
            try file.protectFolder()
            return try RefreshLock.ofFile(file, during: activity, on: queue)
        }
    }

    @Sendable
    private func read() throws -> Credentials? {
        try file.protectFolder()
        return try file.readPrivately(limit: CredentialsCoder.byteLimit).flatMap(coder.decode)
    }

    /// The longest wait for another process, which reads and writes one small file under the lock.
    static var longestWait: Duration { .seconds(30) }
}
