public import BrowseDomain
import Synchronization

extension GitHub {
    /// The starred repositories of the signed-in user, shared by all lists.
    ///
    /// A change is shown at once and written in the background: one repository at a time, at least
    /// a second apart as GitHub asks, and only if it differs from the server's value. If the write
    /// fails, the change is undone, unless GitHub may have made it. The last of several changes to
    /// one repository wins; responses to earlier requests don't override it. A write needs a token,
    /// but neither the user nor the starred list.
    ///
    /// Use it from any context; reading and ``setStarred(_:for:)`` don't block.
    public final class StarStore: Sendable {
        /// The result of a change.
        public enum Outcome: Hashable, Sendable {
            /// GitHub has the user's latest value.
            case stored
            /// The write failed, and the star is shown as before.
            case undone(BrowseError)
            /// GitHub may have made the change, which is still shown; the query of its value
            /// failed.
            case unconfirmed(BrowseError)
            /// The session ended first, or the waiting task was canceled.
            case cancelled
        }

        /// A change that is being written, or was.
        public struct StarWrite: Sendable {
            let outcomes: AsyncStream<Outcome>

            /// The outcome; `.cancelled` if it was awaited before.
            public var outcome: Outcome {
                get async { await outcomes.first { _ in true } ?? .cancelled }
            }
        }

        /// The pause after each write, from GitHub's "Best practices for using the REST API".
        package static var pause: Duration { .seconds(1) }

        let state = Mutex(State())
        let broadcast = Broadcast<Set<Repo.ID>>()
        let repository: any StarRepository
        let clock: any Clock<Duration>

        /// Creates an empty store; the clock measures the pause between writes.
        package init(repository: any StarRepository, clock: any Clock<Duration> = ContinuousClock()) {
            self.repository = repository
            self.clock = clock
        }

        /// The repositories whose star or count may have changed, from now on; empty after a load.
        package var changes: AsyncStream<Set<Repo.ID>> { broadcast.stream() }

        /// The error of the last load; `nil` if it succeeded or is in progress.
        package var failure: BrowseError? { state.withLock(\.failure) }

        /// Whether the last read of the starred list failed, or the outcome of a write is unknown.
        public var needsReload: Bool { state.withLock { $0.failure != nil || !$0.unconfirmed.isEmpty } }

        /// The number of repositories with changes that aren't written yet.
        package var pendingCount: Int { state.withLock { $0.isActive ? $0.intents.count : 0 } }

        /// Returns whether a repository is shown as starred; `false` if no user is signed in.
        public func isStarred(_ id: Repo.ID) -> Bool { state.withLock { $0.isStarred(id) } }
    }
}

extension GitHub.StarStore {
    /// Stars or unstars a repository; the change is shown before this returns.
    ///
    /// Before the write, the repository is read by its number, since another one may have its name.
    ///
    /// - Returns: The write, or `nil` if no user is signed in. Then a star that was set is written
    ///   after the next sign-in, unless ``discardPending()`` is called first.
    @discardableResult
    public func setStarred(_ isStarred: Bool, for repo: GitHub.Repo) -> StarWrite? {
        let (write, isSignedIn) = setStarred(isStarred, for: repo, readAt: 0)
        return isSignedIn ? write : nil
    }

    /// Stars or unstars a repository, whose count was read at an event.
    ///
    /// - Returns: The write, which can wait for a sign-in, and whether a user is signed in; no
    ///   write if a star is removed without.
    package func setStarred(_ isStarred: Bool, for repo: GitHub.Repo, readAt event: Int) -> (StarWrite?, Bool) {
        update { ($0.set(isStarred, for: repo, readAt: event), $0.isActive) }
    }

    /// Discards the stars that were set while no user was signed in.
    public func discardPending() { update { $0.discardPending() } }

    /// Starts a session. Changes are shown and written from now on.
    public func activate() { update { $0.isActive = true } }

    /// Ends the session: discards all stars but those set before it, and cancels the write in
    /// flight.
    public func end() { update { $0.end() }?.cancel() }

    /// Returns the event at which a read is sent, at the earliest: now.
    package func beginRead() -> Int { state.withLock { $0.nextEvent() } }

    /// Returns the star and the count of a repository that was read at an event; 0 for a cached
    /// one.
    package func starState(of repo: GitHub.Repo, readAt event: Int) -> (isStarred: Bool, starCount: Int?) {
        state.withLock { ($0.isStarred(repo.id), $0.count(of: repo, readAt: event)) }
    }

