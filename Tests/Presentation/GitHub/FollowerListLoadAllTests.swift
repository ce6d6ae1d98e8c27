import BrowseDomain
import BrowseGitHubDomain
@testable import BrowseGitHubPresentation
import BrowseMocks
import TestLimits
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `Loading all followers` {
    private let held = ControlledResponses<FollowerRepositoryDouble.Request, Page<GitHub.User>>()

    private func model(_ repository: any GitHub.FollowerRepository) -> FollowerListViewModel {
        FollowerListViewModel(repository: repository, favorites: InMemoryFavoriteRepository(), options: .english)
    }

    @Test func `shows each page as it arrives, in order, and reports that it's loading`() async {
        let users = (0..<57).map { GitHub.User.sample($0) }
        let model = model(InMemoryFollowerRepository(lists: [.octocats: users], pageSize: 10))
        await model.show(.octocats)
        let recorder = StateRecorder(of: model)
        await model.loadAll()
        let states = recorder.states
        #expect(states.map(\.content.rows.count) == [10, 10, 20, 30, 40, 50, 57])
        #expect(states.map(\.content.isLoadingAll) == [false, true, true, true, true, true, false])
        #expect(Array(model.state.content.rows.map(\.user)) == users)
        #expect(!model.state.content.hasMore)
        await model.loadAll()
        #expect(model.state.content.rows.count == 57)
    }

    @Test func `keeps the rows when a page fails, and continues after them`() async {
        let model = model(FollowerRepositoryDouble.controlled(by: held))
        held.answer(0, with: .success(Page(users: 0..<2, next: "b")))
        held.answer(1, with: .success(Page(users: 2..<4, next: "c")))
        held.answer(2, with: .failure(.timedOut(.sample)))
        held.answer(3, with: .success(Page(users: 4..<6)))
        await model.show(.octocats)
        await model.loadAll()
        guard case .failedMore = model.state.content.status else {
            Issue.record("\(model.state.content.status)")
            return
        }
        #expect(model.state.content.rows.count == 4)
        #expect(!model.state.content.isLoadingAll)
        await model.retry()
        #expect(model.state.content.rows.map(\.id.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(model.state.content.status == .ready)
    }

    @Test func `keeps the rows when it's canceled, and can continue`() async {
        let model = model(FollowerRepositoryDouble.controlled(by: held))
        held.answer(0, with: .success(Page(users: 0..<2, next: "b")))
        held.answer(1, with: .success(Page(users: 2..<4, next: "c")))
        await model.show(.octocats)
        let load = Task { await model.loadAll() }
        await held.waitForRequests(3)
        #expect(model.state.content.isLoadingAll)
        #expect(model.state.content.status == .loadingMore)
        load.cancel()
        _ = await load.value
        #expect(model.state.content.status == .ready)
        #expect(!model.state.content.isLoadingAll)
        held.answer(3, with: .success(Page(users: 4..<6)))
        await model.loadMore()
        #expect(model.state.content.rows.count == 6)
    }

    @Test func `ends when another account is shown, without affecting its load`() async {
        let model = model(FollowerRepositoryDouble.controlled(by: held))
        held.answer(0, with: .success(Page(users: 0..<2, next: "b")))
        await model.show(.octocats)
        let old = Task { await model.loadAll() }
        await held.waitForRequests(2)
        held.answer(2, with: .success(Page(users: [70], next: "x")))
        await model.show(.monas)
        let new = Task { await model.loadAll() }
        await held.waitForRequests(4)
        _ = await old.value
        #expect(model.state.content.isLoadingAll)
        #expect(model.state.content.rows.map(\.id.rawValue) == [70])
        held.answer(3, with: .success(Page(users: [71])))
        _ = await new.value
        #expect(model.state.content.rows.map(\.id.rawValue) == [70, 71])
        #expect(!model.state.content.isLoadingAll)
    }

    @Test func `waits for the first page, and loads the rest`() async {
        let model = model(FollowerRepositoryDouble.controlled(by: held))
        let show = Task { await model.show(.octocats) }
        await held.waitForRequests(1)
        let all = Task { await model.loadAll() }
        held.answer(1, with: .success(Page(users: 2..<4)))
        held.answer(0, with: .success(Page(users: 0..<2, next: "b")))
        await show.value
        _ = await all.value
        #expect(model.state.content.rows.count == 4)
        #expect(!model.state.content.hasMore)
    }

    @Test func `offers to load all when the filter hides all rows that are loaded`() async {
        let model = model(FollowerRepositoryDouble.controlled(by: held))
        held.answer(0, with: .success(Page(users: 0..<2, next: "b")))
        held.answer(1, with: .success(Page(users: 2..<4)))
        await model.show(.octocats)
        model.filter = "nobody"
        let message = model.state.content.status.message
        #expect(message?.title == "No Matches" && message?.action == .loadAll)
        #expect(message?.text == "Only the 2 items loaded so far were searched.")
        await model.loadAll()
        #expect(model.state.content.status == .noMatches(Texts.english.noMatches))
    }

    @Test func `does nothing before an account is chosen`() async {
        let model = model(FollowerRepositoryDouble.controlled(by: held))
        await model.loadAll()
        await model.loadMore()
        await model.retry()
        #expect(held.requests.isEmpty)
        #expect(model.state == FollowerListViewModel.State())
    }
}
