import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The repository search` {
    private let held = ControlledResponses<InMemoryRepoRepository.Call, Page<GitHub.Repo>>()
    private let clock = TestClock()
    private let favorites = InMemoryFavoriteRepository([.repo(.sample(1)), .user(.sample(2))])

    private func model(
        _ other: InMemoryFavoriteRepository? = nil,
        webHost: String = "github.com"
    ) -> RepoSearchViewModel {
        RepoSearchViewModel(
            repository: InMemoryRepoRepository(onCall: held.response),
            session: .inMemory(),
            options: ScreenOptions(texts: .english) { $0.clock = clock }.with(other ?? favorites),
            webHost: webHost
        )
    }

    private func page(_ repos: Range<Int>, of total: Int? = nil, next: String? = nil) -> Page<GitHub.Repo> {
        let rows = repos.map { GitHub.Repo.sample($0) }
        return Page(items: rows, next: next.map(PageCursor.init(rawValue:)), totalCount: total ?? rows.count)
    }

    @Test func `searches for any text, after a pause`() async throws {
        let model = model()
        model.query.text = "C++ a&b=c 하늘 👩‍👩‍👧"
        await clock.waitForSleepers(1)
        #expect(model.state.isWaiting)
        await clock.advance(by: .milliseconds(300))
        await held.waitForRequests(1)
        held.answer(0, with: .success(page(0..<2)))
        await model.until { $0.content.status == .ready }
        let text = try GitHub.SearchText("C++ a&b=c 하늘 👩‍👩‍👧")
        #expect(held.requests == [.search(GitHub.RepoSearch(text: text), at: nil)])
        #expect(model.state.summary == "2 results")
        #expect(model.select(at: 1) == .gitHub(.repo(model.state.content.rows[1].id)))
        #expect(model.select(at: 2) == nil)
    }

    /// HanaDigital/grev#52, desktop/desktop#15877, pingdotgg/t3code#8340, google-gemini/gemini-cli#14556
    @Test(arguments: [
        "https://github.com/octocat/hello-world", "git@github.com:octocat/hello-world.git",
        "www.github.com/octocat/hello-world/issues/7?q=tea#a", "<https://github.com/octocat/hello-world.wiki.git>",
        "https://raw.githubusercontent.com/octocat/hello-world/main/tea.md",
        "https://octocat:secret@github.com/octocat/hello-world.git",
        "https://x-access-token:secret@github.com/octocat/hello-world",
    ])
    func `finds the repository of a pasted address, or of a page in it`(address: String) async {
        let model = model()
        model.query.text = address
        held.answer(0, with: .success(page(7..<8)))
        await model.submit()
        #expect(held.requests == [.details(named: "hello-world", of: .octocat)])
        #expect(model.state.content.rows.map(\.id.rawValue) == [7] && model.state.summary == nil)
    }

    @Test(arguments: [
        "https://github.com/octocat", "https://gist.github.com/octocat/82b5feaa4628a0a1d11bb2f88486ab98",
        "https://github.com/orgs/octocat/repositories", "https://github.example.com/octocat/hello-world",
        "octocat/hello-world", "github.com/octocat/hello-world in:readme",
    ])
    func `searches for other addresses, and for one among words`(text: String) async throws {
        let model = model()
        model.query.text = text
        held.answer(0, with: .success(page(7..<8)))
        await model.submit()
        #expect(held.requests == [.search(GitHub.RepoSearch(text: try GitHub.SearchText(text)), at: nil)])
    }

    @Test func `finds the repository of an address of its own server`() async {
        let model = model(webHost: "github.example.com")
        model.query.text = "https://github.example.com/raw/octocat/hello-world/main/tea.md"
        held.answer(0, with: .success(page(7..<8)))
        await model.submit()
        #expect(held.requests == [.details(named: "hello-world", of: .octocat)])
    }

    @Test func `searches again at once when the order changes, and keeps the previous rows until a response`()
        async throws
    {
        let model = model()
        model.query.text = "swift"
        held.answer(0, with: .success(page(0..<3)))
        await model.submit()
        model.query.sort = .stars
        #expect(model.state.content.status == .refreshing)
        #expect(model.state.content.rows.count == 3 && model.state.totalCount == 3)
        await held.waitForRequests(2)
        model.query.order = .ascending
        await held.waitForRequests(3)
        #expect(!held.answer(1, with: .success(page(0..<1))))
        held.answer(2, with: .success(page(5..<7)))
        await model.until { $0.content.status == .ready }
        #expect(model.state.content.rows.map(\.id.rawValue) == [5, 6])
        let text = try GitHub.SearchText("swift")
        #expect(
            held.requests == [
                .search(GitHub.RepoSearch(text: text), at: nil),
                .search(GitHub.RepoSearch(text: text, sort: .stars), at: nil),
                .search(GitHub.RepoSearch(text: text, sort: .stars, order: .ascending), at: nil),
            ]
        )
        model.query.sort = .stars
        model.query.text = ""
        model.query.sort = .forks
        #expect(held.requests.count == 3)
    }

    @Test func `keeps its results when the order of the best match changes, which has only one`() async {
        let model = model()
        model.query.text = "swift"
        held.answer(0, with: .success(page(0..<3)))
        await model.submit()
        model.query.order = .ascending
        #expect(model.state.content.status == .ready)
        #expect(model.state.query.order == .ascending)
        #expect(held.requests.count == 1)
    }

    @Test func `loads the next page within ten rows of the end, even if rows were skipped`() async {
        let model = model()
        model.query.text = "swift"
        held.answer(0, with: .success(page(0..<100, of: 300, next: "b")))
        held.answer(1, with: .success(page(100..<200, of: 300, next: "c")))
        held.answer(2, with: .success(page(200..<300, of: 300)))
        await model.submit()
        await model.rowAppeared(at: 88)
        #expect(held.requests.count == 1)
        await model.rowAppeared(at: 89)
        #expect(held.requests.count == 2)
        await model.rowAppeared(at: 199)
        #expect(model.state.content.rows.count == 300)
    }

    @Test func `marks favorites, and undoes a mark that can't be stored`() async {
        let model = model()
        model.query.text = "swift"
        held.answer(0, with: .success(page(0..<3)))
        await model.submit()
        #expect(model.state.content.rows.map(\.isFavorite) == [false, true, false])
        await model.toggleFavorite(at: 1)
        await model.toggleFavorite(at: 2)
        #expect(model.state.content.rows.map(\.isFavorite) == [false, false, true])
        await model.toggleFavorite(at: 99)
        #expect(model.state.notice == nil)
    }

    @Test(arguments: ["other", ""])
    func `removes the notice of the previous results`(text: String) async {
        let full = InMemoryFavoriteRepository { _ throws(BrowseError) in
            throw .storageFailed(StorageFailure(reason: .full, file: "x"))
        }
        let model = model(full)
        for number in 0..<2 { held.answer(number, with: .success(page(0..<3))) }
        model.query.text = "swift"
        await model.submit()
        await model.toggleFavorite(at: 0)
        #expect(model.state.notice?.kind == .storage)
        model.query.text = text
        if !text.isEmpty { await model.submit() }
        #expect(model.state.notice == nil)
    }
}

