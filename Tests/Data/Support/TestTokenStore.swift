import BrowseData
import BrowseDomain
import BrowseMocks
import Synchronization

/// A token store in memory whose operations can fail, wait, or meet changes by another process.
@dynamicMemberLookup
final class TestTokenStore: TokenStore {
    struct State: Sendable {
        var stored: Credentials?
        /// The error of all reads, also of those by updates.
        var readFailure: BrowseError?
        /// The error of all updates.
        var updateFailure: BrowseError?
        /// The error of updates that store credentials.
        var writeFailure: BrowseError?
        /// Whether reads wait for a response to ``held``, after they have read the credentials.
        var holdsReads = false
        /// Whether updates wait for a response to ``held``.
        var holdsUpdates = false
        /// Whether updates are reported in ``changes``.
        var reportsChanges = false
        /// Runs after each read and before each update.
        var delay: (@Sendable () async -> Void)?
        /// Runs before each update.
        var beforeUpdate: (@Sendable () async -> Void)?
        /// A change elsewhere between the first attempt of the next update and its commit.
        var beforeCommit: (@Sendable (inout State) -> Void)?

        /// Whether a remote store responds.
        var isAvailable: Bool {
            get { updateFailure == nil }
            set {
                readFailure = newValue ? nil : TestTokenStore.failure(.unavailable)
                updateFailure = readFailure
            }
        }
    }

    static func failure(_ reason: StorageFailure.Reason) -> BrowseError {
        .storageFailed(StorageFailure(reason: reason, file: "x"))
    }

    /// The reads and updates that wait.
    let held = ControlledResponses<Int, Void>()
    private let state: Mutex<State>
    private let locking = InMemoryTokenStore()
    private let broadcast = Broadcast<Void>()

    init(_ credentials: Credentials? = nil) {
        state = Mutex(State(stored: credentials))
    }

    subscript<Value: Sendable>(dynamicMember member: any WritableKeyPath<State, Value> & Sendable) -> Value {
        get { state.withLock { $0[keyPath: member] } }
        set { state.withLock { $0[keyPath: member] = newValue } }
    }

    /// Continues all operations that wait, also those that are about to.
    func release() {
        state.withLock { ($0.holdsReads, $0.holdsUpdates) = (false, false) }
        for number in 0..<99 { held.answer(number, with: .success(())) }
    }

    var changes: AsyncStream<Void> { broadcast.stream() }

    func report() { broadcast.send(()) }

    func load() async throws(BrowseError) -> Credentials? {
        let state = state.withLock(\.self)
        if let failure = state.readFailure { throw failure }
        if state.holdsReads { try await held.response(to: 0) }
        await state.delay?()
        return state.stored
    }

    func update(_ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange) async throws(BrowseError) {
        if self.holdsUpdates { try await held.response(to: 0) }
        await self.delay?()
        await self.beforeUpdate?()
        var isDone = false
        while !isDone {
            let before = state.withLock(\.self)
            if let failure = before.updateFailure { throw failure }
            let decision = change(before.readFailure.map { .failure($0) } ?? .success(before.stored))
            if case .store = decision, let failure = before.writeFailure { throw failure }
            isDone = state.withLock { state in
                if let change = state.beforeCommit {
                    state.beforeCommit = nil
                    change(&state)
                }
                guard state.stored == before.stored, (state.readFailure == nil) == (before.readFailure == nil) else {
                    return false
                }
                switch decision {
                case .keep: break
                case .store(let new): state.stored = new
                case .delete: state.stored = nil
                }
                return true
            }
        }
        if self.reportsChanges { report() }
    }

    func refreshLock() async throws(BrowseError) -> RefreshLock? { try await locking.refreshLock() }
}
