import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseGitHubDomain
@testable import BrowseGitHubPresentation
@testable import BrowsePresentation

/// A model of GitHub: its repositories and stars, and the requests in flight.
private final class Server: Sendable {
    enum Request: Hashable, Sendable {
        case page(GitHub.RepoList, from: Int)
        case search(from: Int)
        case starred
        case set(Bool, Int)
        case isStarred(Int)
    }

    enum Response: Sendable {
        case rows([GitHub.Repo], next: Int?)
        case ids([GitHub.Repo.ID])
        case done
    }

    private struct State {
        var others: [Int: Int] = [:]
        /// By the number of the account, in the order of starring.
        var stars: [Int64: [Int]] = [:]
        /// The responses that are ready to be delivered.
        var prepared: [Int: Result<Response, BrowseError>] = [:]
        var told: Set<Int> = []
        var canLoadUsers = true
    }

    static let repoCount = 9
    static let pageSize = 4
    let tokens = InMemoryTokenRepository()
    private let held = ControlledResponses<(Request, TokenGrant?), Response>()
    private let state = Monitor(State())

    init(random: inout SeededGenerator, users: [Int64]) {
        for id in 0..<Self.repoCount {
            let count = Int.random(in: 3...9, using: &random)
            state.withLock { $0.others[id] = count }
        }
        for user in users {
            let starred = (0..<Self.repoCount).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            state.withLock { $0.stars[user] = starred }
        }
    }

    var requestCount: Int { held.requests.count }
    func waitForRequests(_ count: Int) async { await held.waitForRequests(count) }

    func setCanLoadUsers(_ canLoadUsers: Bool) { state.withLock { $0.canLoadUsers = canLoadUsers } }

    private static func user(of credentials: Credentials?) -> Int64? {
        (1...2).first { (try? Secret("token-\($0)")) == credentials?.token }
    }

    var users: InMemoryUserRepository {
        InMemoryUserRepository { [self] _ throws(BrowseError) in
            // A sign-in in place of a session tries its credentials first.
            let stored = try await tokens.current()?.credentials
            guard state.value.canLoadUsers, let id = Self.user(of: Credentials.tried ?? stored) else {
                throw .serverFailure(BrowseError.RequestInfo(endpoint: "GET /user", status: 503))
            }
            let user = GitHub.User(id: .init(rawValue: id), login: GitHub.Login("user-\(id)"))
            return .profile(GitHub.UserProfile(user: user) { $0.memberSince = .distantPast })
        }
    }

    func isStarred(_ id: Int, by user: Int64?) -> Bool {
        let state = state.value
        return user.map { state.stars[$0]?.contains(id) == true } ?? false
    }

    func count(of id: Int) -> Int {
        let state = state.value
        return state.others[id, default: 0] + state.stars.values.count { $0.contains(id) }
    }

