import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The follower list` {
    private let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()

    private func model(_ repository: any GitHub.FollowerRepository) -> FollowerListViewModel {
        FollowerListViewModel(repository, options: .english(prefetchDistance: 2))
    }

    private func inMemory(_ count: Int, pageSize: Int = 10) -> InMemoryFollowerRepository {
        InMemoryFollowerRepository(lists: [.octocats: (0..<count).map { .sample($0) }, .monas: []], pageSize: pageSize)
    }

    @Test func `shows the first page, then more on demand, until the end`() async {
        let model = model(inMemory(25))
        #expect(model.state.content.status == .idle)
        await model.show(.octocats)
        #expect(model.state.title == "Followers of octocat")
        #expect(model.state.content.rows.count == 10)
        #expect(model.state.content.hasMore)
        await model.loadMore()
        await model.loadMore()
        #expect(model.state.content.rows.map(\.id.rawValue) == Array(0..<25))
        #expect(!model.state.content.hasMore)
        await model.loadMore()
        #expect(model.state.content.rows.count == 25)
        #expect(model.state.content.status == .ready)
    }

    @Test func `requests each page once, however often the end is reached`() async {
        let model = model(InMemoryFollowerRepository(onCall: held.response))
        let loads = (0..<20).map { _ in
            Task { await model.state.selection == nil ? model.show(.octocats) : model.loadMore() }
        }
        await held.waitForRequests(1)
        held.answer(0, with: .success(Page(users: 0..<10, next: "b")))
        for load in loads { await load.value }
        let more = (0..<20).map { _ in Task { await model.rowAppeared(at: 9) } }
        await held.waitForRequests(2)
        held.answer(1, with: .success(Page(users: 10..<20)))
        for load in more { await load.value }
        #expect(held.requests == [nil, "b"].map { .page(of: .octocats, at: $0.map(PageCursor.init(rawValue:))) })
        #expect(model.state.content.rows.count == 20)
    }

    @Test func `starts over for another account, and drops late responses for the previous one`() async {
        let model = model(InMemoryFollowerRepository(onCall: held.response))
        let first = Task { await model.show(.octocats) }
        await held.waitForRequests(1)
        held.answer(0, with: .success(Page(users: 0..<10, next: "b")))
        await first.value
        model.filter = "user-1"
        let before = model.state
        let late = Task { await model.loadMore() }
        await held.waitForRequests(2)
        let second = Task { await model.show(.monas) }
        await held.waitForRequests(3)

        #expect(model.state.title == "Followers of mona")
        #expect(model.state.filter.isEmpty)
        #expect(model.state.content.rows.isEmpty)
        #expect(model.state.content.status == .loading)
        #expect(model.state.content.rows.change(since: before.content.rows) == .reset)
        // The old request was canceled, so it ignores its response.
        await late.value
        #expect(held.answer(1, with: .success(Page(users: 10..<20))) == false)

        held.answer(2, with: .success(Page(users: [77])))
        await second.value
        #expect(model.state.content.rows.map(\.id.rawValue) == [77])
        let next = InMemoryFollowerRepository.Call.page(of: .octocats, at: PageCursor(rawValue: "b"))
        #expect(held.requests == [.page(of: .octocats, at: nil), next, .page(of: .monas, at: nil)])
    }

    @Test func `filters by a part of the login regardless of case, in later pages too`() async throws {
        let logins = ["Ash-Kettle", "mona", "wASHer", "brock", "trashpanda7", "ASHWIN"]
        let users = logins.enumerated().map { GitHub.User.sample($0.offset, login: $0.element) }
        let model = model(InMemoryFollowerRepository(lists: [.octocats: users], pageSize: 3))
        await model.show(.octocats)
        model.filter = "ash"
        #expect(shown(model) == ["Ash-Kettle", "wASHer"])
        await model.loadMore()
        #expect(shown(model) == ["Ash-Kettle", "wASHer", "trashpanda7", "ASHWIN"])
        model.filter = "aSHw"
        #expect(shown(model) == ["ASHWIN"])
        model.filter = "nobody"
        let message = try #require(model.state.content.status.message)
        #expect(model.state.content.status == .noMatches(message))
        #expect(message.action == .clearFilter)
        model.filter = ""
        #expect(shown(model) == logins)
        #expect(model.state.content.status == .ready)
    }

    private func shown(_ model: FollowerListViewModel) -> [String] {
        model.state.content.rows.map(\.login.rawValue)
    }

    @Test func `keeps the rows when the next page fails, and requests it again only on retry`() async throws {
        let model = model(InMemoryFollowerRepository(onCall: held.response))
        held.answer(0, with: .success(Page(users: 0..<3, next: "b")))
        held.answer(1, with: .failure(.unreachable(.offline, .sample)))
        held.answer(2, with: .success(Page(users: 3..<5)))
        await model.show(.octocats)
        await model.loadMore()
        let message = try #require(model.state.content.status.message)
        #expect(model.state.content.status == .failedMore(message))
        #expect(message.action == .retry)
        #expect(model.state.content.rows.count == 3)
        await model.rowAppeared(at: 2)
        await model.loadMore()
        #expect(held.requests.count == 2)
        await model.retry()
        #expect(model.state.content.rows.map(\.id.rawValue) == [0, 1, 2, 3, 4])
        #expect(held.requests == [nil, "b", "b"].map { .page(of: .octocats, at: $0.map(PageCursor.init(rawValue:))) })
    }

    @Test func `continues at its end after all pages were loading, and that was canceled`() async {
        let model = model(InMemoryFollowerRepository(onCall: held.response))
        held.answer(0, with: .success(Page(users: 0..<10, next: "b")))
        await model.show(.octocats)
        let all = Task { await model.loadAll() }
        await held.waitForRequests(2)
        // The row stays visible, so it doesn't appear again.
        await model.rowAppeared(at: 9)
        all.cancel()
        _ = await all.value
        #expect(model.state.content.status == .loadingMore)
        held.answer(2, with: .success(Page(users: 10..<20)))
        await model.loadMore()
        #expect(model.state.content.rows.count == 20)
        #expect(held.requests.count == 3)
    }

    @Test func `skips empty pages`() async {
        let model = model(
            InMemoryFollowerRepository { call in
                guard case .page(_, let cursor) = call else { return nil }
                let number = cursor.flatMap { Int($0.rawValue) } ?? 0
                return number == 3 ? Page(users: [1]) : Page(users: [], next: "\(number + 1)")
            }
        )
        await model.show(.octocats)
        #expect(model.state.content.rows.count == 1)
    }

    @Test func `returns the route from a row to its profile`() async {
        let model = model(inMemory(3))
        await model.show(.octocats)
        #expect(model.select(at: 1) == .gitHub(.account(model.state.content.rows[1].id)))
        #expect(model.select(at: 3) == nil)
        #expect(model.select(at: -1) == nil)
    }

    @Test func `loads again from the first page, and keeps the filter`() async {
        let model = model(inMemory(25))
        await model.show(.octocats)
        await model.loadMore()
        model.filter = "user-1"
        let before = model.state.content.rows
        await model.refresh()
        #expect(model.state.content.loadedCount == 10)
        #expect(model.state.filter == "user-1")
        #expect(model.state.content.rows.map(\.login.rawValue) == ["user-1"])
        #expect(model.state.content.rows.change(since: before) == .reset)
    }
}
