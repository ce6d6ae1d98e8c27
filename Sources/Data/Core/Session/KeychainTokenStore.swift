package import BrowseDomain
import Foundation

/// A token store in the data protection keychain; it can be created on Apple platforms only.
///
/// Credentials are readable after the device's first unlock, and are neither synchronized nor
/// restored to another device. Before the first unlock, methods throw `BrowseError.storageFailed`
/// with the reason `.locked`, even if the Keychain reports that there's no item.
///
/// Keychain updates aren't atomic. Processes that share a lock folder exclude each other; other
/// processes can write between a read and a write, and the last write wins.
package struct KeychainTokenStore: TokenStore {
    private let item: KeychainItem
    /// The store of a process without an entitlement.
    private let fileStore: FileTokenStore
    private let keychain: any Keychain

    private var coder: CredentialsCoder { fileStore.coder }
    /// The file whose locks are used; it's created by the fallback only.
    private var file: StorageFile { fileStore.file }
    private var queue: QueueExecutor { fileStore.queue }
    /// Not with an access group, whose extensions wouldn't find the credentials.
    private var fallback: FileTokenStore? { item.accessGroup == nil ? fileStore : nil }

    init(name: SessionName, accessGroup: String?, fileStore: FileTokenStore, keychain: any Keychain) {
        item = KeychainItem(service: "BrowseKit " + name.text, account: "session", accessGroup: accessGroup)
        self.fileStore = fileStore
        self.keychain = keychain
    }

    @concurrent
    package func load() async throws(BrowseError) -> Credentials? {
        do throws(BrowseError) {
            return try await file.queued(on: queue) { try credentials() }
        } catch {
            guard case .storageFailed(let failure) = error, failure.isUnentitled, let fallback else { throw error }
            return try await fallback.load()
        }
    }

    @concurrent
    package func update(_ change: @escaping TokenUpdate) async throws(BrowseError) {
        let access = { @Sendable in Result { () throws(StorageFailure) in try apply(change) } }
        let result: Result<Void, StorageFailure>
        do throws(BrowseError) {
            let wait = FileTokenStore.longestWait
            result = try await file.privatelyLocked(waitingAtMost: wait, on: ContinuousClock(), queue, access)
        } catch {
            guard case .storageFailed(let failure) = error, failure.reason != .busy else { throw error }
            // Runs without the lock if it can't be created: signing out must be possible on a full
            // disk.
            result = try await file.queued(on: queue, isChange: true, access)
        }
        guard case .failure(let failure) = result else { return }
        guard failure.isUnentitled, let fallback else { throw .storageFailed(failure) }
        try await fallback.update(change)
    }

    @concurrent
    package func refreshLock() async throws(BrowseError) -> RefreshLock? {
        try await file.queued(on: queue) { try RefreshLock.ofFile(file, during: .system, on: queue) }
    }

    private func apply(_ change: (Result<Credentials?, BrowseError>) -> TokenChange) throws(StorageFailure) {
        let stored = Result { () throws(StorageFailure) in try credentials() }
        if case .failure(let failure) = stored, failure.reason == .locked || failure.isUnentitled { throw failure }
        switch change(stored.mapError(BrowseError.storageFailed)) {
        case .keep: break
        case .store(let credentials): try write(credentials)
        case .delete: try check(keychain.delete(item), allowing: .itemNotFound)
        }
    }

    private func failure(_ status: KeychainStatus) -> StorageFailure {
        let reason: StorageFailure.Reason =
            switch status {
            case .interactionNotAllowed, .notAvailable: .locked
            case .decode: .damaged
            case .duplicateItem: .busy
            case .missingEntitlement, .readOnly: .notWritable
            default: .other
            }
        return StorageFailure(reason: reason, file: item.service, code: Int(status.rawValue))
    }

    private func failure(_ reason: StorageFailure.Reason) -> StorageFailure {
        StorageFailure(reason: reason, file: item.service)
    }

    private func credentials() throws(StorageFailure) -> Credentials? {
        guard let data = try data() else { return nil }
        return try Result { () throws(StorageFailure.Reason) in try coder.decode(data) }.mapError(failure).get()
    }

    /// Returns the item's data; `nil` only if the Keychain is unlocked and has no item.
    private func data() throws(StorageFailure) -> Data? {
        if let data = try read() { return data }
        // A locked Keychain can report that there's no item, but it rejects additions. Read again
        // after the probe, because it may have been unlocked since the first read.
        try probe()
        return try read()
    }

    private func read() throws(StorageFailure) -> Data? {
        let (status, data) = keychain.read(item)
        guard try check(status, allowing: .itemNotFound) else { return nil }
        guard let data else { throw failure(.decode) }
        return data
    }

    /// Checks that the Keychain is unlocked by adding and deleting an item.
    ///
    /// The item differs from the credentials' item, which another process could update before it's
    /// deleted. Its account is unique, so that concurrent probes don't conflict; deleting without
    /// the account also removes leftover probes.
    private func probe() throws(StorageFailure) {
        var probe = item
        probe.service += " probe"
        probe.account = UUID().uuidString
        try check(keychain.add(probe, Data()))
        probe.account = nil
        _ = keychain.delete(probe)
    }

    private func write(_ credentials: Credentials) throws(StorageFailure) {
        let encoded = Result { () throws(StorageFailure.Reason) in try coder.encode(credentials) }
        let data = try encoded.mapError(failure).get()
        // Another process may add or delete the item between two calls.
        for _ in 0..<10 {
            guard try !check(keychain.update(item, data), allowing: .itemNotFound) else { return }
            guard try !check(keychain.add(item, data), allowing: .duplicateItem) else { return }
        }
        throw failure(.duplicateItem)
    }

    /// Returns whether a call succeeded; throws for other statuses than the allowed one.
    @discardableResult
    private func check(_ status: KeychainStatus, allowing other: KeychainStatus? = nil) throws(StorageFailure) -> Bool {
        guard status == .success || status == other else { throw failure(status) }
        return status == .success
    }
}

extension StorageFailure {
    fileprivate var isUnentitled: Bool { code == Int(KeychainStatus.missingEntitlement.rawValue) }
}
