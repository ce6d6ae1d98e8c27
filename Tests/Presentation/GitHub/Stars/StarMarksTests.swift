import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `Stars on a list` {
    private let mona = GitHub.User.sample(1, login: "mona")
    private let hubot = GitHub.User.sample(2, login: "hubot")
    private let held = ControlledResponses<InMemoryStarRepository.Call, [GitHub.Repo.ID]>()
    private let pages = ControlledResponses<InMemoryRepoRepository.Call, Page<GitHub.Repo>>()
    private let clock = TestClock()

    private func repo(_ id: Int, isPrivate: Bool = false) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)") {
            $0.starCount = 10
            $0.isPrivate = isPrivate
        }
    }

    private func page(_ repos: GitHub.Repo...) -> Result<Page<GitHub.Repo>, BrowseError> {
        .success(Page(items: repos, totalCount: repos.count))
    }

    private func list(_ session: GitHub.SessionManager) -> RepoListViewModel {
        RepoListViewModel(InMemoryRepoRepository(onCall: pages.response), session: session)
    }

    private func session(_ user: GitHub.User?, starred: Int...) -> GitHub.SessionManager {
        held.answer(0, with: .success(starred.map { .init(rawValue: Int64($0)) }))
        return .inMemory(user, stars: InMemoryStarRepository(onCall: held.response), clock: clock)
    }

    @Test func `change at once with their count in every list, and change back with a notice`() async throws {
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
        // Try Again would load the list; another tap repeats the change.
        #expect(first.state.notice?.kind == .forbidden && first.state.notice?.action == nil)
        // Its text is the reason only.
        #expect(first.state.notice?.title == "Star Not Changed")
        await second.until { !$0.content.rows[1].isStarred && $0.content.rows[1].starCount == 10 }
        #expect(second.state.notice == nil)
    }

    @Test func `are set as wanted, and sent only if GitHub has the other state`() async throws {
        let session = session(mona, starred: 1)
        await session.start()
        let list = list(session)
        pages.answer(0, with: page(repo(1), repo(2)))
        await list.show(.publicRepos(of: .octocat))
        #expect(await list.setStar(.init(rawValue: 1), to: true) == nil)
        #expect(await list.setStar(.init(rawValue: 2), to: false) == nil)
        #expect(held.requests.count == 1)
        #expect(list.state.content.rows.map(\.isStarred) == [true, false])
        #expect(list.state.content.rows.map(\.starCount) == [10, 10])
        // The last of several changes wins, and nothing is sent for those before.
        let star = Task { await list.setStar(.init(rawValue: 2), to: true) }
        await held.waitForRequests(2)
        let unstar = Task { await list.setStar(.init(rawValue: 2), to: false) }
        let again = Task { await list.setStar(.init(rawValue: 2), to: true) }
        await Task {}.value
        held.answer(1, with: .success([]))
        for task in [star, unstar, again] { #expect(await task.value == nil) }
        #expect(held.requests.count == 2)
        #expect(list.state.content.rows.map(\.isStarred) == [true, true])
    }

    @Test func `wait until the session is restored`() async throws {
        let reads = ControlledResponses<Int, Void>()
        held.answer(0, with: .success([]))
        let credentials = Credentials(token: try Secret("monas"), user: mona)
        let tokens = InMemoryTokenRepository(credentials) { call throws(BrowseError) in
            if call == .current { try await reads.response(to: 0) }
            return nil
        }
        let session = GitHub.SessionManager.inMemory(
            tokens: tokens,
            stars: InMemoryStarRepository(onCall: held.response),
            clock: clock
        )
        let list = list(session)
        pages.answer(0, with: page(repo(1)))
        await list.show(.publicRepos(of: .octocat))
        let tap = Task { await list.toggleStar(at: 0) }
        await reads.waitForRequests(1)
        #expect(session.current == .restoring)
        reads.answer(0, with: .success(()))
        held.answer(1, with: .success([]))
        #expect(await tap.value == nil)
        #expect(list.state.content.rows[0].isStarred)
    }

    @Test func `have no notice if the session ends meanwhile`() async throws {
        let session = session(mona)
        await session.start()
        let list = list(session)
        pages.answer(0, with: page(repo(1)))
        await list.show(.publicRepos(of: .octocat))
        let tap = Task { await list.toggleStar(at: 0) }
        await held.waitForRequests(2)
        try await session.signOut()
        #expect(await tap.value == nil)
        #expect(list.state.notice == nil)
        #expect(!list.state.content.rows[0].isStarred)
    }

    @Test func `appear when the starred list contains them`() async throws {
        let session = session(mona)
        await session.start()
        let list = list(session)
        pages.answer(0, with: page(repo(1)))
        await list.show(.starred)
        #expect(list.state.content.rows.map(\.isStarred) == [true])
    }

    @Test func `don't reload a list when its user is identified`() async throws {
        let profiles = ControlledResponses<Int, GitHub.UserProfile>()
        held.answer(0, with: .success([]))
        let session = GitHub.SessionManager.inMemory(
            tokens: InMemoryTokenRepository(Credentials(token: try Secret("monas"))),
            users: InMemoryUserRepository(held: profiles),
            stars: InMemoryStarRepository(onCall: held.response),
            clock: clock
        )
        async let started: Void = session.start()
        await profiles.waitForRequests(1)
        let list = list(session)
        pages.answer(0, with: page(repo(1, isPrivate: true)))
        await list.show(.own)
        let sessions = session.sessions
        profiles.answer(0, with: .success(GitHub.UserProfile(user: mona) { $0.memberSince = .distantPast }))
        await started
        for await session in sessions where session == .ready(mona) { break }
        #expect(list.state.content.rows.map(\.id) == [repo(1).id])
        #expect(pages.requests.count == 1)
    }

    private func screen(_ session: GitHub.SessionManager) -> RepoDetailViewModel {
        RepoDetailViewModel(
            repository: InMemoryRepoRepository(onCall: pages.response),
            session: session,
            options: .english.with(InMemoryFavoriteRepository())
        )
    }

    /// hackers-pub/android#144
    @Test func `change back with a notice, which a README that loads doesn't remove`() async throws {
        let session = session(mona)
        await session.start()
        let screen = screen(session)
        pages.answer(0, with: page(repo(1)))
        pages.answer(1, with: page())
        await screen.show(repo(1).id)
        let refresh = Task { await screen.refresh() }
        await pages.waitForRequests(3)
        held.answer(1, with: .failure(.forbidden(.sample)))
        #expect(await screen.toggleStar() == nil)
        #expect(screen.state.notice?.kind == .forbidden)
        pages.answer(2, with: page(repo(1)))
        pages.answer(3, with: page())
        await refresh.value
        #expect(screen.state.notice?.kind == .forbidden && screen.state.row?.isStarred == false)
    }

    @Test func `change back with a notice, which a README that failed before doesn't remove`() async throws {
        let session = session(mona)
        await session.start()
        let screen = screen(session)
        for number in [0, 2] { pages.answer(number, with: page(repo(1))) }
        pages.answer(1, with: page())
        await screen.show(repo(1).id)
        pages.answer(3, with: .failure(.timedOut(.sample)))
        await screen.refresh()
        #expect(screen.state.notice?.error == .timedOut(.sample))
        let refresh = Task { await screen.refresh() }
        await pages.waitForRequests(5)
        held.answer(1, with: .failure(.forbidden(.sample)))
        #expect(await screen.toggleStar() == nil)
        #expect(screen.state.notice?.kind == .forbidden)
        pages.answer(4, with: page(repo(1)))
        pages.answer(5, with: page())
        await refresh.value
        #expect(screen.state.notice?.kind == .forbidden && screen.state.row?.isStarred == false)
    }

    @Test func `have no notice on the screen of another repository`() async throws {
        let session = session(mona)
        await session.start()
        let screen = screen(session)
        for number in [0, 2] {
            pages.answer(number, with: page(repo(number / 2 + 1)))
            pages.answer(number + 1, with: page())
        }
        await screen.show(repo(1).id)
        let tap = Task { await screen.toggleStar() }
        await held.waitForRequests(2)
        await screen.show(repo(2).id)
        held.answer(1, with: .failure(.forbidden(.sample)))
        #expect(await tap.value == nil)
        #expect(screen.state.id == repo(2).id && screen.state.notice == nil)
    }

    @Test func `return the sign-in route if nobody is signed in, even before that is known`() async throws {
        let known = session(nil)
        await known.start()
        let unknown = session(nil)
        for (number, session) in [known, unknown].enumerated() {
            let list = list(session)
            pages.answer(number, with: page(repo(1)))
            await list.show(.publicRepos(of: .octocat))
            #expect(await list.toggleStar(at: 0) == .signIn)
            #expect(list.state.notice == Texts.english.about(.gitHub).starWaits)
            #expect(list.state.notice?.action == .signIn)
            #expect(await list.toggleStar(at: 7) == nil)
            #expect(await list.setStar(list.state.content.rows[0].id, to: false) == nil)
            #expect(list.state.notice == nil)
        }
    }

    @Test(arguments: [false, true])
    func `survive a page of the starred list that was in flight`(isRefresh: Bool) async throws {
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
        if isRefresh {
            await held.waitForRequests(2)
            held.answer(1, with: .success([repo(1).id]))
        }
        held.answer(isRefresh ? 2 : 1, with: .success([]))
        _ = await session.stars.setStarred(true, for: repo(2))?.outcome
        // GitHub had looked before it heard of the star.
        pages.answer(number, with: page(repo(1)))
        await loading.value
        await list.until { $0.content.rows.map(\.id) == [repo(2).id, repo(1).id] }
        #expect(list.state.content.rows.allSatisfy { $0.isStarred && $0.starCount == 11 || $0.id == repo(1).id })
    }

    @Test func `aren't derived from a cached page, whose counts are old`() async throws {
        let session = session(mona, starred: 1, 2)
        await session.start()
        held.answer(1, with: .success([]))
        _ = await session.stars.setStarred(false, for: repo(1))?.outcome
        let held = ControlledResponses<LoadOptions.Source, Page<GitHub.Repo>>()
        let repository = InMemoryRepoRepository { _ throws(BrowseError) in
            let source = LoadOptions.current.source
            let page = try await held.response(to: source)
            ProvenanceRecord.current?.note(source == .cacheOnly ? .stale(since: Date()) : .fresh)
            return page
        }
        let options = ScreenOptions(texts: .english) { $0.policy = .cachedFirst }
        let list = RepoListViewModel(repository, session: session, options: options)
        // The third star was removed elsewhere before the starred list was requested.
        held.answer(0, with: .success(Page(items: [repo(1), repo(2), repo(3)])))
        let loading = Task { await list.show(.starred) }
        await list.until { $0.content.rows.count == 3 }
        #expect(list.state.content.rows.map(\.isStarred) == [false, true, false])
        #expect(list.state.content.rows.map(\.starCount) == [9, 10, 10])
        held.answer(1, with: .success(Page(items: [repo(2)])))
        await loading.value
        #expect(list.state.content.rows.map(\.id) == [repo(2).id])
        #expect(!session.stars.isStarred(repo(1).id) && !session.stars.isStarred(repo(3).id))
    }

    @Test func `stay on a list whose next page needs a sign-in`() async throws {
        let session = session(nil)
        await session.start()
        let list = list(session)
        let first = Page(items: [repo(1)], next: PageCursor(rawValue: "2"))
        pages.answer(0, with: .success(first))
        await list.show(.publicRepos(of: .octocat))
        pages.answer(1, with: .failure(.unauthorized(.refused)))
        await list.loadMore()
        #expect(list.state.content.rows.map(\.id) == [repo(1).id])
        let message = Texts.english.about(.gitHub).message(for: .unauthorized(.refused))
        #expect(list.state.content.status == .failedMore(message))
    }

    @Test func `added to the starred list show whether they are favorites`() async throws {
        let session = session(mona, starred: 1)
        await session.start()
        let favorites = InMemoryFavoriteRepository([.repo(repo(2))])
        let repos = InMemoryRepoRepository(onCall: pages.response)
        let list = RepoListViewModel(repos, favorites: favorites, session: session)
        pages.answer(0, with: page(repo(1)))
        await list.show(.starred)
        held.answer(1, with: .success([]))
        _ = await session.stars.setStarred(true, for: repo(2))?.outcome
        let state = await list.until { $0.content.rows.count == 2 }
        #expect(state.content.rows.map(\.id) == [repo(2).id, repo(1).id])
        #expect(state.content.rows.map(\.isFavorite) == [true, false])
    }

    @Test func `stay in the starred list until a refresh after they are removed`() async throws {
        let session = session(mona, starred: 1, 2)
        await session.start()
        let list = list(session)
        pages.answer(0, with: page(repo(1), repo(2)))
        await list.show(.starred)
        held.answer(1, with: .success([]))
        _ = await list.toggleStar(at: 0)
        #expect(list.state.content.rows.map(\.isStarred) == [false, true])
        pages.answer(1, with: page(repo(2)))
        held.answer(2, with: .success([repo(2).id]))
        await list.refresh()
        #expect(list.state.content.rows.map(\.id) == [repo(2).id])
    }

    @Test func `disappear from every list when a refresh shows that they were removed elsewhere`() async throws {
        let session = session(mona, starred: 1, 2)
        await session.start()
        let (starred, other) = (list(session), list(session))
        pages.answer(0, with: page(repo(1), repo(2)))
        await starred.show(.starred)
        pages.answer(1, with: page(repo(1), repo(2)))
        await other.show(.publicRepos(of: .octocat))
        pages.answer(2, with: page(repo(2)))
        held.answer(1, with: .success([repo(2).id]))
        await starred.refresh()
        await other.until { $0.content.rows.map(\.isStarred) == [false, true] }
    }

    @Test func `that GitHub didn't confirm stay as tapped, with a notice, and are checked by Try Again`() async throws {
        let session = session(mona, starred: 2)
        await session.start()
        let list = list(session)
        pages.answer(0, with: page(repo(1), repo(2)))
        await list.show(.publicRepos(of: .octocat))
        let lost = BrowseError.unreachable(.connectionLost, .sample)
        held.answer(1, with: .failure(lost))
        held.answer(2, with: .failure(lost))
        #expect(await list.toggleStar(at: 0) == nil)
        #expect(held.requests.last == .isStarred(repo(1).id))
        #expect(list.state.content.rows[0].isStarred && list.state.content.rows[0].starCount == 11)
        #expect(list.state.notice?.title == "Star Not Confirmed" && list.state.notice?.action == .retry)
        held.answer(3, with: .success([repo(2).id]))
        await list.retry()
        await list.until { !$0.content.rows[0].isStarred && $0.content.rows[0].starCount == 10 && $0.notice == nil }
    }

    @Test func `that GitHub didn't confirm have no notice after another screen has changed them`() async throws {
        held.answer(0, with: .success([]))
        let stars = InMemoryStarRepository(onCall: held.response)
        let session = GitHub.SessionManager.inMemory(mona, stars: stars, clock: ImmediateClock())
        await session.start()
        let (first, second) = (list(session), list(session))
        for (number, list) in [first, second].enumerated() {
            pages.answer(number, with: page(repo(1)))
            await list.show(.publicRepos(of: .octocat))
        }
        let lost = BrowseError.unreachable(.connectionLost, .sample)
        for number in 1...2 { held.answer(number, with: .failure(lost)) }
        #expect(await first.toggleStar(at: 0) == nil)
        #expect(first.state.notice?.title == "Star Not Confirmed")
        await second.until { $0.content.rows[0].isStarred }
        held.answer(3, with: .success([]))
        #expect(await second.toggleStar(at: 0) == nil)
        #expect(held.requests.last == .set(false, repo(1).id))
        await first.until { $0.notice == nil }
        await first.retry()
        #expect(first.state.notice == nil)
    }

    @Test func `that GitHub refuses keep their notice when an earlier one is confirmed`() async throws {
        held.answer(0, with: .success([]))
        let stars = InMemoryStarRepository(onCall: held.response)
        let (scopes, token) = (Monitor(["user"]), try Secret("monas"))
        let tokens = InMemoryTokenRepository { [mona] call in
            guard call == .current else { return nil }
            return TokenGrant(id: 1, credentials: Credentials(token: token, scopes: scopes.value, user: mona))
        }
        let session = GitHub.SessionManager.inMemory(tokens: tokens, stars: stars, clock: ImmediateClock())
        await session.start()
        let (first, second) = (list(session), list(session))
        for (number, list) in [first, second].enumerated() {
            pages.answer(number, with: page(repo(1), repo(2), repo(3)))
            await list.show(.publicRepos(of: .octocat))
        }
        // A list that has received the session shows no notice again later because of it.
        scopes.withLock { $0 = ["repo"] }
        await session.start()
        for list in [first, second] { await list.until { $0.content.rows.allSatisfy(\.canStar) } }
        let lost = BrowseError.unreachable(.connectionLost, .sample)
        for number in 1...2 { held.answer(number, with: .failure(lost)) }
        #expect(await first.toggleStar(at: 0) == nil)
        #expect(first.state.notice?.title == "Star Not Confirmed")
        held.answer(3, with: .failure(.forbidden(.sample)))
        #expect(await first.toggleStar(at: 1) == nil)
        #expect(first.state.notice?.kind == .forbidden)
        await second.until { $0.content.rows[0].isStarred }
        for number in 4...5 { held.answer(number, with: .success([])) }
        #expect(await second.toggleStar(at: 0) == nil)
        #expect(await second.toggleStar(at: 2) == nil)
        // The changes arrive in order.
        await first.until { !$0.content.rows[0].isStarred && $0.content.rows[2].isStarred }
        #expect(first.state.notice?.kind == .forbidden)
    }

    @Test func `that can't be loaded may be missing in the next list, too`() async throws {
        let stars = InMemoryStarRepository { _ throws(BrowseError) in throw .timedOut(.sample) }
        let session = GitHub.SessionManager.inMemory(mona, stars: stars, clock: clock)
        await session.start()
        let list = list(session)
        for (number, login) in ["mona", "hubot"].enumerated() {
            pages.answer(number, with: page(repo(1)))
            await list.show(.publicRepos(of: GitHub.Login(login)))
            await list.until { $0.notice == Texts.english.starsMissing }
        }
    }

    @Test func `change with the user, and no private row of the previous user stays or arrives late`() async throws {
        let session = session(mona)
        await session.start()
        let own = list(session)
        pages.answer(0, with: page(repo(1, isPrivate: true)))
        await own.show(.own)
        let search = RepoSearchViewModel(
            repository: InMemoryRepoRepository(onCall: pages.response),
            session: session,
            options: ScreenOptions(texts: .english) { $0.clock = clock }.with(InMemoryFavoriteRepository())
        )
        search.query.text = "r"
        let searching = Task { await search.submit() }
        await pages.waitForRequests(2)
        try await session.signOut()
        await own.until { $0.content.rows.isEmpty }
        await pages.waitForRequests(4)
        // The loads for mona are canceled and repeated.
        #expect(!pages.answer(1, with: page(repo(1, isPrivate: true))))
        for number in 2...3 {
            let isSearch = if case .search = pages.requests[number] { true } else { false }
            pages.answer(number, with: isSearch ? page(repo(3)) : .failure(.unauthorized(.refused)))
        }
        await searching.value
        await search.until { $0.content.rows.map(\.id) == [repo(3).id] }
        let message = Texts.english.message(for: SignOutReason.requested)
        await own.until { $0.content.status == .failed(message) }

        held.answer(1, with: .success([]))
        try await session.signIn(with: Credentials(token: Secret("hubots"), user: hubot))
        await pages.waitForRequests(5)
        pages.answer(4, with: page(repo(5, isPrivate: true)))
        await own.until { $0.content.rows.map(\.id) == [repo(5).id] }
    }

    /// dzikoysk/reposilite#911
    @Test func `leave with the user from rows that a filter hides`() async throws {
        let session = session(mona)
        await session.start()
        let list = list(session)
        pages.answer(0, with: page(repo(1, isPrivate: true), repo(2)))
        await list.show(.publicRepos(of: .octocat))
        list.filter = "r2"
        #expect(list.state.content.rows.map(\.id) == [repo(2).id])
        pages.answer(1, with: page(repo(2)))
        try await session.signOut()
        await pages.waitForRequests(2)
        await list.until { $0.content.status == .ready && $0.content.loadedCount == 1 }
        list.filter = ""
        #expect(list.state.content.rows.map(\.id) == [repo(2).id])
    }

    @Test func `are loaded again with the list if they failed`() async throws {
        held.answer(0, with: .failure(.timedOut(.sample)))
        let session = GitHub.SessionManager.inMemory(
            mona,
            stars: InMemoryStarRepository(onCall: held.response),
            clock: clock
        )
        await session.start()
        let list = list(session)
        for number in 0...1 { pages.answer(number, with: page(repo(1))) }
        await list.show(.publicRepos(of: .octocat))
        #expect(!list.state.content.rows[0].isStarred)
        held.answer(1, with: .success([repo(1).id]))
        await list.refresh()
        await list.until { $0.content.rows.first?.isStarred == true }
    }

    @Test(arguments: [true, false])
    func `aren't missing if the later of two loads succeeds, whichever ends first`(isLateFailure: Bool) async throws {
        let session = session(mona, starred: 1)
        await session.start()
        let lists = [list(session), list(session)]
        for number in 0..<4 { pages.answer(number, with: page(repo(1))) }
        for list in lists { await list.show(.starred) }
        var loads: [Task<Void, Never>] = []
        for list in lists {
            loads.append(Task { await list.refresh() })
            await held.waitForRequests(loads.count + 1)
        }
        if isLateFailure {
            held.answer(2, with: .success([repo(1).id]))
            await loads[1].value
        }
        held.answer(1, with: .failure(.timedOut(.sample)))
        await loads[0].value
        if !isLateFailure {
            await lists[1].until { $0.notice == Texts.english.starsMissing }
            held.answer(2, with: .success([repo(1).id]))
            await loads[1].value
        }
        #expect(!session.needsRetry)
        for list in lists { await list.until { $0.notice == nil } }
    }
}
