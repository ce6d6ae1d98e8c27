@_spi(Services) import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

#if canImport(Security)
import Security
#endif

@Suite(.bounded)
struct `The Keychain store` {
    private let keychain = KeychainModel()
    private let folder = TemporaryFolder()

    private func store(accessGroup: String? = nil) -> KeychainTokenStore {
        KeychainTokenStore(
            name: .gitHub,
            accessGroup: accessGroup,
            fileStore: FileTokenStore(folder: folder.url, name: .gitHub),
            keychain: keychain
        )
    }

    private func failure(_ reason: StorageFailure.Reason, _ status: KeychainStatus? = nil) -> BrowseError {
        let code = status.map { Int($0.rawValue) }
        return .storageFailed(
            StorageFailure(reason: reason, file: "BrowseKit GitHub https://api.github.com", code: code)
        )
    }

    private func interfere(_ body: @escaping @Sendable (KeychainModel.Call, inout KeychainModel.State) -> Void) {
        keychain.state.withLock { $0.interference = body }
    }

    @Test(arguments: [true, false])
    func `throws locked before the first unlock, instead of returning nil`(hidesItems: Bool) async throws {
        let store = store()
        try await store.save(credentials("mine"))
        keychain.state.withLock { state in
            state.isLocked = true
            state.hidesItemsWhileLocked = hidesItems
        }
        let locked = failure(.locked, .interactionNotAllowed)
        await #expect(throws: locked) { try await store.load() }
        await #expect(throws: locked) {
            try await store.update { _ in
                Issue.record("Nothing can be decided about credentials that can't be read.")
                return .delete
            }
        }
        await #expect(throws: locked) { try await store.save(credentials("other")) }
        await #expect(throws: locked) { try await store.delete() }
        keychain.isLocked = false
        #expect(try await store.load() == credentials("mine"))
    }

    @Test func `finds a session if the device is unlocked between two calls`() async throws {
        try await store().save(credentials("mine"))
        keychain.state.withLock { state in
            state.isLocked = true
            state.hidesItemsWhileLocked = true
        }
        interfere { call, state in if call == .add { state.isLocked = false } }
        #expect(try await store().load() == credentials("mine"))
    }

    @Test func `removes its probes, and those of killed processes`() async throws {
        // The process was killed between adding and deleting.
        interfere { call, state in if call == .delete { state.failure = .notAvailable } }
        _ = try? await store().load()
        #expect(keychain.items.count == 1)
        keychain.state.withLock { state in
            state.failure = nil
            state.interference = nil
        }
        #expect(try await store().load() == nil)
        #expect(keychain.items.isEmpty)
    }

    @Test func `doesn't affect another process that signs in during a probe`() async throws {
        let record = try CredentialsCoder(name: .gitHub).encode(credentials("other"))
        for call in [KeychainModel.Call.add, .delete] {
            interfere { now, state in
                guard now == call else { return }
                state.items[KeychainItem(service: "BrowseKit GitHub https://api.github.com", account: "session")] =
                    record
            }
            #expect(try await store().load() == credentials("other"))
            #expect(keychain.items.count == 1)
            keychain.state.withLock { $0.items = [:] }
        }
    }

    @Test func `updates the item if another process adds it first`() async throws {
        let item = KeychainItem(service: "BrowseKit GitHub https://api.github.com", account: "session")
        let updates = Mutex(0)
        interfere { call, state in
            switch call {
            case .update: updates.withLock { $0 += 1 }
            // Between the update, which found no item, and the add.
            case .add where updates.withLock({ $0 }) == 1: state.items[item] = Data("other".utf8)
            case .read, .add, .delete: break
            }
        }
        try await store().save(credentials("mine"))
        #expect(updates.withLock { $0 } == 2)
        #expect(try await store().load() == credentials("mine"))
    }

    @Test func `uses the fallback file without an entitlement`() async throws {
        keychain.state.withLock { $0.isEntitled = false }
        let store = store()
        #expect(try await store.load() == nil)
        try await store.save(credentials("mine"))
        #expect(folder.names.contains("session-a230eac5ba3ffc4243f5b445ff2105ea.json"))
        #expect(keychain.items.isEmpty)
        #expect(try await store.load() == credentials("mine"))
        try await store.delete()
        #expect(try await store.load() == nil)
    }

    @Test func `doesn't use the fallback file otherwise`() async throws {
        let refused = failure(.notWritable, .missingEntitlement)
        // App extensions couldn't access the file.
        let shared = store(accessGroup: "TEAM.shared")
        await #expect(throws: refused) { try await shared.save(credentials("mine")) }
        await #expect(throws: refused) { try await shared.load() }

        keychain.state.withLock { $0.isLocked = true }
        await #expect(throws: failure(.locked, .interactionNotAllowed)) {
            try await store().save(credentials("mine"))
        }
        #expect(folder.names == ["session-a230eac5ba3ffc4243f5b445ff2105ea.json-lock"])
    }

    @Test func `shares a session in an access group`() async throws {
        keychain.state.withLock { $0.accessGroups = ["TEAM.shared", "TEAM.other"] }
        try await store(accessGroup: "TEAM.shared").save(credentials("mine"))
        #expect(keychain.items.keys.map(\.accessGroup) == ["TEAM.shared"])
        #expect(try await store(accessGroup: "TEAM.shared").load() == credentials("mine"))
        #expect(try await store(accessGroup: "TEAM.other").load() == nil)
        try await store(accessGroup: "TEAM.shared").delete()
        #expect(keychain.items.isEmpty)
    }

    @Test(arguments: ["", "{", "null", #"{"version":1}"#])
    func `throws damaged for invalid contents, and replaces them at the next sign-in`(text: String) async throws {
        try await store().save(credentials("old"))
        keychain.state.withLock { state in
            for item in state.items.keys { state.items[item] = Data(text.utf8) }
        }
        await #expect(throws: failure(.damaged)) { try await store().load() }
        try await store().save(credentials("new"))
        #expect(try await store().load() == credentials("new"))
    }

    @Test(arguments: [
        (KeychainStatus.interactionNotAllowed, StorageFailure.Reason.locked), (.notAvailable, .locked),
        (.decode, .damaged), (.missingEntitlement, .notWritable), (.readOnly, .notWritable),
        // sequelpro/sequelpro#2948, balance-io/balance-open#378: a refusal that a restart ends.
        (KeychainStatus(rawValue: -25293), .other), (KeychainStatus(rawValue: -50), .other),
    ])
    func `maps each status to a reason`(status: KeychainStatus, reason: StorageFailure.Reason) async throws {
        // With an access group, the file isn't used.
        keychain.state.withLock { ($0.failure, $0.accessGroups) = (status, ["TEAM.shared"]) }
        let store = store(accessGroup: "TEAM.shared")
        await #expect(throws: failure(reason, status)) { try await store.load() }
        await #expect(throws: failure(reason, status)) { try await store.save(credentials("mine")) }
    }

    @Test func `loses no concurrent change by another store in this process`() async throws {
        try await store().save(credentials("0"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let store = store()
                    for _ in 0..<250 {
                        try await store.update { stored in
                            guard let count = (try? stored.get()).flatMap({ Int($0.token.text) }),
                                let token = try? Secret("\(count + 1)")
                            else { return .keep }
                            return .store(Credentials(token: token))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store().load()?.token == Secret("2000"))
    }

    /// Random sequences of calls, restarts, unlocks, and calls by another process.
    @Test(arguments: 0..<20) func `behaves like a variable that can't be read while locked`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var stored: Credentials?
        for step in 0..<400 {
            let isLocked = keychain.isLocked
            let store = store()
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                let loaded = await Result.of { () throws(BrowseError) in try await store.load() }
                #expect(loaded == (isLocked ? .failure(failure(.locked, .interactionNotAllowed)) : .success(stored)))
            case 3, 4:
                let new = try credentials("token-\(step)")
                let saved = await Result.of { () throws(BrowseError) in try await store.save(new) }
                if case .success = saved { stored = new }
                #expect((try? saved.get()) != nil || isLocked)
            case 5:
                let deleted = await Result.of { () throws(BrowseError) in try await store.delete() }
                if case .success = deleted { stored = nil }
                #expect((try? deleted.get()) != nil || isLocked)
            case 6:
                let hides = Bool.random(using: &random)
                keychain.state.withLock { state in
                    state.isLocked = true
                    state.hidesItemsWhileLocked = hides
                }
            default: keychain.isLocked = false
            }
        }
        keychain.isLocked = false
        #expect(try await store().load() == stored)
        #expect(keychain.items.count == (stored == nil ? 0 : 1))
    }

    #if canImport(Security)
    @Test func `has the values of the system's result codes`() {
        #expect(KeychainStatus.success.rawValue == errSecSuccess)
        #expect(KeychainStatus.notAvailable.rawValue == errSecNotAvailable)
        #expect(KeychainStatus.readOnly.rawValue == errSecReadOnly)
        #expect(KeychainStatus.duplicateItem.rawValue == errSecDuplicateItem)
        #expect(KeychainStatus.itemNotFound.rawValue == errSecItemNotFound)
        #expect(KeychainStatus.interactionNotAllowed.rawValue == errSecInteractionNotAllowed)
        #expect(KeychainStatus.decode.rawValue == errSecDecode)
        #expect(KeychainStatus.missingEntitlement.rawValue == errSecMissingEntitlement)
    }
    #endif
}