    private func repo(_ id: Int) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)") {
            $0.starCount = count(of: id)
        }
    }

    private func send(_ request: Request) async throws(BrowseError) -> Response {
        let grant = try await tokens.current()
        return try await held.response(to: (request, grant))
    }

    enum Fate: CaseIterable { case refused, lost, unsent }

    /// Performs a request without delivering its response. It fails with a fate, if it has one.
    func prepare(_ index: Int, _ fate: Fate? = nil) async {
        let known = state.value
        guard known.prepared[index] == nil, !known.told.contains(index) else { return }
        let (request, grant) = held.requests[index]
        let user = Self.user(of: grant?.credentials)
        // A request that was canceled with its session does not arrive any more.
        let arrives = (try? await tokens.current())?.id == grant?.id
        let response: Result<Response, BrowseError>
        switch request {
        case _ where fate == .refused:
            response = .failure(.forbidden(BrowseError.RequestInfo(endpoint: "\(request)", status: 403)))
        case _ where fate == .unsent:
            response = .failure(.unreachable(.connectionLost, .sample))
        case .page(.starred, let from):
            let ids: [Int] = state.withLock { state in user.flatMap { state.stars[$0] }?.reversed() ?? [] }
            response = .success(rows(ids, from: from))
        case .page(_, let from), .search(let from):
            response = .success(rows(Array(0..<Self.repoCount), from: from))
        case .starred:
            let ids = state.withLock { state in user.flatMap { state.stars[$0] } ?? [] }
            response = .success(.ids(ids.map { .init(rawValue: Int64($0)) }))
        case .isStarred(let id):
            response = .success(.ids(isStarred(id, by: user) ? [.init(rawValue: Int64(id))] : []))
        case .set(let isStarred, let id):
            state.withLock { state in
                guard let user, arrives else { return }
                state.stars[user, default: []].removeAll { $0 == id }
                if isStarred { state.stars[user, default: []].append(id) }
            }
            response = fate == .lost ? .failure(.unreachable(.connectionLost, .sample)) : .success(.done)
        }
        state.withLock { $0.prepared[index] = response }
    }

    private func rows(_ ids: [Int], from: Int) -> Response {
        let end = min(from + Self.pageSize, ids.count)
        return .rows(ids[min(from, end)..<end].map(repo), next: end < ids.count ? end : nil)
    }

    /// Delivers the response of a request.
    func tell(_ index: Int) async {
        await prepare(index)
        let response = state.withLock { state in
            state.told.insert(index)
            return state.prepared.removeValue(forKey: index)
        }
        if let response { held.answer(index, with: response) }
    }

    /// The responses that are ready to be delivered.
    var waiting: [Int] {
        let told = state.value.told
        return held.requests.indices.filter { !told.contains($0) }
    }

    var repos: InMemoryRepoRepository {
        InMemoryRepoRepository { [self] call throws(BrowseError) in
            let request: Request
            switch call {
            case .page(let list, let cursor): request = .page(list, from: cursor.flatMap { Int($0.rawValue) } ?? 0)
            case .search(_, let cursor): request = .search(from: cursor.flatMap { Int($0.rawValue) } ?? 0)
            default: return nil
            }
            var page = try await page(request)
            page.totalCount = Self.repoCount
            return page
        }
    }

    private func page(_ request: Request) async throws(BrowseError) -> Page<GitHub.Repo> {
        guard case .rows(let rows, let next) = try await send(request) else { throw .cancelled }
        return Page(items: rows, next: next.map { PageCursor(rawValue: "\($0)") })
    }

    var stars: InMemoryStarRepository {
        InMemoryStarRepository { [self] call throws(BrowseError) in
            let request: Request =
                switch call {
                case .list: .starred
                case .set(let isStarred, let id): .set(isStarred, Int(id.rawValue))
                case .isStarred(let id): .isStarred(Int(id.rawValue))
                }
            switch try await send(request) {
            case .ids(let ids): return ids
            case .done: return nil
            case .rows: throw .cancelled
            }
        }
    }
}

@MainActor @Suite(.bounded)
struct `Stars on several lists beside a model` {
    private static let users: [Int64] = [1, 2]

