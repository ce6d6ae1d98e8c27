public import Foundation
import Synchronization

extension GitHub {
    /// The starred repositories of the signed-in user, shared by all lists.
    ///
    /// A change is shown at once and written in the background: one repository at a time, at least a second apart as GitHub
    /// asks, and only if it differs from the server's value. If the write fails, the change is undone. Of several changes to
    /// one repository, the last counts, and responses to older requests don't override it.
    ///
    /// Use it from any context; reading and ``setStarred(_:for:)`` don't block. The ``SessionManager`` owns it.
    ///
    /// Source of the pause: GitHub's "Best practices for using the REST API", "Pause between mutative requests".
    public final class StarStore: Sendable {
        /// The pause after each write.
        package static var pause: Duration { .seconds(1) }

        /// The maximum number of reads of a starred list that keeps changing; the last one is used.
        static let readLimit = 4

        /// The interval, in event numbers, in which something was read from the server.
        package struct ReadInterval: Hashable, Sendable {
            package let start: Int
            package let end: Int

            /// Before all events.
            package static let earliest: ReadInterval = ReadInterval(start: 0, end: 0)
        }

        /// The immediate result of setting a star.
        public enum SetStarredResult: Sendable {
            /// The change is shown; the outcome of the write follows.
            case accepted(StarWrite)
            /// No user is signed in. The star is set after the next sign-in, unless ``discardPendingStars()`` is called first.
            case signInRequired
        }

        private struct State {
            var history = StarHistory()
            /// Whether a user is signed in.
            var isActive = false
            /// Whether the starred list has loaded or failed; until then, a write's effect on counts is unknown.
            var canWrite = false
            var failure: BrowseError?
            /// The numbers of sign-outs and loads; tasks compare them to find out that they are outdated.
            var session = 0
            var load = 0
            var writer: Task<Void, Never>?
            /// The pause after the last write, even of an earlier session.
            var pause: Task<Void, Never>?
            var starWrites: [Repo.ID: [StarWrite]] = [:]
            /// The stars set while no user was signed in.
            var pending: [(repo: Repo, interval: ReadInterval)] = []

            /// Removes the intents that match the server's value, and returns their writes.
            mutating func removeRedundantIntents() -> [StarWrite] {
                history.removeRedundantIntents().flatMap { starWrites.removeValue(forKey: $0) ?? [] }
            }
        }

        private let state = Mutex(State())
        private let broadcast = Broadcast<StarChange>()
        private let repository: any StarRepository
        private let repos: any RepoRepository
        private let now: @Sendable () -> Date
        private let clock: any Clock<Duration>

        /// Creates an empty store.
        ///
        /// - Parameters:
        ///   - repository: Reads and writes the stars.
        ///   - repos: Reloads code repositories whose star counts are outdated.
        ///   - now: Returns the current time, which is compared with the dates of cached pages.
        ///   - clock: Measures the pause between writes.
        public init(
            repository: any StarRepository,
            repos: any RepoRepository,
            now: @escaping @Sendable () -> Date = { Date() },
            clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.repository = repository
            self.repos = repos
            self.now = now
            self.clock = clock
        }

        /// The changes from now on; the stream ends when the store is deallocated.
        package var changes: AsyncStream<StarChange> { broadcast.stream() }

        /// The error of the last load; `nil` if it succeeded or is in progress.
        public var failure: BrowseError? { state.withLock { $0.failure } }

        /// Whether the last read of the starred list failed, or the outcome of a write is unknown.
        package var needsReload: Bool { state.withLock { $0.failure != nil || $0.history.hasUnknownWrites } }

        /// The number of repositories with changes that aren't written yet.
        public var unsentCount: Int { state.withLock { $0.history.intentCount } }

        /// Returns whether a repository is shown as starred; `false` if no user is signed in.
        public func isStarred(_ id: Repo.ID) -> Bool { state.withLock { $0.history.isStarred(id) } }

        /// Inverts the star that a row shows, and waits for the outcome of the write.
        ///
        /// - Parameters:
        ///   - repo: The repository to star or unstar.
        ///   - isStarred: Whether the row shows the star as set.
        /// - Returns: `false` if no user is signed in.
        /// - Throws: ``BrowseError``: the reason why the write failed, or why its outcome is unknown (the change is still shown
        ///   then); `.cancelled` if the session ended or the caller was canceled.
        @discardableResult
        public func toggle(_ repo: Repo, shownAs isStarred: Bool) async throws(BrowseError) -> Bool {
            guard case .accepted(let write) = setStarred(!isStarred, for: repo) else { return false }
            switch await write.result {
            case .stored: return true
            case .undone(let error), .unconfirmed(let error): throw error
            case .cancelled: throw .cancelled
            }
        }
    }

