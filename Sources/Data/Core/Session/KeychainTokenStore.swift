public import BrowseDomain
import Foundation
import Synchronization

/// A token store in the data protection keychain; it can be created on Apple platforms only.
///
/// Credentials are readable after the device's first unlock, and are neither synchronized nor restored to another device.
/// Before the first unlock, methods throw `BrowseError.storageFailed` with the reason `.locked`, even if the Keychain reports
/// that there's no item.
///
/// Keychain updates aren't atomic. Processes that share a lock folder exclude each other; other processes can write between a
/// read and a write, and the last write wins.
public struct KeychainTokenStore: TokenStore {
    private let item: KeychainItem
    private let fallback: FileTokenStore?
    private let keychain: any Keychain
    private let name: SessionName
    /// The file whose locks are used; it's never created.
    private let file: StorageFile
    /// Shared by the process, because several stores can use one item.
    private static let lock = Mutex(())

    init(
        name: SessionName,
        accessGroup: String?,
        lockFolder: URL,
        fallback: FileTokenStore?,
        keychain: any Keychain
    ) {
        self.name = name
        file = StorageFile(folder: lockFolder, name: name.fileName)
        item = KeychainItem(service: "BrowseKit " + name.text, account: "session", accessGroup: accessGroup)
        self.fallback = accessGroup == nil ? fallback : nil
        self.keychain = keychain
    }

    /// Reads the stored credentials; `nil` if the Keychain is unlocked and has none.
    @concurrent
    public func load() async throws(BrowseError) -> Credentials? {
        do throws(Failure) {
            return try Self.lock.withLock { _ throws(Failure) in try credentials() }
        } catch {
            guard error.isMissingEntitlement, let fallback else { throw self.error(error) }
            return try await fallback.load()
        }
    }

    /// Reads and changes the stored credentials.
    ///
    /// - Throws: `BrowseError.storageFailed` with the reason `.locked` before the first unlock, without calling `change`, or
    ///   `.busy` if another process holds the lock for longer than 30 seconds; `.cancelled` if the task is canceled while it
    ///   waits.
    @concurrent
    public func update(
        _ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        let result = try await locked { () throws(Failure) in
            try Self.lock.withLock { _ throws(Failure) in try apply(change) }
        }
        do throws(Failure) {
            try result.get()
        } catch {
            guard error.isMissingEntitlement, let fallback else { throw self.error(error) }
            try await fallback.update(change)
        }
    }

    /// Takes the lock of a file in the lock folder.
    @concurrent
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        do throws(StorageFailure) {
            return try RefreshLock.ofFile(file, during: .system)
        } catch {
            throw .storageFailed(error)
        }
    }

    /// Runs a closure with the lock of the processes that share the lock folder.
    private func locked(_ body: () throws(Failure) -> Void) async throws(BrowseError) -> Result<Void, Failure> {
        do {
            return try await file.privatelyLocked(
                waitingAtMost: FileTokenStore.longestWait,
                on: ContinuousClock()
            ) { Result(catching: body) }
        } catch is CancellationError {
            throw .cancelled
        } catch let failure as StorageFailure where failure.reason == .busy {
            throw .storageFailed(failure)
        } catch {
            // Runs without the lock if it can't be created: signing out must be possible on a full disk.
            return Result(catching: body)
        }
    }

    private func apply(_ change: (Result<Credentials?, BrowseError>) -> TokenChange) throws(Failure) {
        let stored: Result<Credentials?, BrowseError>
        do throws(Failure) {
            stored = .success(try credentials())
        } catch {
            guard error.reason != .locked, !error.isMissingEntitlement else { throw error }
            stored = .failure(self.error(error))
        }
        switch change(stored) {
        case .keep: break
        case .store(let credentials): try write(credentials)
        case .delete: try check(keychain.delete(item), allowing: .itemNotFound)
        }
    }

    private func error(_ failure: Failure) -> BrowseError {
        .storageFailed(
            StorageFailure(reason: failure.reason, file: item.service, code: failure.status.map { Int($0.rawValue) })
        )
    }
}

extension KeychainTokenStore {
    /// A failed call, or an item with unusable contents.
    private struct Failure: Error {
        let reason: StorageFailure.Reason
        /// The status of the failed call; `nil` for unusable contents.
        let status: KeychainStatus?

        var isMissingEntitlement: Bool { status == .missingEntitlement }

        init(_ reason: StorageFailure.Reason) {
            self.reason = reason
            status = nil
        }

        init(_ status: KeychainStatus) {
            self.status = status
            reason =
                switch status {
                case .interactionNotAllowed, .notAvailable: .locked
                case .decode: .damaged
                case .duplicateItem: .busy
                case .missingEntitlement, .authFailed, .readOnly: .notWritable
                default: .other
                }
        }
    }

    private func credentials() throws(Failure) -> Credentials? {
        guard let data = try data() else { return nil }
        do throws(StorageFailure.Reason) {
            return try CredentialsRecord.credentials(from: data, for: name)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the item's data; `nil` only if the Keychain is unlocked and has no item.
    private func data() throws(Failure) -> Data? {
        if let data = try read() { return data }
        // A locked Keychain can report that there's no item, but it rejects additions. Read again after the probe, because it
        // may have been unlocked since the first read.
        try probe()
        return try read()
    }

    private func read() throws(Failure) -> Data? {
        let (status, data) = keychain.read(item)
        guard status != .itemNotFound else { return nil }
        try check(status)
        guard let data else { throw Failure(.decode) }
        return data
    }

    /// Checks that the Keychain is unlocked by adding and deleting an item.
    ///
    /// The item differs from the credentials' item, which another process could update before it's deleted. Its account is
    /// unique, so that concurrent probes don't conflict; deleting without the account also removes leftover probes.
    private func probe() throws(Failure) {
        var probe = KeychainItem(
            service: item.service + " probe",
            account: UUID().uuidString,
            accessGroup: item.accessGroup
        )
        try check(keychain.add(probe, Data()))
        probe.account = nil
        _ = keychain.delete(probe)
    }

    private func write(_ credentials: Credentials) throws(Failure) {
        let data: Data
        let record = CredentialsRecord(credentials, for: name)
        do throws(StorageFailure.Reason) { data = try record.encoded() } catch { throw Failure(error) }
        // Another process may add or delete the item between two calls.
        for _ in 0..<Self.attempts {
            guard try !check(keychain.update(item, data), allowing: .itemNotFound) else { return }
            guard try !check(keychain.add(item, data), allowing: .duplicateItem) else { return }
        }
        throw Failure(.duplicateItem)
    }

    private static var attempts: Int { 10 }

    /// Returns whether a call succeeded; throws for other statuses than the allowed one.
    @discardableResult
    private func check(_ status: KeychainStatus, allowing other: KeychainStatus? = nil) throws(Failure) -> Bool {
        guard status == .success || status == other else { throw Failure(status) }
        return status == .success
    }
}
