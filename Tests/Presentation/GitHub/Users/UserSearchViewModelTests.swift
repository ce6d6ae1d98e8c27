import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The user search` {
    private let held = ControlledResponses<InMemoryUserRepository.Call, Page<GitHub.User>>()
    private let clock = TestClock()
    private let favorites = InMemoryFavoriteRepository(
        [.user(.sample(3)), .user(.sample(20)), .repo(.sample(3))],
        pageSize: 2
    )

    private func model(favorites: (any FavoriteRepository)? = nil, policy: LoadPolicy = .fresh) -> UserSearchViewModel {
        let favorites = favorites ?? self.favorites
        return UserSearchViewModel(
            repository: InMemoryUserRepository { [held] call throws(BrowseError) in
                .results(try await held.response(to: call))
            },
            favorites: favorites,
            options: .english(prefetchDistance: 2, policy: policy, clock: clock).with(favorites)
        )
    }

    private func page(
        _ users: Range<Int>,
        of total: Int? = nil,
        next: String? = nil,
        isIncomplete: Bool = false
    ) -> Page<GitHub.User> {
        var page = Page(users: users, next: next)
        (page.totalCount, page.isIncomplete) = (total ?? users.count, isIncomplete)
        return page
    }

    /// Types, and lets the pause pass.
    private func search(_ text: String, in model: UserSearchViewModel) async {
        model.query.text = text
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(300))
    }

    @Test(arguments: [
        "https://github.com/octocat?tab=repositories", "github.com/octocat/hello-world",
        "https://gist.github.com/octocat/82b5feaa4628a0a1d11bb2f88486ab98", "git@github.com:octocat/hello-world.git",
    ])
    func `finds the account of a pasted address`(address: String) async {
        let octocat = GitHub.UserProfile(user: .sample(7, login: "octocat"))
        let model = UserSearchViewModel(
            repository: InMemoryUserRepository(profiles: [octocat]),
            favorites: favorites,
            options: .english(clock: clock)
        )
        model.query.text = address
        await model.submit()
        #expect(model.state.content.rows.map(\.login) == [.octocat] && model.state.summary == nil)
    }

    @Test func `doesn't query GitHub for a text that was typed before switching to the favorites`() async {
        let model = model()
        model.query.text = "sample"
        await clock.waitForSleepers(1)
        model.query.scope = .favorites
        await clock.advance(by: .seconds(1))
        await model.until { $0.content.status != .idle && $0.content.status != .loading }
        #expect(held.requests.isEmpty)
        #expect(!model.state.isWaiting)
        // Back there, the text counts.
        held.answer(0, with: .success(page(0..<2)))
        model.query.scope = .gitHub
        await model.until { $0.totalCount == 2 }
    }

    @Test func `isn't incomplete if only the cached results were`() async {
        held.answer(0, with: .success(page(0..<2, isIncomplete: true)))
        held.answer(1, with: .success(page(0..<2)))
        held.answer(2, with: .success(page(0..<2)))
        let (kept, fresh) = (model(policy: .cachedFirst), model())
        for model in [kept, fresh] {
            model.query.text = "mona"
            await model.submit()
        }
        #expect(held.requests.count == 3)
        #expect(kept.state.summary == fresh.state.summary)
    }

    @Test func `waits for a pause of 300 ms, and then searches for the last text, trimmed`() async {
        let model = model()
        for text in ["m", "mo", "mon", " mona "] {
            model.query.text = text
            #expect(model.state.isWaiting)
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(299))
        }
        #expect(held.requests.isEmpty)
        await clock.advance(by: .milliseconds(1))
        let requests = await held.waitForRequests(1)
        #expect(requests == [.search(for: try! .init("mona"), at: nil)])
        #expect(model.state.content.status == .loading)
        #expect(!model.state.isWaiting)
        held.answer(0, with: .success(page(0..<5)))
        let state = await model.until { $0.content.status == .ready }
        #expect(state.content.rows.map(\.id.rawValue) == [0, 1, 2, 3, 4])
        #expect(state.totalCount == 5)
        #expect(state.summary == "5 results")
    }

    @Test(arguments: ["", "   ", "\n\t "])
    func `clears the results for blank text, sends nothing, and cancels the load`(blank: String) async {
        let model = model()
        await search("a", in: model)
        held.answer(0, with: .success(page(0..<10, of: 30, next: "b")))
        await model.until { $0.content.status == .ready }
        let more = Task { await model.loadMore() }
        await held.waitForRequests(2)
        model.query.text = blank
        #expect(model.state.content == ListState())
        #expect(model.state.totalCount == nil)
        #expect(model.state.summary == nil)
        #expect(!held.answer(1, with: .success(page(10..<20))))
        await more.value
        await model.submit()
        await model.loadMore()
        await model.retry()
        #expect(model.state.content == ListState())
        #expect(held.requests.count == 2)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `searches again only for a different trimmed text`() async {
        let model = model()
        await search("a", in: model)
        held.answer(0, with: .success(page(0..<1)))
        await model.until { $0.content.status == .ready }
        model.query.text = "a "
        model.query.text = "ab"
        model.query.text = "a"
        #expect(!model.state.isWaiting)
        await clock.advance(by: .seconds(1))
        #expect(held.requests.count == 1)
        #expect(model.state.content.rows.count == 1)
    }

    @Test func `loads pages as rows near the end appear, up to 1,000 results`() async {
        let model = model()
        model.query.text = "a"
        for number in 0..<10 {
            let next = number < 9 ? "p\(number)" : nil
            held.answer(number, with: .success(page(number * 100..<number * 100 + 100, of: 4321, next: next)))
        }
        await model.submit()
        #expect(model.state.summary == "First 1,000 of 4,321 results")
        for number in 1..<10 {
            await model.rowAppeared(at: number * 100 - 4)
            #expect(held.requests.count == number)
            await model.rowAppeared(at: number * 100 - 3)
            #expect(held.requests.count == number + 1)
        }
        #expect(model.state.content.rows.count == 1000)
        #expect(!model.state.content.hasMore)
        await model.rowAppeared(at: 999)
        #expect(held.requests.count == 10)
        let cursors = [nil] + (0..<9).map { PageCursor(rawValue: "p\($0)") }
        #expect(held.requests == cursors.map { .search(for: try! .init("a"), at: $0) })
    }

    @Test func `reports incomplete results, until the text changes`() async throws {
        let model = model()
        model.query.text = "a"
        held.answer(0, with: .success(page(0..<1, of: 2, next: "b", isIncomplete: true)))
        held.answer(1, with: .success(page(1..<2, of: 2)))
        held.answer(2, with: .success(page(0..<0)))
        await model.submit()
        await model.loadMore()
        #expect(model.state.summary == "2 results (some may be missing because the search took too long)")
        model.query.text = "b"
        await model.submit()
        #expect(model.state.summary == "0 results")
        let message = try #require(model.state.content.status.emptyMessage)
        #expect(message.text == "No results for “b”. Check the spelling or try a new search.")
        #expect(message.actionTitle == "Edit Search")
    }

    @Test func `points at the qualifiers of a search that GitHub rejects`() async throws {
        let model = model()
        model.query.text = "in:nowhere"
        var info = BrowseError.RequestInfo.sample
        info.rejection = .input
        held.answer(0, with: .failure(.rejected(info)))
        await model.submit()
        let message = try #require(model.state.content.status.failure)
        #expect(message.text.contains("qualifiers") && message.actionTitle == "Edit")
    }

    @Test func `marks favorites, and updates when other screens change them`() async throws {
        let model = model()
        model.query.text = "a"
        held.answer(0, with: .success(page(0..<5, of: 10, next: "b")))
        held.answer(1, with: .success(page(5..<10, of: 10)))
        await model.submit()
        #expect(model.state.content.rows.filter(\.isFavorite).map(\.id.rawValue) == [3])
        await model.toggleFavorite(at: 0)
        await model.toggleFavorite(at: 3)
        #expect(model.state.content.rows.filter(\.isFavorite).map(\.id.rawValue) == [0])
        #expect(try await favorites.ids().contains(.init(kind: .user, key: "0")))
        _ = try await favorites.add(.user(.sample(7)))
        await model.loadMore()
        await model.until { $0.content.rows.filter(\.isFavorite).map(\.id.rawValue) == [0, 7] }
        _ = try await favorites.remove(.init(kind: .user, key: "0"))
        await model.until { $0.content.rows.filter(\.isFavorite).map(\.id.rawValue) == [7] }
    }

    @Test func `shares the text between GitHub and the favorites, which send no requests`() async {
        let model = model()
        await search("user", in: model)
        held.answer(0, with: .success(page(0..<5)))
        await model.until { $0.content.status == .ready }
        model.query.scope = .favorites
        var state = await model.until { $0.content.status == .ready && $0.content.rows.count == 2 }
        #expect(state.query.text == "user")
        #expect(state.content.rows.map(\.id.rawValue) == [20, 3])
        #expect(state.totalCount == nil)
        model.query.text = "3"
        state = await model.until { $0.content.rows.count == 1 }
        #expect(state.content.rows.map(\.id.rawValue) == [3])
        model.query.text = ""
        await model.until { $0.content.rows.count == 2 }
        await model.rowAppeared(at: 1)
        #expect(held.requests.count == 1)
        // The results for the text that both had are gone with it; a new text is searched for at once.
        model.query.text = "new"
        model.query.scope = .gitHub
        await held.waitForRequests(2)
        held.answer(1, with: .success(page(0..<2)))
        state = await model.until { $0.content.status == .ready }
        #expect(state.content.rows.count == 2)
    }

    /// mastodon/mastodon#23919 and wireapp/wire-ios-sync-engine#166
    @Test(arguments: [
        "@user-3", "＠USER-3", " @user-3 ", "https://github.com/user-3?tab=repositories", "github.com/user-3/tea",
    ])
    func `finds a favorite as GitHub finds the account, by its name after an @ and by its address`(
        text: String
    ) async {
        let model = model(favorites: InMemoryFavoriteRepository([.user(.sample(3)), .user(.sample(20))]))
        model.query.scope = .favorites
        model.query.text = text
        await model.until { $0.content.status == .ready && $0.content.rows.map(\.id.rawValue) == [3] }
        // The name isn't typed yet.
        model.query.text = "@"
        await model.until { $0.content.rows.count == 2 }
        model.query.text = "user@3"
        await model.until { $0.content.rows.isEmpty && $0.content.status.message != nil }
        #expect(held.requests.isEmpty)
    }

    @Test func `removes a row when its mark is tapped, and inserts favorites that other screens add`() async throws {
        let model = model()
        model.query.scope = .favorites
        await model.until { $0.content.rows.map(\.id.rawValue) == [20, 3] }
        await model.toggleFavorite(at: 0)
        await model.until { $0.content.rows.map(\.id.rawValue) == [3] }
        _ = try await favorites.add(.user(.sample(1)))
        _ = try await favorites.add(.repo(.sample(9)))
        await model.until { $0.content.rows.map(\.id.rawValue) == [1, 3] }
        let newer = Favorite.Payload(version: .max, data: Data())
        for key in ["2", "of a newer version"] {
            let id = Favorite.ID(kind: .user, key: key)
            _ = try await favorites.add(Favorite(id: id, title: "two", image: nil, payload: newer))
        }
        let rows = await model.until { $0.content.rows.count == 3 }.content.rows
        #expect(rows.map(\.id.rawValue) == [2, 1, 3] && rows[0].login.rawValue == "two")
    }

    @Test func `cancels the pause when it's released`() async throws {
        var model: UserSearchViewModel? = model()
        model?.query.text = "a"
        await clock.waitForSleepers(1)
        model = nil
        try await waitUntil { clock.sleeperCount == 0 }
        await clock.advance(by: .seconds(1))
        #expect(held.requests.isEmpty)
        #expect(model == nil)
    }
}
