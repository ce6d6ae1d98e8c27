public import Foundation
import Synchronization

extension GitHub {
    /// What the person has starred, for every list of code repositories: one for an app.
    ///
    /// A tap shows at once, everywhere. GitHub is told in the background: one repository after the other, with a pause of a
    /// second in between as GitHub asks for, and only what is different from what it has. When it refuses, the tap is undone.
    /// Of several taps the last one counts, and no page that was on its way shows over it.
    ///
    /// It may be used from any actor; reading and ``setStarred(_:for:)`` never wait. The ``SessionManager`` tells it whose stars
    /// these are.
    ///
    /// Source of the pause: GitHub's "Best practices for using the REST API", "Pause between mutative requests".
    public final class StarStore: Sendable {
        /// How long nothing is written after a write.
        public static var pause: Duration { .seconds(1) }

        /// The number of reads of the starred list after which the last one is taken even if it differs from the one before.
        static let readLimit = 4

        /// Between which two moments something was read from the server.
        package struct ReadInterval: Hashable, Sendable {
            package let start: Int
            package let end: Int

            /// Before everything.
            package static let earliest: ReadInterval = ReadInterval(start: 0, end: 0)
        }

        /// What came of asking.
        public enum SetStarredResult: Sendable {
            /// It shows; what becomes of it comes later.
            case accepted(StarWrite)
            /// Nobody is signed in; it is done for whoever signs in next, unless ``discardPendingStars()`` comes first.
            case signInRequired
        }

        private struct State {
            var history = StarHistory()
            /// Whether somebody is signed in.
            var isActive = false
            /// Whether it is known what they have starred, or that it cannot be known now: before, it would not be known
            /// what a write changes.
            var isSettled = false
            var failure: BrowseError?
            /// Counts sign-outs and loads, so that what is late notices.
            var session = 0
            var load = 0
            var writer: Task<Void, Never>?
            /// The pause after the last write, also of a session that is over.
            var pause: Task<Void, Never>?
            var waiting: [Repo.ID: [StarWrite]] = [:]
            /// What was asked for while nobody was signed in, and when it was read.
            var pending: [(repo: Repo, interval: ReadInterval)] = []

            /// Settles what GitHub need not be told; returns who waits for it.
            mutating func settleNeedless() -> [StarWrite] {
                history.settleNeedless().flatMap { waiting.removeValue(forKey: $0) ?? [] }
            }
        }

        private let state = Mutex(State())
        private let broadcast = Broadcast<StarChange>()
        private let repository: any StarRepository
        private let repos: any RepoRepository
        private let now: @Sendable () -> Date
        private let clock: any Clock<Duration>

        /// Creates the stars of nobody.
        ///
        /// - Parameters:
        ///   - repository: Where stars are.
        ///   - repos: Where a code repository is read again from, when its count of stars is in doubt.
        ///   - now: The current time, which tells whether something that was kept knows of a write.
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

        /// Every change from now on; it ends when this goes away.
        public var changes: AsyncStream<StarChange> { broadcast.stream() }

        /// Why it is not known what the person has starred; `nil` when it is, or will be.
        public var failure: BrowseError? { state.withLock { $0.failure } }

        /// Whether the starred list has to be read again: it couldn't be read, or the outcome of a write is unknown.
        package var needsReload: Bool { state.withLock { $0.failure != nil || $0.history.hasUnknownWrites } }

        /// For how many repositories GitHub has not been told yet what the person asked for.
        public var unsentCount: Int { state.withLock { $0.history.intentCount } }

        /// Whether a repository shows as starred; `false` when nobody is signed in.
        public func isStarred(_ id: Repo.ID) -> Bool { state.withLock { $0.history.isStarred(id) } }

        /// Does what a tap on a star means, and waits until it is settled.
        ///
        /// - Parameters:
        ///   - repo: What was tapped.
        ///   - isStarred: Whether its star was set; the tap means the opposite.
        /// - Returns: `false` when nobody is signed in.
        /// - Throws: ``BrowseError``: why GitHub refused, or why the outcome is unknown (the star is still shown then);
        ///   `.cancelled` when the session ended or the caller was cancelled.
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

    /// What happened to stars.
    public enum StarChange: Hashable, Sendable {
        /// The stars or counts of these repositories may be others now.
        case repos(Set<Repo.ID>)
        /// Those of all repositories may be.
        case all
        /// GitHub has taken a star.
        case added(Addition)

        /// A repository that was starred.
        public struct Addition: Hashable, Sendable {
            /// The code repository, with the count of stars that it was read with.
            public let repo: Repo
            package let interval: StarStore.ReadInterval
        }
    }
}

extension GitHub.StarStore {
    /// The pending outcome of an intent.
    public struct StarWrite: Sendable {
        /// The outcome of an intent.
        public enum Outcome: Hashable, Sendable {
            /// GitHub has it as the user last asked for.
            case stored
            /// GitHub refused; the star is shown as before.
            case undone(BrowseError)
            /// GitHub may or may not have it: no response arrived, and asking again failed too. The intent is still shown.
            case unconfirmed(BrowseError)
            /// The session ended first, or the waiting task was canceled.
            case cancelled
        }