    /// A change of stars or star counts.
    package enum StarChange: Hashable, Sendable {
        /// The stars or counts of these repositories may have changed.
        case repos(Set<Repo.ID>)
        /// The stars and counts of all repositories may have changed.
        case all
        /// GitHub has added a star.
        case added(Addition)

        /// A repository that was starred.
        package struct Addition: Hashable, Sendable {
            /// The code repository, with the star count that was read with it.
            package let repo: Repo
            package let interval: StarStore.ReadInterval
        }
    }
}

extension GitHub.StarStore {
    /// A write that is pending, in flight, or finished.
    public struct StarWrite: Sendable {
        /// The outcome of a write.
        public enum Outcome: Hashable, Sendable {
            /// GitHub has the user's latest value.
            case stored
            /// The write failed, and the star is shown as before.
            case undone(BrowseError)
            /// No response arrived, and the query of GitHub's value failed too; the change is still shown.
            case unconfirmed(BrowseError)
            /// The session ended first, or the waiting task was canceled.
            case cancelled
        }

        private let outcomes: AsyncStream<Outcome>
        fileprivate let continuation: AsyncStream<Outcome>.Continuation

        fileprivate init() {
            (outcomes, continuation) = AsyncStream.makeStream()
        }

        /// The outcome; `.cancelled` if it was awaited before.
        public var result: Outcome {
            get async {
                for await outcome in outcomes { return outcome }
                return .cancelled
            }
        }
    }

    /// Stars or unstars a repository; the change is shown before this returns.
    public func setStarred(_ isStarred: Bool, for repo: GitHub.Repo) -> SetStarredResult {
        setStarred(isStarred, for: repo, readDuring: .earliest)
    }

    /// Stars or unstars a repository whose count was read in an interval.
    package func setStarred(_ isStarred: Bool, for repo: GitHub.Repo, readDuring interval: ReadInterval)
        -> SetStarredResult
    {
        let result = state.withLock { state -> SetStarredResult in
            guard state.isActive else {
                state.pending.removeAll { $0.repo.id == repo.id }
                if isStarred { state.pending.append((repo, interval)) }
                return .signInRequired
            }
            let write = StarWrite()
            state.starWrites[repo.id, default: []].append(write)
            state.history.setStarred(isStarred, for: repo, readDuring: interval)
            return .accepted(write)
        }
        if case .accepted = result {
            broadcast.send(.repos([repo.id]))
            write()
        }
        return result
    }

    /// Discards the stars that were set while no user was signed in.
    public func discardPendingStars() {
        state.withLock { $0.pending = [] }
    }

    /// Starts a session. Changes are shown from now on, and written once the starred list is loaded.
    func activate() {
        state.withLock { state in
            guard !state.isActive else { return }
            state.isActive = true
            for intent in state.pending {
                state.history.setStarred(true, for: intent.repo, readDuring: intent.interval)
            }
            state.pending = []
        }
        broadcast.send(.all)
    }

    /// Loads the starred list; ``failure`` is the error if that fails.
    ///
    /// A complete read replaces the server's values, so a star removed elsewhere is unset. Intents remain, and so do writes
    /// since the read began.
    func load() async {
        let load = state.withLock { state in
            state.failure = nil
            state.load += 1
            return state.load
        }
        var failure: BrowseError?
        do throws(BrowseError) { try await readList(in: load) } catch { failure = error }
        state.withLock { state in
            guard state.load == load, state.isActive else { return }
            state.failure = failure
            state.canWrite = true
        }
        write()
    }

    /// Reads the starred list until it is consistent.
    ///
    /// When a star is removed during the read, later pages move up, and the read misses a row. So a list of several pages is
    /// read until it equals the previous read or the known values.
    private func readList(in load: Int) async throws(BrowseError) {
        var known = state.withLock { $0.history.starredOnServer }
        for attempt in 1...Self.readLimit {
            let start = beginRead()
            var (ids, pageCount) = (Set<GitHub.Repo.ID>(), 0)
            try await repository.starred { page throws(BrowseError) in
                ids.formUnion(page.items)
                pageCount += 1
                try addStarred(page.items, in: load)
            }
            if pageCount <= 1 || ids == known || attempt == Self.readLimit {
                return try replaceList(with: ids, readDuring: endRead(from: start), in: load)
            }
            known = ids
        }
    }

