public import BrowseDomain
public import Foundation

/// Credentials in a file that only its owner can read: for Linux, and for tools that have no keychain.
///
/// The file has the rights 0600 from its first byte on, its folder 0700 when it is created here. It is written beside the old
/// one and takes its place in one step. A file that others may read or change, that belongs to somebody else, or that is a
/// link or no plain file is not used: all methods throw `.storageFailed` with the reason `.exposed`.
///
/// Others must not be able to write to the folder. A folder of this user loses that permission; one that is shared on purpose
/// (of another owner, or with the sticky or set-group-ID bit, such as `/tmp`) isn't used: `.exposedFolder`.
public struct FileTokenStore: TokenStore {
    private let session: SessionFile
    private let clock: any Clock<Duration>
    private let activity: ExpiringActivity

    private var file: StorageFile { session.file }

    /// Creates a store; nothing is read or created yet.
    ///
    /// - Parameters:
    ///   - folder: Where the file is, or is to be; a folder that is missing is created.
    ///   - server: The API that the credentials are for. Each has a file of its own, such as
    ///     `session-https-api.github.com.json`, and no other is given what is in it.
    public init(folder: URL, server: URL) {
        self.init(folder: folder, server: server, clock: ContinuousClock(), activity: .system)
    }

    /// - Parameters:
    ///   - clock: Measures waits for other processes.
    ///   - activity: What a process that holds the refresh lock does before it is suspended.
    init(folder: URL, server: URL, clock: any Clock<Duration>, activity: ExpiringActivity = .system) {
        session = SessionFile(folder: folder, server: server)
        self.clock = clock
        self.activity = activity
    }

    /// What is stored; `nil` when there is no file.
    @concurrent
    public func load() async throws(BrowseError) -> GitHub.Credentials? {
        try read()
    }

    /// Looks at what is stored and changes it; a change is on the disk when this returns.
    ///
    /// - Throws: `.storageFailed` with the reason `.busy` when another process does the same for longer than 30 seconds;
    ///   `.cancelled` when the task is canceled while it waits for that.
    @concurrent
    public func update(
        _ change: @Sendable (Result<GitHub.Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        do {
            try await file.privatelyLocked(waitingAtMost: Self.longestWait, on: clock) {
                let stored: Result<GitHub.Credentials?, BrowseError>
                do throws(BrowseError) { stored = .success(try read()) } catch { stored = .failure(error) }
                switch change(stored) {
                case .keep: break
                case .store(let credentials):
                    try file.protectFolder()
                    try file.writePrivately(CredentialsRecord(credentials, for: session.server).encoded())
                case .delete: try file.delete()
                }
            }
        } catch let error as StorageFailure {
            throw .storageFailed(error)
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .storageFailed(StorageFailure(reason: .other, file: file.name))
        }
    }

    /// Takes the lock of a file beside the token's.
    @concurrent
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        do throws(StorageFailure) {
            try file.protectFolder()
            return try RefreshLock.ofFile(session.refreshLock, during: activity)
        } catch {
            throw .storageFailed(error)
        }
    }

    private func read() throws(BrowseError) -> GitHub.Credentials? {
        do throws(StorageFailure) {
            try file.protectFolder()
            guard let data = try file.readPrivately(limit: Self.limit) else { return nil }
            do throws(StorageFailure.Reason) {
                return try CredentialsRecord.credentials(from: data, for: session.server)
            } catch {
                throw StorageFailure(reason: error, file: file.name)
            }
        } catch {
            throw .storageFailed(error)
        }
    }

    /// The most bytes of a file; what is longer is none of ours.
    private static var limit: Int { 1 << 16 }
    /// The longest wait for another process, which reads and writes one small file meanwhile.
    static var longestWait: Duration { .seconds(30) }
}