@MainActor @Suite(.bounded)
struct `The list of repositories` {
    private let held = ControlledResponses<InMemoryRepoRepository.Call, Page<GitHub.Repo>>()
    private let favorites = InMemoryFavoriteRepository([.repo(.sample(1))])
    private let octocats = GitHub.RepoList.publicRepos(of: GitHub.Login("octocat"))

    private func model() -> RepoListViewModel {
        let repository = InMemoryRepoRepository(onCall: held.response)
        let options = ScreenOptions.english(prefetchDistance: 1)
        return RepoListViewModel(repository, favorites: favorites, session: .inMemory(), options: options)
    }

    private func page(_ repos: Range<Int>, next: String? = nil) -> Page<GitHub.Repo> {
        Page(items: repos.map { GitHub.Repo.sample($0) }, next: next.map(PageCursor.init(rawValue:)))
    }

    @Test func `shows the repositories of an account page by page, with marks`() async {
        let model = model()
        held.answer(0, with: .success(page(0..<3, next: "b")))
        held.answer(1, with: .success(page(3..<5)))
        await model.show(octocats)
        #expect(model.state.title == "Repositories of octocat")
        #expect(model.state.content.rows.map(\.isFavorite) == [false, true, false])
        await model.rowAppeared(at: 0)
        #expect(held.requests == [.page(of: octocats, at: nil)])
        await model.rowAppeared(at: 1)
        #expect(held.requests.last == .page(of: octocats, at: PageCursor(rawValue: "b")))
        #expect(model.state.content.rows.map(\.name) == (0..<5).map { "repo-\($0)" })
        #expect(!model.state.content.hasMore)
    }

    @Test(arguments: [
        (GitHub.RepoList.own, "Your Repositories", "You don’t have any repositories yet."),
        (.starred, "Your Stars", "Repositories you star appear here."),
        (.publicRepos(of: .init("mona")), "Repositories of mona", "mona doesn’t have any public repositories yet."),
    ])
    func `has a title and an empty message for each list`(list: GitHub.RepoList, title: String, empty: String) async {
        let model = model()
        held.answer(0, with: .success(page(0..<0)))
        await model.show(list)
        #expect(model.state.title == title)
        #expect(model.state.content.status.emptyMessage?.text == empty)
    }
}