    /// Shows the stars of a page before the list is complete.
    private func addStarred(_ ids: [GitHub.Repo.ID], in load: Int) throws(BrowseError) {
        try change(in: load) { history in
            history.addStarred(ids)
            return Set(ids)
        }
    }

    private func replaceList(with ids: Set<GitHub.Repo.ID>, readDuring interval: ReadInterval, in load: Int)
        throws(BrowseError)
    {
        try change(in: load) { $0.replace(with: ids, readDuring: interval) }
    }

    /// Changes the history and notifies listeners.
    ///
    /// - Throws: `.cancelled` if the session has ended or another load has begun.
    private func change(
        in load: Int,
        _ body: (inout StarHistory) -> Set<GitHub.Repo.ID>
    ) throws(BrowseError) {
        let changed = state.withLock { state -> Set<GitHub.Repo.ID>? in
            state.load == load && state.isActive ? body(&state.history) : nil
        }
        guard let changed else { throw .cancelled }
        if !changed.isEmpty { broadcast.send(.repos(changed)) }
    }

    /// Ends the session: discards the stars and cancels the write in flight.
    func end() {
        let (writer, starWrites) = state.withLock { state in
            let ended = (state.writer, state.starWrites)
            state.isActive = false
            state.canWrite = false
            state.failure = nil
            state.session += 1
            state.load += 1
            state.writer = nil
            state.starWrites = [:]
            // Stars set before signing in aren't the next user's.
            state.pending = []
            state.history.endSession()
            return ended
        }
        writer?.cancel()
        for write in starWrites.values.joined() { write.continuation.finish() }
        broadcast.send(.all)
    }
}

extension GitHub.StarStore {
    /// Starts writing pending changes, unless that is in progress.
    private func write() {
        let redundant = state.withLock { state -> [StarWrite] in
            guard state.canWrite else { return [] }
            let redundant = state.removeRedundantIntents()
            guard state.writer == nil, state.history.intentCount > 0 else { return redundant }
            let session = state.session
            state.writer = Task { await write(in: session) }
            return redundant
        }
        for write in redundant { write.finish(with: .stored) }
    }

    /// Waits until no write is in flight or pending; for tests.
    package func waitForWrites() async {
        while let writer = state.withLock({ $0.writer }) { await writer.value }
    }

    private func write(in session: Int) async {
        while true {
            // Not canceled with the session: GitHub's limit applies to the next session's writes too.
            await state.withLock { $0.pause }?.value
            guard let intent = nextIntent(in: session) else { return }
            guard finish(intent, with: await send(intent), in: session) else { return }
        }
    }

    /// Sends a write; if its outcome is unknown, queries GitHub's value.
    private func send(_ intent: StarHistory.Intent) async -> StarWrite.Outcome {
        do throws(BrowseError) {
            try await repository.set(intent.isStarred, for: intent.repo)
            return .stored
        } catch {
            guard error.leavesOutcomeUnknown else { return .undone(error) }
            do throws(BrowseError) {
                return try await repository.isStarred(intent.repo) == intent.isStarred ? .stored : .undone(error)
            } catch .cancelled {
                return .cancelled
            } catch _ {
                return .unconfirmed(error)
            }
        }
    }

    /// Begins the next write; if there is none, clears the writer and returns `nil`.
    private func nextIntent(in session: Int) -> StarHistory.Intent? {
        let (intent, redundant) = state.withLock { state -> (StarHistory.Intent?, [StarWrite]) in
            guard state.session == session else { return (nil, []) }
            let redundant = state.removeRedundantIntents()
            let intent = state.history.beginWrite()
            if intent == nil { state.writer = nil }
            return (intent, redundant)
        }
        for write in redundant { write.finish(with: .stored) }
        return intent
    }

    /// Ends a write; returns `false` if the session has ended.
    private func finish(_ intent: StarHistory.Intent, with outcome: StarWrite.Outcome, in session: Int) -> Bool {
        let id = intent.repo.id
        let date = now()
        let finished = state.withLock { state -> (StarHistory.WriteResult, [StarWrite])? in
            state.pause = Task { [clock] in try? await clock.sleep(for: Self.pause) }
            guard state.session == session else {
                state.history.endPastWrite(intent, succeededAt: outcome == .stored ? date : nil)
                return nil
            }
            let result =
                if case .unconfirmed = outcome {
                    state.history.endUnknownWrite(intent, at: date)
                } else {
                    state.history.endWrite(intent, succeededAt: outcome == .stored ? date : nil)
                }
            return (result, result == .superseded ? [] : state.starWrites.removeValue(forKey: id) ?? [])
        }
        if case .undone(let error) = outcome, case .rateLimited = error { undoUnsentChanges(after: error, in: session) }
        broadcast.send(.repos([id]))
        guard let (result, writes) = finished else { return false }
        for write in writes { write.finish(with: result == .completed ? .stored : outcome) }
        if outcome == .stored, intent.isStarred {
            broadcast.send(.added(.init(repo: intent.repo, interval: intent.interval)))
        }
        return true
    }
}

