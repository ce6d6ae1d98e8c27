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
        // discourse/discourse#12060
        model.filter = "＠ash"
        #expect(shown(model) == ["Ash-Kettle", "ASHWIN"])
        model.filter = "nobody"
        let message = try #require(model.state.content.status.message)
        #expect(model.state.content.status == .noMatches(message))
        #expect(message.action == .clearFilter)
        #expect(await model.perform(.clearFilter) == nil)
        #expect(model.state.filter.isEmpty)
        #expect(shown(model) == logins)
        #expect(model.state.content.status == .ready)
    }

    private func shown(_ model: FollowerListViewModel) -> [String] {
        model.state.content.rows.map(\.login.rawValue)
    }

    /// metafizzy/infinite-scroll#781, after a refresh
    @Test func `doesn't look complete at its end after a failed refresh`() async throws {
        let model = model(InMemoryFollowerRepository(onCall: held.response))
        held.answer(0, with: .success(Page(users: 0..<3, next: "b")))
        held.answer(1, with: .failure(.unreachable(.offline, .sample)))
        held.answer(2, with: .success(Page(users: 0..<3, next: "b")))
        await model.show(.octocats)
        await model.refresh()
        let message = try #require(model.state.content.status.message)
        #expect(model.state.content.layout.footer == .message(message))
        await model.perform(.retry)
        #expect(model.state.content.layout.header == nil && model.state.content.layout.footer == .more)
    }

    /// ryanw-mobile/OctoMeter#211
    @Test func `says that rows were left out until they are there`() async {
        let model = model(InMemoryFollowerRepository(onCall: held.response))
        var partial = Page(users: 0..<2)
        partial.isPartial = true
        held.answer(0, with: .success(partial))
        held.answer(1, with: .success(Page(users: 0..<3)))
        await model.show(.octocats)
        #expect(model.state.content.status.message?.title == "Some Items Are Missing")
        model.filter = "nobody"
        #expect(model.state.content.status.message?.text.contains("single sign-on") == true)
        model.filter = ""
        await model.refresh()
        #expect(model.state.content.status == .ready && model.state.content.rows.count == 3)
    }

    @Test func `loads again from the first page, and keeps the filter`() async {
        let users = (0..<25).map { GitHub.User.sample($0) }
        let model = model(InMemoryFollowerRepository(lists: [.octocats: users], pageSize: 10))
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
