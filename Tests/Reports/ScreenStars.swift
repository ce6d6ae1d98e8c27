import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

private let repoID = GitHub.Repo.ID(rawValue: 7)

/// Stars on several screens, of several accounts, and after a restart.
@MainActor
@Suite(.bounded)
struct `Reports about stars on screens` {
    private let clock = TestClock()
    private let server: ScriptedServer
    private let now = Monitor(Date(timeIntervalSince1970: 1_800_000_000))

    init() { server = ScriptedServer(clock: clock) }

    private func container(
        folder: URL? = nil,
        retries: RetryPolicy = .never
    ) -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
            $0.storageFolder = folder
        }
        (configuration.clock, configuration.retries) = (ImmediateClock(), retries)
        configuration.now = { [now] in now.value }
        return .production(on: server.transport(), configuration: configuration)
    }

    private nonisolated func repo(_ count: Int, etag: String? = nil) -> ScriptedServer.Response {
        let owner = #"{"id": 1, "login": "mona", "type": "User"}"#
        let row = #"{"id": 7, "name": "r", "full_name": "mona/r", "stargazers_count": \#(count), "owner": \#(owner)}"#
        var headers = HTTPHeaders.gitHub
        headers["ETag"] = etag
        return .json("[\(row)]", headers: headers)
    }

    /// Signs in; the server stores the stars of each account, and knows no others.
    private func signIn(_ container: Container, as login: String = "mona") async throws {
        let starred = Monitor<Set<String>>([])
        server.on(
            .get,
            "/user",
            times: .any,
            response: .computed { request in
                let isMona = request.headers["Authorization"]?.contains("mona") == true
                return .json(#"{"id": \#(isMona ? 1 : 2), "login": "\#(isMona ? "mona" : "hubot")"}"#, headers: .gitHub)
            }
        )
        server.on(
            .get,
            "/user/starred",
            times: .any,
            response: .computed { request in
                let isStarred = starred.value.contains(request.headers["Authorization"] ?? "")
                return isStarred ? repo(11) : .json("[]", headers: .gitHub)
            }
        )
        server.on(
            .put,
            "/user/starred/mona/r",
            times: .any,
            response: .computed { request in
                starred.withLock { _ = $0.insert(request.headers["Authorization"] ?? "") }
                return .status(204, headers: .gitHub)
            }
        )
        try await container.gitHubSession().signIn(with: Credentials(token: Secret("gho_\(login)_1234567890")))
    }

    /// Ranchero-Software/NetNewsWire#3475, rsyncOSX/RsyncUI#182
    @Test func `a route of a cold start has its title, and its marks when they are known`() async throws {
        let folder = TemporaryFolder()
        let before = container(folder: folder.url)
        try await signIn(before)
        server.on(
            .get,
            "/repositories/7",
            times: .any,
            response: .json(
                #"{"id": 7, "name": "r", "full_name": "mona/r", "owner": {"id": 1, "login": "mona"}, "stargazers_count": 10}"#,
                headers: .gitHub
            )
        )
        server.on(.get, "/repositories/7/readme", times: .any, response: .gitHubNotFound)
        server.on(.get, "/users/mona/repos", times: .any, response: repo(10))
        let list = before.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        _ = await list.setStar(repoID, to: true)
        await list.setFavorite(repoID, to: true)
        let next = container(folder: folder.url)
        let detail = next.repoDetailViewModel()
        let show = Task { await detail.show(repoID, label: "mona/r") }
        for await state in detail.states where !state.title.isEmpty {
            #expect(state.title.contains("r"))
            break
        }
        await show.value
        try await waitUntil { detail.state.row?.isStarred == true && detail.state.content.isFavorite == true }
        let restored = next.repoListViewModel()
        await restored.show(.publicRepos(of: GitHub.Login("mona")))
        #expect(restored.state.content.rows.map(\.isStarred) == [true])
    }

    /// fossasia/open-event-attendee-android#1127, 2dust/v2rayNG#5973
    @Test func `a refused star is told to the next reader, until the list is refreshed`() async throws {
        let container = container()
        let refusal = ScriptedServer.Response.json(#"{"message": "No"}"#, status: 403, headers: .gitHub)
        server.on(.put, "/user/starred/mona/r", times: .exactly(1), response: refusal)
        try await signIn(container)
        server.on(.get, "/users/mona/repos", times: .any, response: repo(10))
        server.on(.get, "/user/1/repos", times: .any, response: repo(10))
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        _ = await list.setStar(repoID, to: true)
        now.withLock { $0 += 20 }
        for await state in list.states {
            #expect(state.notice != nil && state.content.rows.map(\.isStarred) == [false])
            #expect(state.content.rows.map(\.starCount) == [10])
            break
        }
        await list.refresh()
        for await state in list.states {
            #expect(state.notice == nil, "\(String(describing: state.notice))")
            break
        }
    }

    /// Dimillian/IceCubesApp#888, wordpress-mobile/WordPress-iOS#22065
    @Test func `a star changes one row of each list, and no older answer undoes it`() async throws {
        let container = container()
        try await signIn(container)
        let count = Monitor(10)
        let repos: [ScriptedServer.Response] = [repo(10), repo(10).delayed(by: .seconds(1))]
        for response in repos { server.on(.get, "/users/mona/repos", times: .exactly(1), response: response) }
        server.on(.get, "/users/mona/repos", times: .any, response: .computed { _ in repo(count.value) })
        let items =
            #"{"id": 7, "name": "r", "full_name": "mona/r", "stargazers_count": 10, "owner": {"id": 1, "login": "mona"}}"#
        let json = #"{"total_count": 1, "incomplete_results": false, "items": [\#(items)]}"#
        server.on(.get, "/search/repositories", times: .any, response: .json(json, headers: .gitHub))
        let (search, list) = (container.repoSearchViewModel(), container.repoListViewModel())
        search.query.text = "r"
        await search.submit()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        let before = search.state.content.rows
        // An answer that was sent before the star.
        let refresh = Task { await list.refresh() }
        await clock.waitForSleepers(1)
        _ = await search.setStar(repoID, to: true)
        let change = search.state.content.rows.change(since: before)
        guard case .update(let update) = change else { Issue.record("\(change)"); return }
        #expect(update.updated == [0] && update.removed.isEmpty && update.inserted.isEmpty && update.appended.isEmpty)
        await clock.run { await refresh.value }
        #expect(list.state.content.rows.map(\.starCount) == [11] && list.state.content.rows.map(\.isStarred) == [true])
        #expect(search.state.content.rows.map(\.starCount) == [11])
        count.withLock { $0 = 11 }
        await list.refresh()
        #expect(list.state.content.rows.map(\.starCount) == [11] && search.state.content.rows.map(\.starCount) == [11])
    }

    /// Dimillian/IceCubesApp#812
    @Test func `stars belong to the account, also in a list that was stored before`() async throws {
        let folder = TemporaryFolder()
        let container = container(folder: folder.url)
        server.on(.get, "/users/mona/repos", times: .any, response: repo(10, etag: "\"1\""))
        try await signIn(container)
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        _ = await list.setStar(repoID, to: true)
        #expect(list.state.notice == nil && list.state.content.rows.map(\.isStarred) == [true])
        for (login, isStarred) in [("hubot", false), ("mona", true)] {
            try await container.gitHubSession().signOut()
            try await container.gitHubSession().signIn(with: Credentials(token: Secret("gho_\(login)_1234567890")))
            let again = container.repoListViewModel()
            let states = StateRecorder(of: again)
            await again.show(.publicRepos(of: GitHub.Login("mona")))
            try await waitUntil { again.state.content.rows.map(\.isStarred) == [isStarred] }
            if !isStarred { #expect(!states.states.contains { $0.content.rows.contains(where: \.isStarred) }) }
        }
    }

    /// apollographql/apollo-ios#1841
    @Test func `a connection that was lost in the background is repeated if that's safe`() async throws {
        let container = container(retries: .standard)
        let lost = ScriptedServer.Response.failure(.networkConnectionLost)
        server.on(.put, "/user/starred/mona/r", times: .exactly(1), response: lost)
        try await signIn(container)
        server.on(.get, "/users/mona/repos", responses: [lost, repo(10)])
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        #expect(list.state.content.status == .ready && list.state.content.rows.count == 1)
        _ = await list.setStar(repoID, to: true)
        #expect(list.state.content.rows.map(\.isStarred) == [true] && list.state.notice == nil)
    }
}
