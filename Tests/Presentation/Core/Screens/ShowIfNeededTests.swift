import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import TestLimits
import Testing

/// Screens appear more than once: SwiftUI runs a view's task again when a person comes back to it.
@MainActor @Suite(.bounded)
struct `A screen that appears again` {
    private let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()

    private var list: FollowerListViewModel {
        FollowerListViewModel(InMemoryFollowerRepository(onCall: held.response))
    }

    @Test func `keeps its rows, its pages, and its filter`() async {
        let list = list
        held.answer(0, with: .success(Page(users: 0..<30, next: "b")))
        held.answer(1, with: .success(Page(users: 30..<60)))
        await list.showIfNeeded(.octocats)
        await list.loadMore()
        list.filter = "user-1"
        let before = list.state
        await list.showIfNeeded(.octocats)
        #expect(list.state == before)
        #expect(held.requests.count == 2)
    }

    @Test func `starts over with another list`() async {
        let list = list
        held.answer(0, with: .success(Page(users: 0..<10)))
        held.answer(1, with: .success(Page(users: 10..<20)))
        await list.showIfNeeded(.octocats)
        await list.showIfNeeded(.monas)
        #expect(list.state.selection == .monas)
        #expect(list.state.content.rows.map(\.id.rawValue) == Array(10..<20))
    }

    /// The second task may start while the first one, which was canceled, still waits for its load to end.
    @Test(arguments: [false, true])
    func `loads a first page that was canceled`(startsWhileItEnds: Bool) async {
        let list = list
        let first = Task { await list.showIfNeeded(.octocats) }
        await held.waitForRequests(1)
        first.cancel()
        if !startsWhileItEnds {
            await first.value
            #expect(list.state.content.status == .idle)
        }
        held.answer(1, with: .success(Page(users: 0..<10)))
        await list.showIfNeeded(.octocats)
        #expect(list.state.content.rows.count == 10)
        await first.value
        #expect(list.state.content.rows.count == 10)
    }

    @Test func `waits for a first page in flight`() async {
        let list = list
        let first = Task { await list.showIfNeeded(.octocats) }
        await held.waitForRequests(1)
        let second = Task { await list.showIfNeeded(.octocats) }
        held.answer(0, with: .success(Page(users: 0..<10)))
        await second.value
        await first.value
        #expect(held.requests.count == 1)
        #expect(list.state.content.rows.count == 10)
    }

    @Test func `loads a page that failed`() async {
        let list = list
        held.answer(0, with: .failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))))
        held.answer(1, with: .success(Page(users: 0..<10)))
        await list.showIfNeeded(.octocats)
        await list.showIfNeeded(.octocats)
        #expect(list.state.content.status == .ready)
    }

    @Test func `keeps all favorites that were loaded, and their query`() async throws {
        let favorites = InMemoryFavoriteRepository()
        for number in 0..<3 { _ = try await favorites.add(.user(.sample(number))) }
        let list = FavoriteListViewModel(favorites: favorites, kinds: .samples, options: .english)
        await list.showIfNeeded()
        list.query.order = .added
        try await waitUntil { list.state.content.status == .ready }
        let before = list.state
        #expect(before.content.rows.count == 3)
        await list.showIfNeeded()
        #expect(list.state == before)
    }

    @Test func `loads an image once, although it is no longer cached`() async {
        let responses = ControlledResponses<ImageRequest, EncodedImage>()
        let place = RemoteImageViewModel(images: InMemoryImageRepository(onCall: responses.response), texts: .english)
        let one = ImageRequest(WebAddress(rawValue: "https://images.example/1"))
        let two = ImageRequest(WebAddress(rawValue: "https://images.example/2"))
        responses.answer(0, with: .success(.drawn(for: "1")))
        responses.answer(1, with: .success(.drawn(for: "2")))
        await place.showIfNeeded(one)
        await place.showIfNeeded(one)
        #expect(responses.requests == [one])
        await place.showIfNeeded(two)
        #expect(place.state == .loaded(.drawn(for: "2")))
        #expect(responses.requests == [one, two])
    }

    @Test func `can be rid of a notice`() async {
        let full = InMemoryFavoriteRepository { _ throws(BrowseError) in
            throw .storageFailed(StorageFailure(reason: .full, file: "x"))
        }
        let list = FollowerListViewModel(InMemoryFollowerRepository(onCall: held.response), favorites: full)
        held.answer(0, with: .success(Page(users: 0..<10)))
        await list.showIfNeeded(.octocats)
        await list.toggleFavorite(GitHub.User.ID(rawValue: 3))
        #expect(list.state.notice != nil)
        list.dismissNotice()
        #expect(list.state.notice == nil)
    }
}