extension GitHub.StarStore {
    /// Undoes all unsent changes, since GitHub would refuse them too.
    private func undoUnsentChanges(after failure: BrowseError, in session: Int) {
        let (ids, writes) = state.withLock { state -> (Set<GitHub.Repo.ID>, [StarWrite]) in
            guard state.session == session else { return ([], []) }
            let ids = state.history.discardUnsentIntents()
            return (ids, ids.flatMap { state.starWrites.removeValue(forKey: $0) ?? [] })
        }
        if !ids.isEmpty { broadcast.send(.repos(ids)) }
        for write in writes { write.finish(with: .undone(failure)) }
    }
}

extension GitHub.StarStore.StarWrite {
    fileprivate func finish(with outcome: Outcome) {
        continuation.yield(outcome)
        continuation.finish()
    }
}

extension BrowseError {
    /// Whether the server may have applied a write that failed in this way.
    fileprivate var leavesOutcomeUnknown: Bool {
        switch self {
        case .timedOut, .unusableResponse: true
        // Gateway Timeout: the server behind the gateway may have received the request.
        case .serverFailure(let info): info.status == 504
        case .unreachable(let reason, _):
            switch reason {
            case .connectionLost, .other: true
            case .offline, .hostNotFound, .connectionRefused, .notSecure, .notCached: false
            }
        case .cancelled, .rateLimited, .unauthorized, .forbidden, .notFound, .rejected, .refused, .storageFailed,
            .signInFailed:
            false
        }
    }
}

extension GitHub.StarStore {
    /// Begins a read of star counts; pass the result to ``endRead(from:)``.
    package func beginRead() -> Int {
        state.withLock { $0.history.nextEventNumber() }
    }

    /// Ends a read of star counts.
    package func endRead(from start: Int) -> ReadInterval {
        state.withLock { ReadInterval(start: start, end: $0.history.nextEventNumber()) }
    }

    /// Returns the interval of a cached read that the server sent or confirmed at a date.
    package func readInterval(cachedSince date: Date) -> ReadInterval {
        state.withLock { $0.history.readInterval(cachedSince: date) }
    }

    /// Returns the star and the count to show for a repository.
    package func starState(of repo: GitHub.Repo, readDuring interval: ReadInterval) -> (
        isStarred: Bool, starCount: Int?
    ) {
        state.withLock { state in
            (state.history.isStarred(repo.id), state.history.starCount(of: repo, readDuring: interval))
        }
    }

    /// Records the repositories on a page of the starred list, including those starred on other devices.
    ///
    /// Pages from an earlier session are ignored.
    package func recordStarred(_ ids: some Sequence<GitHub.Repo.ID>, readDuring interval: ReadInterval) {
        let changed = state.withLock { state -> Set<GitHub.Repo.ID> in
            guard state.isActive, state.history.isFromCurrentSession(interval) else { return [] }
            return state.history.addStarred(ids, readDuring: interval)
        }
        if !changed.isEmpty { broadcast.send(.repos(changed)) }
    }

    /// The accuracy of a row's star count.
    package enum CountAccuracy: Sendable {
        /// The row was read before or after every write.
        case exact
        /// The row may or may not include a write that is in flight.
        case writeInFlight
        /// The row may or may not include a finished write, so it must be reloaded.
        case outdated
    }

    /// Returns the accuracy of a row's star count.
    package func countAccuracy(of id: GitHub.Repo.ID, readDuring interval: ReadInterval) -> CountAccuracy {
        state.withLock { state in
            guard state.history.isCountUncertain(of: id, readDuring: interval) else { return .exact }
            return state.history.isWriteInFlight(for: id) ? .writeInFlight : .outdated
        }
    }

    /// Reads a code repository again; returns `nil` if that fails.
    package func reload(_ repo: GitHub.Repo) async -> (GitHub.Repo, ReadInterval)? {
        let parts = repo.fullName.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        let start = beginRead()
        guard let newer = try? await repos.repo(named: parts[1], of: GitHub.Login(parts[0])), newer.id == repo.id else {
            return nil
        }
        return (newer, endRead(from: start))
    }
}
