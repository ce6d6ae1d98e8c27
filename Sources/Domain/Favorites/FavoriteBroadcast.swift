import Synchronization

/// Tells any number of followers of each change, in order; what a place for favourites keeps them with.
package final class FavoriteBroadcast: Sendable {
    private struct Followers {
        var continuations: [Int: AsyncStream<FavoriteChange>.Continuation] = [:]
        var count = 0
        var recovery: StorageRecovery?
    }

    private let followers = Mutex(Followers())

    /// Nobody follows yet.
    package init() {}

    deinit {
        for follower in followers.withLock({ $0.continuations }).values { follower.finish() }
    }

    /// Whether anybody follows.
    package var hasFollowers: Bool { followers.withLock { !$0.continuations.isEmpty } }

    /// The changes from now on, after what had to be done to the storage before.
    package func stream() -> AsyncStream<FavoriteChange> {
        let (stream, follower) = AsyncStream.makeStream(of: FavoriteChange.self)
        let number = followers.withLock { followers in
            if let recovery = followers.recovery { follower.yield(.recovered(recovery)) }
            followers.count += 1
            followers.continuations[followers.count] = follower
            return followers.count
        }
        follower.onTermination = { [weak self] _ in
            _ = self?.followers.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Tells of a change.
    package func send(_ change: FavoriteChange) {
        // Under the lock, so that all hear in one order; a follower that ends does so elsewhere.
        followers.withLock { followers in
            if case .recovered(let recovery) = change { followers.recovery = recovery }
            for follower in followers.continuations.values { follower.yield(change) }
        }
    }
}
