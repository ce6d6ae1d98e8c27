import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import TestLimits
import Testing

import BrowseGitHubPresentation
import BrowsePresentation

@MainActor @Suite(.bounded)
struct `A list that says it's loading` {
    private let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()

    private func model() -> FollowerListViewModel {
        FollowerListViewModel(InMemoryFollowerRepository(onCall: held.response))
    }

    /// All favorites of the first page are removed, on another screen or here.
    @Test func `loads the next page when few rows remain, and isn't empty before the last one`() async throws {
        let favorites = InMemoryFavoriteRepository((0..<150).map { Favorite.user(.sample($0)) })
        let model = FavoriteListViewModel(favorites: favorites, kinds: .samples, options: .english)
        model.query.order = .added
        await model.show()
        let recorder = StateRecorder(of: model)
        for number in 0..<100 { _ = try await favorites.remove(Favorite.user(.sample(number)).id) }
        await model.until { $0.content.rows.first?.favorite.title == "user-100" && $0.content.status == .ready }
        #expect(model.state.content.rows.count == 50)
        for state in recorder.states {
            if case .empty = state.content.status { Issue.record("\(state.content)") }
        }
        for number in 100..<150 { _ = try await favorites.remove(Favorite.user(.sample(number)).id) }
        await model.until { $0.content.status == .empty(Texts.english.noFavorites) }
    }

    @Test func `loads the next page when a removal brings a visible row near the end`() async throws {
        let favorites = InMemoryFavoriteRepository((0..<60).map { Favorite.user(.sample($0)) }, pageSize: 30)
        let options = ScreenOptions.english(prefetchDistance: 2)
        let model = FavoriteListViewModel(favorites: favorites, kinds: .samples, options: options)
        model.query.order = .added
        await model.show()
        for position in 0..<20 { await model.rowAppeared(at: position) }
        #expect(model.state.content.rows.count == 30)
        for number in 20..<30 { _ = try await favorites.remove(Favorite.user(.sample(number)).id) }
        await model.until { $0.content.rows.last?.favorite.title == "user-59" }
    }

    @Test func `isn't empty if the first pages have no rows, and continues on request`() async throws {
        let model = model()
        for number in 0..<11 { held.answer(number, with: .success(Page(users: [], next: "\(number + 1)"))) }
        await model.show(.octocats)
        #expect(held.requests.count == 11)
        let content = model.state.content
        let message = try #require(content.status.message)
        #expect(content.status == .noMatches(message))
        #expect(message.text == "There are more pages, but those loaded so far have no items.")
        #expect(message.action == .loadAll && content.hasMore && !content.canLoadMore)
        held.answer(11, with: .success(Page(users: 0..<2)))
        await model.loadAll()
        #expect(model.state.content.loadedCount == 2 && !model.state.content.hasMore)
    }
}
