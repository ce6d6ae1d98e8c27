import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `A feed of favorites` {
    /// An app's own list has the options of the container, which have favorites.
    @Test func `neither marks its rows nor writes them over the favorites, whatever its options are`() async {
        let calls = Monitor<[InMemoryFavoriteRepository.Call]>([])
        // A row shows less than this one keeps.
        let payload = Favorite.Payload(version: 1, data: Data("{}".utf8))
        let user = GitHub.User.sample(1)
        let saved = Favorite(id: user.favoriteID, title: "mona", image: nil, payload: payload)
        let favorites = InMemoryFavoriteRepository([saved]) { call throws(BrowseError) in
            calls.withLock { $0.append(call) }
            return nil
        }
        let store = StateStore(ListState<UserRow>())
        let options = ScreenOptions.english(policy: .cachedFirst).with(favorites)
        let list = ListController<UserRow>(in: store, at: \.self, options: options)
        let feed = FavoriteFeed(favorites, in: list) { UserRow(GitHub.User.sample(1, login: $0.title)) }
        let query = FavoriteQuery(kinds: [.user], order: .name)
        let load = feed.begin(query, empty: Texts.english.noFavorites)
        await load()
        #expect(store.state.rows.map(\.isFavorite) == [true])
        #expect(calls.value == [.page(of: query, at: nil)])
        await list.controls.toggleFavorite(user.id)
        #expect(calls.value == [.page(of: query, at: nil), .remove(saved.id)])
        withExtendedLifetime(feed) {}
    }
}