        private let outcomes: AsyncStream<Outcome>
        fileprivate let end: AsyncStream<Outcome>.Continuation

        fileprivate init() {
            (outcomes, end) = AsyncStream.makeStream()
        }

        /// Waits for the outcome, once; `.cancelled` when it was awaited before.
        public var result: Outcome {
            get async {
                for await outcome in outcomes { return outcome }
                return .cancelled
            }
        }
    }

    /// Asks for a star, or to take it back.
    public func setStarred(_ isStarred: Bool, for repo: GitHub.Repo) -> SetStarredResult {
        setStarred(isStarred, for: repo, readDuring: .earliest)
    }

    /// Asks for a star, or to take it back, for a repository that was read some time ago.
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
            state.waiting[repo.id, default: []].append(write)
            state.history.setStarred(isStarred, for: repo, readDuring: interval)
            return .accepted(write)
        }
        if case .accepted = result {
            broadcast.send(.repos([repo.id]))
            write()
        }
        return result
    }

    /// Forgets what was asked for while nobody was signed in.
    public func discardPendingStars() {
        state.withLock { $0.pending = [] }
    }

    /// Begins for whoever is signing in: what they ask for from now on shows, and is written when it is known what they have
    /// starred.
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

    /// Loads the starred list; returns when it is known, or can't be.
    ///
    /// A complete read replaces what was known before, so that a star removed elsewhere is unset; writes and intents since
    /// the read began survive.
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
            state.isSettled = true
        }
        write()
    }

    /// Reads the starred list until it is consistent.
    ///
    /// Pages move up when a star is removed during the read, which hides as many rows. So a list of several pages is read
    /// until it equals the read before, or what was known before.
    private func readList(in load: Int) async throws(BrowseError) {
        var known = state.withLock { $0.history.stored }
        for attempt in 1...Self.readLimit {
            let start = beginRead()
            var (ids, pageCount) = (Set<GitHub.Repo.ID>(), 0)
            try await repository.starred { page throws(BrowseError) in
                ids.formUnion(page.items)
                pageCount += 1
                try take(page.items, in: load)
            }
            if pageCount <= 1 || ids == known || attempt == Self.readLimit {
                return try replaceList(with: ids, readDuring: endRead(from: start), in: load)
            }
            known = ids
        }
    }

    /// Shows the stars of a page before the list is complete.
    private func take(_ ids: [GitHub.Repo.ID], in load: Int) throws(BrowseError) {
        try change(in: load) { history in
            history.list(ids)
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
    /// - Throws: `.cancelled` when the session ended, or another load began.
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

    /// Forgets whose stars these were, and cancels what is on its way for them.
    func end() {
        let (writer, waiting) = state.withLock { state in
            let ended = (state.writer, state.waiting)
            state.isActive = false
            state.isSettled = false
            state.failure = nil
            state.session += 1
            state.load += 1
            state.writer = nil
            state.waiting = [:]
            // Also what was asked for before anybody signed in: whoever comes next did not ask for it.
            state.pending = []
            state.history.end()
            return ended
        }
        writer?.cancel()
        for write in waiting.values.joined() { write.end.finish() }
        broadcast.send(.all)
    }
}

extension GitHub.StarStore {
    /// Begins to tell GitHub what was asked for, unless that is being done.
    private func write() {
        let needless = state.withLock { state -> [StarWrite] in
            guard state.isSettled else { return [] }
            let needless = state.settleNeedless()
            guard state.writer == nil, state.history.intentCount > 0 else { return needless }
            let session = state.session
            state.writer = Task { await write(in: session) }
            return needless
        }
        for write in needless { write.settle(.stored) }
    }

    /// Waits until no write is in flight or waits for its turn; for tests.
    package func waitForWrites() async {
        while let writer = state.withLock({ $0.writer }) { await writer.value }
    }

    private func write(in session: Int) async {
        while true {
            // Not canceled with the session: GitHub asks for it, whoever writes next.
            await state.withLock { $0.pause }?.value
            guard let intent = next(in: session) else { return }
            guard take(intent, await send(intent), in: session) else { return }
        }
    }

    /// Sends a write; when its outcome is unknown, asks GitHub.
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

    /// What to tell GitHub next; `nil` when there is nothing, and then nobody writes any more.
    private func next(in session: Int) -> StarHistory.Intent? {
        let (intent, needless) = state.withLock { state -> (StarHistory.Intent?, [StarWrite]) in
            guard state.session == session else { return (nil, []) }
            let needless = state.settleNeedless()
            let intent = state.history.beginWrite()
            if intent == nil { state.writer = nil }
            return (intent, needless)
        }
        for write in needless { write.settle(.stored) }
        return intent
    }

    /// Ends a write; `false` when the session ended meanwhile.
    private func take(_ intent: StarHistory.Intent, _ outcome: StarWrite.Outcome, in session: Int) -> Bool {
        let id = intent.repo.id
        let date = now()
        let settled = state.withLock { state -> (StarHistory.Ending, [StarWrite])? in
            state.pause = Task { [clock] in try? await clock.sleep(for: Self.pause) }
            guard state.session == session else {
                state.history.endPastWrite(intent, succeededAt: outcome == .stored ? date : nil)
                return nil
            }
            let ending =
                if case .unconfirmed = outcome {
                    state.history.endUnknownWrite(intent, at: date)
                } else {
                    state.history.endWrite(intent, succeededAt: outcome == .stored ? date : nil)
                }
            return (ending, ending == .open ? [] : state.waiting.removeValue(forKey: id) ?? [])
        }
        if case .undone(let error) = outcome, case .rateLimited = error { giveUp(with: error, in: session) }
        broadcast.send(.repos([id]))
        guard let (ending, writes) = settled else { return false }
        for write in writes { write.settle(ending == .settled ? .stored : outcome) }
        if outcome == .stored, intent.isStarred {
            broadcast.send(.added(.init(repo: intent.repo, interval: intent.interval)))
        }
        return true
    }
}

extension GitHub.StarStore {
    /// Undoes all that waits to be written, since GitHub would refuse it as well.
    private func giveUp(with failure: BrowseError, in session: Int) {
        let (ids, writes) = state.withLock { state -> (Set<GitHub.Repo.ID>, [StarWrite]) in
            guard state.session == session else { return ([], []) }
            let ids = state.history.giveUp()
            return (ids, ids.flatMap { state.waiting.removeValue(forKey: $0) ?? [] })
        }
        if !ids.isEmpty { broadcast.send(.repos(ids)) }
        for write in writes { write.settle(.undone(failure)) }
    }
}

extension GitHub.StarStore.StarWrite {
    fileprivate func settle(_ outcome: Outcome) {
        end.yield(outcome)
        end.finish()
    }
}

extension BrowseError {
    /// Whether the server may have applied a write that failed in this way.
    fileprivate var leavesOutcomeUnknown: Bool {
        switch self {
        case .timedOut, .unusableResponse: true
        // A gateway waited for the server behind it in vain.
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
    /// Begins to read something from the server that tells counts of stars; ``endRead(from:)`` ends it.
    package func beginRead() -> Int {
        state.withLock { $0.history.tick() }
    }

    /// Ends what ``beginRead()`` began.
    package func endRead(from start: Int) -> ReadInterval {
        state.withLock { ReadInterval(start: start, end: $0.history.tick()) }
    }

    /// When something was read that the server sent or confirmed at a date, and that was kept since.
    package func readInterval(cachedSince date: Date) -> ReadInterval {
        state.withLock { $0.history.readInterval(cachedSince: date) }
    }

    /// What a row shows that was read some time ago.
    package func starState(of repo: GitHub.Repo, readDuring interval: ReadInterval) -> (
        isStarred: Bool, starCount: Int?
    ) {
        state.withLock { state in
            (state.history.isStarred(repo.id), state.history.starCount(of: repo, readDuring: interval))
        }
    }

    /// Takes repositories that a list of starred ones had, also those that were starred elsewhere since that was last asked.
    ///
    /// What was read for somebody who has signed out since is dropped.
    package func recordStarred(_ ids: some Sequence<GitHub.Repo.ID>, readDuring interval: ReadInterval) {
        let news = state.withLock { state -> Set<GitHub.Repo.ID> in
            guard state.isActive, state.history.isOfThisSession(interval) else { return [] }
            return state.history.list(ids, readDuring: interval)
        }
        if !news.isEmpty { broadcast.send(.repos(news)) }
    }

    /// What is to be done about a row's count.
    package enum CountAccuracy: Sendable {
        /// Nothing: the row was read before or after every write.
        case exact
        /// A write is on its way that the row may know of or not.
        case writeInFlight
        /// Only reading it again can tell.
        case outdated
    }

    /// Whether a row's count is in doubt.
    package func countAccuracy(of id: GitHub.Repo.ID, readDuring interval: ReadInterval) -> CountAccuracy {
        state.withLock { state in
            guard state.history.isDoubtful(id, readDuring: interval) else { return .exact }
            return state.history.isOnItsWay(id) ? .writeInFlight : .outdated
        }
    }

    /// Reads a code repository again; `nil` when that fails.
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
