import BrowseDomain
package import Foundation
import Synchronization

extension GitHub.StarStore {
    /// Begins a read of star counts; pass the result to ``endRead(from:)``.
    package func beginRead() -> Int { state.withLock { $0.history.nextEventNumber() } }

    /// Ends a read of star counts.
    package func endRead(from start: Int) -> ReadInterval {
        state.withLock { ReadInterval(start: start, end: $0.history.nextEventNumber()) }
    }

    /// Returns the read interval of a cached response that the server sent or confirmed at a date.
    package func readInterval(cachedSince date: Date) -> ReadInterval {
        state.withLock { $0.history.readInterval(cachedSince: date) }
    }

    /// Returns the star and the count to show for a repository.
    package func starState(of repo: GitHub.Repo, readDuring interval: ReadInterval?) -> (
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
