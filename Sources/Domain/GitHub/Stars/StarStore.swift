public import BrowseDomain
package import Foundation
import Synchronization

extension GitHub {
    /// The starred repositories of the signed-in user, shared by all lists.
    ///
    /// A change is shown at once and written in the background: one repository at a time, at least a second apart as GitHub
    /// asks, and only if it differs from the server's value. If the write fails, the change is undone, unless GitHub may have
    /// made it. The last of several changes to one repository wins; responses to earlier requests don't override it.
    ///
    /// Use it from any context; reading and ``setStarred(_:for:)`` don't block. The ``SessionManager`` owns it, and
    /// calls ``activate()``, ``load()``, and ``end()``.
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
        }

        /// The immediate result of setting a star.
        public enum SetStarredResult: Sendable {
            /// The change is shown; the outcome of the write follows.
            case accepted(StarWrite)
            /// No user is signed in.
            ///
            /// A star that was set is written after the next sign-in, unless ``discardPending()`` or ``end()`` is called first.
            case signInRequired
        }

        struct State {
            var history = StarHistory()
            /// Whether a user is signed in.
            var isActive = false
            /// Whether the starred list has loaded or failed; until then, a write's effect on counts is unknown.
            var canWrite = false
            var failure: BrowseError?
            /// The numbers of sign-outs and loads, by which tasks detect that they're outdated.
            var session = 0
            var load = 0
            var writer: Task<Void, Never>?
            /// The pause after the last write, even of an earlier session.
            var pause: Task<Void, Never>?
            var starWrites: [Repo.ID: [StarWrite]] = [:]
            /// The stars set while no user was signed in.
            var pending: [(repo: Repo, interval: ReadInterval?)] = []

            /// Removes the intents that match the server's value, and returns their writes.
            mutating func removeRedundantIntents() -> [StarWrite] {
                history.removeRedundantIntents().flatMap { starWrites.removeValue(forKey: $0) ?? [] }
            }
        }

        let state = Mutex(State())
        let broadcast = Broadcast<StarChange>()
        let repository: any StarRepository
        let repos: any RepoRepository
        let now: @Sendable () -> Date
        let clock: any Clock<Duration>

        /// Creates an empty store.
        ///
        /// - Parameters:
        ///   - repository: Reads and writes the stars.
        ///   - repos: Reloads code repositories whose star counts are outdated.
        ///   - now: Returns the current time, which is compared with the dates of cached pages.
        ///   - clock: Measures the pause between writes.
        package init(
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
        public var needsReload: Bool { state.withLock { $0.failure != nil || $0.history.hasUnknownWrites } }

        /// The number of repositories with changes that aren't written yet.
        package var pendingCount: Int { state.withLock { $0.history.intentCount } }

        /// Returns whether a repository is shown as starred; `false` if no user is signed in.
        public func isStarred(_ id: Repo.ID) -> Bool { state.withLock { $0.history.isStarred(id) } }
    }
}

extension GitHub.StarStore {
    /// Stars or unstars a repository; the change is shown before this returns.
    public func setStarred(_ isStarred: Bool, for repo: GitHub.Repo) -> SetStarredResult {
        setStarred(isStarred, for: repo, readDuring: nil)
    }

    /// Stars or unstars a repository whose count was read in an interval; `nil` if that is unknown.
    package func setStarred(_ isStarred: Bool, for repo: GitHub.Repo, readDuring interval: ReadInterval?)
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
    public func discardPending() { state.withLock { $0.pending = [] } }

    /// Starts a session. Changes are shown from now on, and written once loading the starred list has ended.
    public func activate() {
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

    /// Ends the session: discards the stars and cancels the write in flight.
    public func end() {
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
