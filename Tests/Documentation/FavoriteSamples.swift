import BrowseKit
import BrowseMocks
import TestLimits
import Testing

// The sample of an article that follows the changes of favorites.

@MainActor
@Suite(.bounded) struct `The changes of favorites` {
    @Test func `keep a number current`() async throws {
        let container = Container.offline()
        let counts = Monitor<[Int]>([])
        let show: @Sendable (Int) -> Void = { count in counts.withLock { $0.append(count) } }
        let following = Task {
            let favorites = container.favoriteRepository()
            let changes = favorites.changes
            var saved = try await favorites.ids()
            show(saved.count)
            for await change in changes {
                switch change {
                case .added(let favorite): saved.insert(favorite.id)
                case .removed(let id, sequenceNumber: _): saved.remove(id)
                case .replaced(let ids): saved = ids
                case .updated, .recovered: break
                }
                show(saved.count)
            }
        }
        let user = try await container.userRepository().profile(of: GitHub.Login("octocat")).user
        let favorites = container.favoriteRepository()
        _ = try await favorites.add(Favorite(user))
        try await waitUntil { counts.value.last == 1 }
        _ = try await favorites.remove(Favorite(user).id)
        try await waitUntil { counts.value.last == 0 }
        following.cancel()
    }
}