    /// Returns the repositories that were starred after a read began, the latest first.
    package func added(since event: Int) -> [(repo: GitHub.Repo, readAt: Int)] {
        state.withLock { state in
            state.changes.values.sorted { $0.event > $1.event }
                .filter { $0.event > event && state.isStarred($0.intent.repo.id) }
                .map { ($0.intent.repo, $0.intent.readAt) }
        }
    }

    /// Whether a star may have been removed after a read began, so that later pages have moved.
    package func mayHaveRemoved(since event: Int) -> Bool { state.withLock { $0.mayHaveRemoved(since: event) } }

    /// Takes over the stars that a read found, which can be a page of the starred list, or all of
    /// it.
    ///
    /// - Returns: `false` if the read is outdated, because it began before this session, or before
    ///   the last complete read.
    @discardableResult
    package func merge(_ ids: Set<GitHub.Repo.ID>, readAt event: Int, isComplete: Bool = false) -> Bool {
        update { $0.merge(ids, readAt: event, isComplete: isComplete) }
    }

    /// Loads the starred list; ``failure`` is the error if that fails.
    ///
    /// A complete read replaces the server's values, so a star removed elsewhere is unset. Intents
    /// remain, and so do changes that ended after the read was sent. If a star is removed elsewhere
    /// during the read, a row can move to a page that was read before it; its star is missing until
    /// the next read, or until a page of the starred list shows it.
    public func load() async {
        let (start, previous) = state.withLock { state in (state.nextEvent(), state.failure.take()) }
        var pages: [Page<GitHub.Repo.ID>] = []
        do throws(BrowseError) {
            try await repository.starred { page throws(BrowseError) in
                pages.append(page)
                // Shows the stars of a page before the list is complete.
                guard merge(Set(page.items), readAt: start) else { throw .cancelled }
            }
            // The pages that are announced behind the last one.
            let left = pages.reduce(0) { $1.pagesLeft ?? $0 - 1 }
            let isCut = pages.contains { $0.skipped.count > 0 && $0.items.isEmpty }
            guard left <= 0, pages.last?.next == nil, !isCut else {
                throw .unusableResponse(.status, BrowseError.RequestInfo(endpoint: "GET /user/starred"))
            }
            let isComplete = pages.allSatisfy { $0.skipped.count == 0 }
            merge(Set(pages.flatMap(\.items)), readAt: start, isComplete: isComplete)
            state.withLock { state in
                state.failure = nil
                state.loadedAt = max(state.loadedAt, start)
            }
        } catch {
            // A later read that has succeeded counts. A canceled one says nothing about stars that
            // were missing before.
            let failure = error == .cancelled ? previous : error
            state.withLock { if $0.isActive, start > $0.loadedAt { $0.failure = failure ?? $0.failure } }
        }
        broadcast.send([])
    }

    /// Changes the state, reports the changes, and starts writing the intents, unless a writer is
    /// running.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = change(&state)
            state.endRedundantIntents()
            if !state.changed.isEmpty { broadcast.send(state.changed) }
            state.changed = []
            if state.isActive, state.writer == nil, !state.intents.isEmpty {
                state.writer = Task { [session = state.session] in await write(in: session) }
            }
            return result
        }
    }

    private func write(in session: Int) async {
        while true {
            // Not canceled with the session: GitHub's limit applies to the next session's writes
            // too.
            await state.withLock { $0.pause }?.value
            guard var intent = update({ $0.beginWrite(in: session) }) else { return }
            let outcome = await send(&intent)
            let guess = update { state in
                state.pause = Task { [clock] in try? await clock.sleep(for: Self.pause) }
                return state.endWrite(intent, outcome, in: session)
            }
            guard let guess, let count = try? await repository.current(guess)?.starCount else { continue }
            update { $0.correct(guess.id, to: count) }
        }
    }

    /// Sends a write; if its outcome is unknown, queries GitHub's value.
    private func send(_ intent: inout Intent) async -> Outcome {
        do throws(BrowseError) {
            // Another repository can have taken its name until the sign-in, or since it was stored.
            let start = beginRead()
            if intent.isEarly || intent.readAt == 0, let repo = try await repository.current(intent.repo) {
                intent.repo = repo
                intent.readAt = start
            }
            do throws(BrowseError) {
                try await repository.set(intent.isStarred, for: intent.repo)
                return .stored
            } catch {
                guard error.mayHaveTakenEffect, error != .cancelled else { throw error }
                let isStarred = try? await repository.isStarred(intent.repo)
                guard let isStarred else { return .unconfirmed(error) }
                return isStarred == intent.isStarred ? .stored : .undone(error)
            }
        } catch {
            return error == .cancelled ? .cancelled : .undone(error)
        }
    }
}
