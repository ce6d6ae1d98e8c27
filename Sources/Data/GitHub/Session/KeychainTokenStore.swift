public import BrowseDomain
import Foundation
import Synchronization

/// Credentials in the data protection keychain of this device; only Apple platforms can create one.
///
/// They can be read after the device's first unlock, and are neither synchronized nor restored to another device. Until then
/// both methods throw `BrowseError.storageFailed` with the reason `.locked`, also where the Keychain reports no item.
///
/// The Keychain can't read and write in one step. Processes that share a folder for locks exclude each other; others may still
/// write in between, and the last write wins.
public struct KeychainTokenStore: TokenStore {
    private let server: String
    private let item: KeychainItem
    private let fallback: FileTokenStore?
    private let keychain: any Keychain
    /// Where the locks are; the file itself is never created.
    private let session: SessionFile
    /// One for the process, since several stores may use one item.
    private static let lock = Mutex(())

    init(server: URL, accessGroup: String?, lockFolder: URL, fallback: FileTokenStore?, keychain: any Keychain) {
        session = SessionFile(folder: lockFolder, server: server)
        self.server = session.server
        item = KeychainItem(service: "BrowseKit " + self.server, account: "GitHub", accessGroup: accessGroup)
        self.fallback = accessGroup == nil ? fallback : nil
        self.keychain = keychain
    }

    /// Returns the stored credentials, or `nil` when the Keychain is readable and has none.
    @concurrent
    public func load() async throws(BrowseError) -> GitHub.Credentials? {
        do throws(Failure) {
            return try Self.lock.withLock { _ throws(Failure) in try credentials() }
        } catch {
            guard error.isMissingEntitlement, let fallback else { throw self.error(error) }
            return try await fallback.load()
        }
    }

    /// Reads the stored credentials and changes them.
    ///
    /// - Throws: `BrowseError.storageFailed` with the reason `.locked`, without calling `change`, before the first unlock, and with
    ///   `.busy` when another process takes longer than 30 seconds; `.cancelled` when the task is canceled while it waits.
    @concurrent
    public func update(
        _ change: @Sendable (Result<GitHub.Credentials?, BrowseError>) -> TokenChange
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

    /// Takes the lock of a file in the folder for locks.
    @concurrent
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        do throws(StorageFailure) {
            return try RefreshLock.ofFile(session.refreshLock, during: .system)
        } catch {
            throw .storageFailed(error)
        }
    }

    /// Runs work while no other process that shares the folder for locks does.
    private func locked(_ body: () throws(Failure) -> Void) async throws(BrowseError) -> Result<Void, Failure> {
        func result() -> Result<Void, Failure> {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        do {
            return try await session.file.privatelyLocked(
                waitingAtMost: FileTokenStore.longestWait,
                on: ContinuousClock()
            ) { result() }
        } catch is CancellationError {
            throw .cancelled
        } catch let failure as StorageFailure where failure.reason == .busy {
            throw .storageFailed(failure)
        } catch {
            // The lock file can't be created, such as on a full disk, where signing out must be possible.
            return result()
        }
    }

    private func apply(_ change: (Result<GitHub.Credentials?, BrowseError>) -> TokenChange) throws(Failure) {
        let stored: Result<GitHub.Credentials?, BrowseError>
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
    /// A failed call, or an item whose contents can't be used.
    private struct Failure: Error {
        let reason: StorageFailure.Reason
        /// The status of the call; `nil` when the item was read.
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

    private func credentials() throws(Failure) -> GitHub.Credentials? {
        guard let data = try data() else { return nil }
        do throws(StorageFailure.Reason) {
            return try CredentialsRecord.credentials(from: data, for: server)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the item's data, or `nil` when there is certainly no item.
    private func data() throws(Failure) -> Data? {
        if let data = try read() { return data }
        // A keychain that is still locked may report that nothing is there, but refuses to add anything. It may have been
        // unlocked in between, so only a second look tells.
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

    /// Adds and deletes an item.
    ///
    /// Not the item of the credentials: another process may give that its contents before it is deleted. The account is
    /// unique, so that probes never meet; deleting without it also deletes those of processes that were killed.
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

    private func write(_ credentials: GitHub.Credentials) throws(Failure) {
        guard let data = try? CredentialsRecord(credentials, for: server).encoded() else { throw Failure(.other) }
        // Another process may add the item, or delete it, between two calls.
        for _ in 0..<Self.attempts {
            guard try !check(keychain.update(item, data), allowing: .itemNotFound) else { return }
            guard try !check(keychain.add(item, data), allowing: .duplicateItem) else { return }
        }
        throw Failure(.duplicateItem)
    }

    private static var attempts: Int { 10 }

    /// Returns whether a call succeeded, and throws when its status is not the one allowed.
    @discardableResult
    private func check(_ status: KeychainStatus, allowing other: KeychainStatus? = nil) throws(Failure) -> Bool {
        guard status == .success || status == other else { throw Failure(status) }
        return status == .success
    }
}
