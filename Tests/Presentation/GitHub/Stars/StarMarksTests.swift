import BrowseDomain
import BrowseMocks
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.timeLimit(.minutes(1)))
struct `Stars on a list` {
    private let mona = GitHub.User.sample(1, login: "mona")
    private let hubot = GitHub.User.sample(2, login: "hubot")
    private let held = HeldReplies<StarRepositoryDouble.Request, [GitHub.Repo.ID]>()
    private let pages = HeldReplies<RepoRepositoryDouble.Request, GitHub.SearchPage<GitHub.Repo>>()
    private let clock = TestClock()

    private func repo(_ id: Int, isPrivate: Bool = false) -> GitHub.Repo {
        GitHub.Repo(
            id: .init(rawValue: Int64(id)),
            name: "r\(id)",
            fullName: "o/r\(id)",
            starCount: 10,
            isPrivate: isPrivate
        )
    }

    private func page(_ repos: GitHub.Repo...) -> Result<GitHub.SearchPage<GitHub.Repo>, BrowseError> {
        .success(GitHub.SearchPage(page: Page(items: repos), totalCount: repos.count))
    }

    private func list(_ session: GitHub.SessionManager) -> RepoListViewModel {
        RepoListViewModel(
            repository: RepoRepositoryDouble.held(pages),
            favorites: InMemoryFavoriteRepository(),
            session: session,
            texts: .english
        )
    }

    private func session(_ user: GitHub.User?, starred: Int...) -> GitHub.SessionManager {
        held.answer(0, with: .success(starred.map { .init(rawValue: Int64($0)) }))
        return .inMemory(user, stars: StarRepositoryDouble.held(held), clock: clock)
    }

    @Test func `show at once with the count, on every list, and are undone with a notice`() async throws {
        let session = session(mona, starred: 1)
        await session.start()
        let (first, second) = (list(session), list(session))
        for (number, list) in [first, second].enumerated() {
            pages.answer(number, with: page(repo(1), repo(2)))
            await list.show(.publicRepos(of: .octocat))
            #expect(list.state.content.rows.map(\.isStarred) == [true, false])
        }
        let tap = Task { await first.toggleStar(at: 1) }
        await held.waitForRequests(2)
        #expect(first.state.content.rows[1].isStarred && first.state.content.rows[1].starCount == 11)
        await second.until { $0.content.rows[1].isStarred && $0.content.rows[1].starCount == 11 }
        held.answer(1, with: .failure(.forbidden(.sample)))
        #expect(await tap.value == nil)
        #expect(!first.state.content.rows[1].isStarred && first.state.content.rows[1].starCount == 10)
        #expect(first.state.notice?.kind == .forbidden)
        await second.until { !$0.content.rows[1].isStarred && $0.content.rows[1].starCount == 10 }
        #expect(second.state.notice == nil)
    }

    @Test func `lead to signing in when nobody is, also before that is known`() async throws {
        let known = session(nil)
        await known.start()
        let unknown = session(nil)
        for (number, session) in [known, unknown].enumerated() {
            let list = list(session)
            pages.answer(number, with: page(repo(1)))
            await list.show(.publicRepos(of: .octocat))
            #expect(await list.toggleStar(at: 0) == .signIn)
            #expect(await list.toggleStar(at: 7) == nil)
            #expect(list.state.notice == nil)
        }
    }

    @Test(arguments: [false, true])
    func `that are given while a page of the starred list is on its way are not lost by it`(isRefresh: Bool)
        async throws
    {
        let session = session(mona, starred: 1)
        await session.start()
        let list = list(session)
        if isRefresh {
            pages.answer(0, with: page(repo(1)))
            await list.show(.starred)
        }
        let number = pages.requests.count
        let loading = Task { if isRefresh { await list.refresh() } else { await list.show(.starred) } }
        await pages.waitForRequests(number + 1)
        held.answer(1, with: .success([]))
        try await session.stars.toggle(repo(2), shownAs: false)
        // GitHub had looked before it heard of the star.
        pages.answer(number, with: page(repo(1)))
        await loading.value
        await list.until { $0.content.rows.map(\.id) == [repo(2).id, repo(1).id] }
        #expect(list.state.content.rows.allSatisfy { $0.isStarred && $0.starCount == 11 || $0.id == repo(1).id })
    }

    @Test func `that were taken back stay in sight in the starred list until it is read again`() async throws {
        let session = session(mona, starred: 1, 2)
        await session.start()
        let list = list(session)
        pages.answer(0, with: page(repo(1), repo(2)))
        await list.show(.starred)
        held.answer(1, with: .success([]))
        _ = await list.toggleStar(at: 0)
        #expect(list.state.content.rows.map(\.isStarred) == [false, true])
        pages.answer(1, with: page(repo(2)))
        await list.refresh()
        #expect(list.state.content.rows.map(\.id) == [repo(2).id])
    }

    @Test func `of another person take the place, and nothing private of the one before stays or comes late`()
        async throws
    {
        let session = session(mona)
        await session.start()
        let own = list(session)
        pages.answer(0, with: page(repo(1, isPrivate: true)))
        await own.show(.own)
        let search = RepoSearchViewModel(
            searchRepos: GitHub.SearchRepos(repository: RepoRepositoryDouble.held(pages)),
            favorites: InMemoryFavoriteRepository(),
            session: session,
            texts: .english,
            clock: clock
        )
        search.query = "r"
        let searching = Task { await search.submit() }
        await pages.waitForRequests(2)
        try await session.signOut()
        await own.until { $0.content.rows.isEmpty }
        await pages.waitForRequests(4)
        // What was on its way for mona is cancelled, and asked for again.
        #expect(!pages.answer(1, with: page(repo(1, isPrivate: true))))
        for number in 2...3 {
            let isSearch = if case .search = pages.requests[number] { true } else { false }
            pages.answer(number, with: isSearch ? page(repo(3)) : .failure(.unauthorized(.sample)))
        }
        await searching.value
        await search.until { $0.content.rows.map(\.id) == [repo(3).id] }
        let message = Texts.english.message(for: GitHub.SignOutReason.requested)
        await own.until { $0.content.status == .failed(message) }

        held.answer(1, with: .success([]))
        try await session.signIn(with: GitHub.Credentials(token: Secret("hubots"), user: hubot))
        await pages.waitForRequests(5)
        pages.answer(4, with: page(repo(5, isPrivate: true)))
        await own.until { $0.content.rows.map(\.id) == [repo(5).id] }
    }

    @Test func `that could not be loaded are asked for again when the list is`() async throws {
        held.answer(0, with: .failure(.timedOut(.sample)))
        let session = GitHub.SessionManager.inMemory(mona, stars: StarRepositoryDouble.held(held), clock: clock)
        await session.start()
        let list = list(session)
        for number in 0...1 { pages.answer(number, with: page(repo(1))) }
        await list.show(.publicRepos(of: .octocat))
        #expect(!list.state.content.rows[0].isStarred)
        held.answer(1, with: .success([repo(1).id]))
        await list.refresh()
        await list.until { $0.content.rows.first?.isStarred == true }
    }
}
