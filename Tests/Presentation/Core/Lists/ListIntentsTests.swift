import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowseGitHubPresentation
@testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `The layout of a list` {
    private typealias Item = ListState<Row>.Layout.Item
    private let message = Texts.english.noMatches

    private func layout(_ status: ListState<Row>.Status, hasMore: Bool = false) -> ListState<Row>.Layout {
        var state = ListState<Row>()
        state.status = status
        state.hasMore = hasMore
        return state.layout
    }

    @Test func `has one part for each status`() {
        for status in [ListState<Row>.Status.idle, .refreshing, .ready] { #expect(layout(status) == .init()) }
        #expect(layout(.loading) == .init(placeholder: .spinner))
        for status in [ListState<Row>.Status.empty(message), .noMatches(message), .failed(message)] {
            #expect(layout(status, hasMore: true) == .init(placeholder: .message(message)))
        }
        #expect(layout(.failedRefresh(message)) == .init(header: message))
        #expect(layout(.failedRefresh(message), hasMore: true) == .init(header: message, footer: .message(message)))
        #expect(layout(.loadingMore, hasMore: true) == .init(footer: .spinner))
        #expect(layout(.failedMore(message), hasMore: true) == .init(footer: .message(message)))
        #expect(layout(.ready, hasMore: true) == .init(footer: .more))
    }

    @Test func `offers to load all while a filter applies to a part of the rows`() async throws {
        let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()
        let model = FollowerListViewModel(InMemoryFollowerRepository(onCall: held.response))
        held.answer(0, with: .success(Page(users: 0..<2, next: "b")))
        held.answer(1, with: .success(Page(users: 2..<4)))
        await model.show(.octocats)
        #expect(model.state.content.layout.footer == .more)
        model.filter = "user-1"
        #expect(model.state.content.rows.count == 1)
        let message = try #require(model.state.content.filterNotice)
        #expect(model.state.content.layout.footer == .message(message))
        #expect(message.text == "Only the 2 items loaded so far were searched.")
        #expect(message.action == .loadAll && message.actionTitle == "Load All")
        #expect(await model.perform(.loadAll) == nil)
        #expect(model.state.content.loadedCount == 4)
        #expect(model.state.content.layout == .init())
    }

    /// android10/Android-CleanArchitecture#48
    @Test func `offers to load all, which works after a failed refresh, too`() async throws {
        let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()
        let model = FollowerListViewModel(InMemoryFollowerRepository(onCall: held.response))
        held.answer(0, with: .success(Page(users: 0..<2, next: "b")))
        held.answer(1, with: .failure(.unreachable(.offline, .sample)))
        held.answer(2, with: .success(Page(users: 0..<2, next: "b")))
        held.answer(3, with: .success(Page(users: 2..<4)))
        await model.show(.octocats)
        model.filter = "user-3"
        await model.refresh()
        guard case .message(let message) = model.state.content.layout.footer else {
            Issue.record("The filter isn't named.")
            return
        }
        #expect(message.action == .loadAll)
        await model.perform(.loadAll)
        #expect(held.requests.count == 4)
        #expect(model.state.content.rows.map(\.id.rawValue) == [3])
    }
}

@MainActor @Suite(.bounded)
struct `The action of a message` {
    private let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()
    private let page = WebAddress("https://github.com/orgs/example/sso")

    private func model() -> FollowerListViewModel {
        FollowerListViewModel(InMemoryFollowerRepository(onCall: held.response))
    }

    @Test func `loads the failed page again`() async {
        let model = model()
        held.answer(0, with: .failure(.timedOut(.sample)))
        held.answer(1, with: .failure(.timedOut(.sample)))
        held.answer(2, with: .success(Page(users: 0..<2)))
        await model.show(.octocats)
        #expect(model.state.content.status.message?.action == .retry)
        #expect(await model.perform(.retry) == nil)
        #expect(await model.perform(.retryLater(.distantPast)) == nil)
        #expect(model.state.content.rows.count == 2)
    }

    @Test func `returns the screen or page to open`() async {
        let model = model()
        #expect(await model.perform(.signIn) == .signIn)
        #expect(await model.perform(.open(page)) == .webPage(page))
        #expect(await model.perform(.changeInput) == nil)
        #expect(held.requests.isEmpty)
    }

    @Test func `of a detail loads it again, or returns the screen to open`() async {
        let rows = ControlledResponses<Int, Row>()
        let screen = DetailScreen { _ throws(BrowseError) in Page([]) }
        rows.answer(0, with: .failure(.timedOut(.sample)))
        rows.answer(1, with: .success(Row(id: 1)))
        await screen.show { () throws(BrowseError) in try await rows.response(to: 0) }
        #expect(await screen.perform(.signIn) == .signIn)
        #expect(await screen.perform(.retry) == nil)
        #expect(screen.state.content.details == Row(id: 1))
    }
}

@MainActor @Suite(.bounded)
struct `A mark that is changed` {
    private let favorites = InMemoryFavoriteRepository()

    @Test func `shows before the intent suspends`() async {
        let users = (0..<3).map { GitHub.User.sample($0) }
        let model = FollowerListViewModel(InMemoryFollowerRepository(lists: [.octocats: users]), favorites: favorites)
        await model.show(.octocats)
        let id = model.state.content.rows[1].id
        // The main actor runs tasks in order: this one up to its first suspension, then the one that looks.
        let change = Task { await model.toggleFavorite(id) }
        #expect(await Task { model.state.content.rows[1].isFavorite }.value)
        await change.value
        let back = Task { await model.set(.favorite, of: id, to: false) }
        #expect(await Task { !model.state.content.rows[1].isFavorite }.value)
        #expect(await back.value == nil)
    }

    @Test func `shows before the intent of a detail suspends`() async {
        let user = GitHub.User.sample(1)
        let profile = GitHub.UserProfile(user: user) { $0.memberSince = .distantPast }
        let model = UserProfileViewModel([profile], favorites: favorites)
        await model.show(user.login)
        // Also for a front end that doesn't know whether the details can be a favorite.
        let screen: any DetailViewModel = model
        let change = Task { await screen.toggleFavorite() }
        #expect(await Task { model.state.isFavorite }.value)
        await change.value
    }

    @Test func `shows before the intent of a star suspends`() async {
        let session = GitHub.SessionManager.inMemory(.sample(1))
        await session.start()
        let repos = InMemoryRepoRepository(own: [.sample(1)])
        let model = RepoListViewModel(repos, favorites: favorites, session: session)
        await model.show(.own)
        let change = Task { await model.set(.star, of: GitHub.Repo.sample(1).id, to: true) }
        #expect(await Task { model.state.content.rows.first?.isStarred == true }.value)
        #expect(await change.value == nil)
    }

    @Test func `does nothing in a list that doesn't have it`() async {
        let screen = ListScreen()
        await screen.begin { _ throws(BrowseError) in Page([1]) }()
        let before = screen.state
        #expect(await screen.set(.favorite, of: 1, to: true) == nil)
        #expect(await screen.set(RowMark("read"), of: 7, to: true) == nil)
        #expect(screen.state == before)
    }
}