    /// Random stars, responses, and sign-ins on three lists.
    ///
    /// Requests are refused, lost, or canceled, and the user can't always be loaded.
    /// In the end, every tap has returned, nothing is pending, and refreshed lists show the stars and counts of the server.
    @Test(arguments: 0..<150)
    func `show the server's value in the end`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let server = Server(random: &random, users: Self.users)
        let clock = TestClock()
        let session = GitHub.SessionManager.inMemory(
            tokens: server.tokens,
            users: server.users,
            stars: server.stars,
            clock: clock
        )
        let favorites = InMemoryFavoriteRepository()
        func list() -> RepoListViewModel {
            RepoListViewModel(repository: server.repos, session: session, options: .english.with(favorites))
        }
        let (everything, starred) = (list(), list())
        let search = RepoSearchViewModel(
            repository: server.repos,
            session: session,
            options: ScreenOptions(texts: .english) { $0.clock = clock }.with(favorites)
        )
        var tasks: [Task<Void, Never>] = []
        func begin(_ work: @escaping @MainActor () async -> Void) { tasks.append(Task { await work() }) }
        func tap(_ random: inout SeededGenerator) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                guard let row = everything.state.content.rows.indices.randomElement(using: &random) else { return }
                begin { _ = await everything.toggleStar(at: row) }
            case 1:
                guard let row = starred.state.content.rows.indices.randomElement(using: &random) else { return }
                begin { _ = await starred.toggleStar(at: row) }
            default:
                guard let row = search.state.content.rows.indices.randomElement(using: &random) else { return }
                begin { _ = await search.toggleStar(at: row) }
            }
        }
        search.query.text = "r"
        begin { await everything.show(.publicRepos(of: .octocat)) }
        begin { await starred.show(.starred) }
        begin { await search.submit() }

        for _ in 0..<90 {
            switch Int.random(in: 0..<25, using: &random) {
            case 0..<8: tap(&random)
            case 8..<12:
                guard let index = server.waiting.randomElement(using: &random) else { break }
                let fails = server.isWrite(index) && Int.random(in: 0..<3, using: &random) == 0
                await server.prepare(index, fails ? Server.Fate.allCases.randomElement(using: &random) : nil)
            case 12..<18:
                if let index = server.waiting.randomElement(using: &random) { await server.tell(index) }
            case 18: begin { await everything.refresh() }
            case 19: begin { await everything.loadMore() }
            case 20: begin { await search.submit() }
            case 21: await clock.advance(by: .seconds(1))
            case 22:
                guard let id = Self.users.randomElement(using: &random) else { break }
                server.setCanLoadUsers(Int.random(in: 0..<3, using: &random) > 0)
                let credentials = Credentials(token: try Secret("token-\(id)"))
                begin { try? await session.signIn(with: credentials) }
            case 23: tasks.randomElement(using: &random)?.cancel()
            default:
                if Bool.random(using: &random) { begin { try? await session.signOut() } }
            }
            // Random interleaving: any number of turns is correct.
            for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
        }

        // From here on nothing is held any more.
        let answering = Task {
            var count = 0
            while !Task.isCancelled {
                count = server.requestCount
                for index in server.waiting { await server.tell(index) }
                await server.waitForRequests(count + 1)
            }
        }
        let ticking = Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                await clock.advance(by: .seconds(1))
            }
        }
        defer {
            answering.cancel()
            ticking.cancel()
        }
        for index in server.waiting { await server.tell(index) }
        for task in tasks { await task.value }
        await session.start()
        server.setCanLoadUsers(true)
        await session.retry()
        await session.stars.waitForWrites()
        #expect(session.stars.pendingCount == 0)
        // A count can be off by one until a refresh.
        await session.reloadContent()
        for screen in [everything, starred] { await screen.refresh() }
        await search.submit()

        func agree() -> Bool {
            [everything.state.content, starred.state.content, search.state.content].allSatisfy {
                Self.agrees($0, with: server, session)
            }
        }
        await session.stars.waitForWrites()
        #expect(session.stars.pendingCount == 0)
        try await waitUntil { agree() }
        // A tap is reported to every list after all earlier changes.
        guard session.current.user != nil, everything.state.content.rows.count > 0 else { return }
        let star = everything.state.content.rows[0]
        _ = await everything.toggleStar(at: 0)
        await session.stars.waitForWrites()
        #expect(session.stars.pendingCount == 0)
        try await waitUntil { agree() }
        let tapped = everything.state.content.rows.first { $0.id == star.id }
        #expect(tapped?.isStarred == !star.isStarred)
    }

    private static func agrees(
        _ content: ListState<RepoRow>,
        with server: Server,
        _ session: GitHub.SessionManager
    ) -> Bool {
        let user = session.current.user?.id.rawValue
        return content.rows.allSatisfy { row in
            let id = Int(row.id.rawValue)
            return row.isStarred == server.isStarred(id, by: user)
                && row.starCount == server.count(of: id)
        }
    }
}

extension Server {
    /// Whether a request changes a star, or asks for the outcome of a change.
    fileprivate func isWrite(_ index: Int) -> Bool {
        switch held.requests[index].0 {
        case .set, .isStarred: true
        case .page, .search, .starred: false
        }
    }
}

extension GitHub.StarStore {
    /// Waits until no write is in flight or pending.
    func waitForWrites() async {
        while let writer = state.withLock({ $0.writer }) { await writer.value }
    }
}
