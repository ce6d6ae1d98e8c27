public import BrowseDomain
public import Foundation

/// A token store in a file that only its owner can access, for Linux and for tools without a keychain.
///
/// The file is created with the mode 0600, and the folder, if missing, with 0700. Changes are atomic. If others can access the
/// file, or it isn't a regular file of the current user, ``load()`` throws `.storageFailed` with the reason `.exposed`.
///
/// The store removes the write permission of others from a folder of the current user. A folder that users other than root can
/// still write to, such as one of another user, or one that is shared on purpose (with the sticky or set-group-ID bit, like
/// `/tmp`), is refused with the reason `.exposedFolder`.
public struct FileTokenStore: TokenStore {
    private let coder: CredentialsCoder
    private let file: StorageFile
    private let clock: any Clock<Duration>
    private let activity: ExpiringActivity

    /// Creates a store without accessing the file.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; created if it doesn't exist.
    ///   - name: The name of the session. Each has its own file, such as `session-books-https-api.example.com.json`.
    public init(folder: URL, name: SessionName) {
        self.init(folder: folder, name: name, clock: ContinuousClock(), activity: .system)
    }

    /// - Parameters:
    ///   - clock: The clock that measures waits for other processes.
    ///   - activity: Keeps the process running while it holds the refresh lock.
    init(folder: URL, name: SessionName, clock: any Clock<Duration>, activity: ExpiringActivity = .system) {
        coder = CredentialsCoder(name: name)
        file = StorageFile(folder: folder, name: name.fileName)
        self.clock = clock
        self.activity = activity
    }

    /// Reads the stored credentials; `nil` if there's no file.
    @concurrent
    public func load() async throws(BrowseError) -> Credentials? { try read() }

    /// Reads and changes the stored credentials; changes are durable when this returns.
    ///
    /// - Throws: `.storageFailed` with the reason `.busy` if another process holds the lock for longer than 30 seconds, or
    ///   `.notEncodable` if a date isn't finite or the credentials exceed 1 MiB; `.cancelled` if the task is canceled while it waits.
    @concurrent
    public func update(
        _ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        do {
            try await file.privatelyLocked(waitingAtMost: Self.longestWait, on: clock) {
                switch change(Result(catching: read)) {
                case .keep: break
                case .store(let credentials):
                    try file.protectFolder()
                    try file.writePrivately(coder.encode(credentials))
                case .delete: try file.delete()
                }
            }
        } catch {
            throw self.error(error)
        }
    }

    /// Takes the lock of a separate file in the folder.
    @concurrent
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        do throws(StorageFailure) {
            try file.protectFolder()
            return try RefreshLock.ofFile(file, during: activity)
        } catch {
            throw .storageFailed(error)
        }
    }

    private func read() throws(BrowseError) -> Credentials? {
        do {
            try file.protectFolder()
            return try file.readPrivately(limit: CredentialsCoder.byteLimit).flatMap(coder.decode)
        } catch {
            throw self.error(error)
        }
    }

    private func error(_ error: any Error) -> BrowseError {
        if error is CancellationError { return .cancelled }
        let reason = error as? StorageFailure.Reason ?? .other
        return .storageFailed(error as? StorageFailure ?? StorageFailure(reason: reason, file: file.name))
    }

    /// The longest wait for another process, which reads and writes one small file under the lock.
    static var longestWait: Duration { .seconds(30) }
}
