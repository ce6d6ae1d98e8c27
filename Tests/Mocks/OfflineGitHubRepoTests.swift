import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Testing
import TestLimits

@Suite(.bounded)
struct OfflineGitHubRepoTests {
    private func repository(
        on gitHub: OfflineGitHub = OfflineGitHub(),
        log: Log = Log(),
        signedIn: Bool = true
    ) throws -> RemoteRepoRepository {
        let transport = LoggingTransport(next: gitHub.transport(), log: log)
        let token = signedIn ? try AccessToken("made-up") : nil
        return RemoteRepoRepository(client: try .gitHub(on: transport, token: token))
    }

    private func all(_ list: GitHub.RepoList, from repository: RemoteRepoRepository) async throws -> [GitHub.Repo] {
        var cursor: PageCursor?
        var repos: [GitHub.Repo] = []
        repeat {
            let page = try await repository.page(of: list, at: cursor)
            #expect(page.skipped == [])
            repos += page.items
            cursor = page.next
        } while cursor != nil
        return repos
    }

    @Test
    func `Octocat shows 137 code repositories on two pages, the latest change first`() async throws {
        let asked = Log()
        let repos = try await all(
            .publicRepos(of: GitHub.Login("OctoCat")),
            from: repository(log: asked, signedIn: false)
        )
        let recorded = try OfflineGitHubTests.ids(in: 1...2, of: "repos-octocat")
        #expect(repos.map(\.id.rawValue) == recorded)
        #expect(repos.count == 137)
        #expect(repos.allSatisfy { !$0.isPrivate && $0.owner?.login.rawValue == "octocat" })
        let dates = repos.map { $0.updatedAt ?? .distantPast }
        #expect(dates == dates.sorted(by: >))
        #expect(
            asked.entries == [
                "https://api.github.com/users/OctoCat/repos?sort=updated&direction=desc&per_page=100",
                "https://api.github.com/user/583231/repos?sort=updated&direction=desc&per_page=100&page=2",
            ]
        )
    }

    @Test
    func `The rows show everything that a row can lack`() async throws {
        let octocats = try await all(.publicRepos(of: GitHub.Login("octocat")), from: repository())
        for lacks in [
            { $0.summary == nil }, { $0.language == nil }, { $0.license == nil }, { $0.topics.isEmpty },
            { $0.starCount == nil }, { $0.forkCount == nil }, { $0.updatedAt == nil },
        ] as [(GitHub.Repo) -> Bool] {
            #expect(octocats.contains(where: lacks))
            #expect(!octocats.allSatisfy(lacks))
        }
        for has in [
            { $0.isFork }, { $0.isArchived }, { $0.language == "C++" }, { $0.license?.spdxID == "NOASSERTION" },
            { $0.id.rawValue > Int64(UInt32.max) }, { $0.starCount == 0 }, { $0.summary?.contains("🐙") == true },
            { $0.topics.contains("한국어") },
        ] as [(GitHub.Repo) -> Bool] {
            #expect(octocats.contains(where: has))
        }
    }

    @Test
    func `One's own account is that of the token, and nobody's without one`() async throws {
        let gitHub = OfflineGitHub()
        for token in [nil, "Bearer x"] {
            var headers = HTTPHeaders()
            headers["Authorization"] = token
            let request = HTTPRequest(
                url: try #require(URL(string: "https://api.github.com/user")),
                headers: headers,
                endpoint: "GET /user"
            )
            let response = try await gitHub.respond(to: request).get()
            #expect(response.status == (token == nil ? 401 : 200))
            #expect(String(decoding: response.body, as: UTF8.self).contains("octocat") == (token != nil))
        }
    }

    @Test
    func `One's own are the public ones and the private ones, in one list`() async throws {
        let asked = Log()
        let repository = try repository(log: asked)
        let own = try await all(.own, from: repository)
        let shown = try await all(.publicRepos(of: GitHub.Login("octocat")), from: repository)
        #expect(own.count == 142)
        #expect(Set(own.map(\.id)).count == 142)
        #expect(Set(own.filter { !$0.isPrivate }) == Set(shown))
        #expect(
            own.filter(\.isPrivate).map(\.fullName) == [
                "octocat/secret-garden", "mockworks/roadmap", "octocat/kettle-firmware", "octocat/tax-2024",
                "mockworks/payroll-mocks",
            ]
        )
        let dates = own.map { $0.updatedAt ?? .distantPast }
        #expect(dates == dates.sorted(by: >))
        #expect(asked.entries[1] == "https://api.github.com/user/repos?sort=updated&direction=desc&per_page=100&page=2")
    }

    @Test
    func `The starred list has two pages, the latest star first, of things that can be found`() async throws {
        let repository = try repository()
        let starred = try await all(.starred, from: repository)
        #expect(starred.map(\.id.rawValue) == (try OfflineGitHubTests.ids(in: 1...2, of: "starred-octocat")))
        #expect(starred.count == 104)
        for repo in starred {
            let owner = try #require(repo.owner)
            #expect(try await repository.repo(named: repo.name, of: owner.login) == repo)
            let shown = try await all(.publicRepos(of: owner.login), from: repository)
            #expect(shown.contains(repo))
        }
    }

    @Test
    func `Owners have profiles that count their repositories`() async throws {
        let client = try HTTPClient.gitHub(on: OfflineGitHub().transport())
        let users = RemoteUserRepository(client: client)
        let starred = try await all(.starred, from: repository())
        for owner in Set(starred.compactMap(\.owner)) {
            let profile = try await users.profile(of: owner.login)
            #expect(profile.user == owner)
            #expect(profile.publicRepoCount ?? 0 > 0)
        }
    }

    @Test
    func `Private lists require a token`() async throws {
        for path in ["/user/repos", "/user/starred", "/api/v3/user/repos?page=2"] {
            let response = try await OfflineGitHub().get(path)
            #expect(response.status == 401)
            #expect(response.body == (try Fixtures.gitHub["error-bad-credentials"]))
        }
        let repository = try repository(signedIn: false)
        for list in [.own, .starred] as [GitHub.RepoList] {
            let error = await failure { () throws(BrowseError) in try await repository.page(of: list, at: nil) }
            guard case .unauthorized = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: ["octocat/secret-garden", "mockworks/roadmap"])
    func `Something private is there for the holder of a token only`(name: String) async throws {
        #expect(try await OfflineGitHub().get("/repos/\(name)").status == 404)
        let parts = name.split(separator: "/").map(String.init)
        let repo = try await repository().repo(named: parts[1].uppercased(), of: GitHub.Login(parts[0]))
        #expect(repo.isPrivate)
        #expect(repo.fullName == name)
    }

    @Test(
        arguments: [
            ("sort=full_name", "full_name", true), ("", "full_name", true), ("sort=x", "full_name", true),
            ("direction=desc", "full_name", false), ("sort=created", "created_at", false),
            ("sort=created&direction=asc", "created_at", true), ("sort=pushed", "pushed_at", false),
            ("sort=updated&direction=asc", "updated_at", true), ("sort=stars", "full_name", true),
        ]
    )
    func `A list is sorted as the request says, by name unless told`(query: String, key: String, ascends: Bool)
        async throws
    {
        let response = try await OfflineGitHub().get("/users/octocat/repos?per_page=100&\(query)")
        let rows = try #require(try JSONSerialization.jsonObject(with: response.body) as? [[String: Any]])
        let values = rows.map { ($0[key] as? String ?? "").lowercased() }
        #expect(values.count == 100)
        #expect(values == (ascends ? values.sorted() : values.sorted(by: >)))
    }

    @Test
    func `The starred list can be turned around`() async throws {
        func ids(_ query: String) async throws -> [Int64] {
            var ids: [Int64] = []
            for page in 1...2 {
                let request = HTTPRequest(
                    url: try #require(URL(string: "https://host.test/user/starred?per_page=100&page=\(page)\(query)")),
                    headers: ["Authorization": "Bearer made-up"],
                    endpoint: "TEST"
                )
                let response = try await OfflineGitHub().respond(to: request).get()
                let rows = try JSONSerialization.jsonObject(with: response.body) as? [[String: Any]] ?? []
                ids += rows.compactMap { ($0["id"] as? NSNumber)?.int64Value }
            }
            return ids
        }
        let latest = try OfflineGitHubTests.ids(in: 1...2, of: "starred-octocat")
        #expect(try await ids("") == latest)
        #expect(try await ids("&sort=created&direction=desc") == latest)
        #expect(try await ids("&direction=asc") == latest.reversed())
        let updated = try await ids("&sort=updated")
        #expect(updated != latest)
        #expect(updated.sorted() == latest.sorted())
    }

    @Test(
        arguments: [
            "/repos/octocat/nothing", "/repos/nobody/hello-tentacles", "/user/1/repos", "/users/nobody-at-all/repos",
            "/search/users/",
        ]
    )
    func `What is not there is not found, in GitHub's words`(path: String) async throws {
        let response = try await OfflineGitHub().get(path)
        #expect(response.status == 404)
        #expect(response.body == (try Fixtures.gitHub["error-not-found"]))
    }

    @Test(
        arguments: [
            "/repos/octocat", "/repos/octocat/", "/repos//hello-tentacles", "/user/octocat/repos", "/user/stars",
            "/search/code?q=a", "/search", "/search/", "/user/repos/",
        ]
    )
    func `What no endpoint answers is reported`(path: String) async throws {
        let report = await OfflineGitHub().transport().report(path)
        #expect(report.hasPrefix("OfflineGitHub has no answer to GET \(path). Add one to it: .script.on("))
    }

    @Test
    func `An account may be called as a part of a path is`() async throws {
        // Nobody is called so here; what counts is that it is looked for as an account.
        for path in ["/users/user/repos", "/users/repos", "/users/search/followers", "/users/search"] {
            #expect(try await OfflineGitHub().get(path).status == 404, "\(path)")
        }
    }

    // MARK: - Scenarios

    /// Everything that can be asked for, as how many rows there are, and how many stars.
    private func everything(_ gitHub: OfflineGitHub) async throws -> [Result<Int, BrowseError>] {
        let repos = try repository(on: gitHub)
        let users = RemoteUserRepository(client: try .gitHub(on: gitHub.transport()))
        let text = try GitHub.SearchText("octocat")
        let octocat = GitHub.Login("octocat")
        return [
            await outcome { () throws(BrowseError) in try await users.search(for: text, at: nil).totalCount },
            await outcome { () throws(BrowseError) in try await repos.search(.init(text: text), at: nil).totalCount },
            await outcome { () throws(BrowseError) in
                try await repos.page(of: .publicRepos(of: octocat), at: nil).items.count
            },
            await outcome { () throws(BrowseError) in try await repos.page(of: .own, at: nil).items.count },
            await outcome { () throws(BrowseError) in try await repos.page(of: .starred, at: nil).items.count },
            await outcome { () throws(BrowseError) in
                try await repos.repo(named: "hello-tentacles", of: octocat).starCount ?? -1
            },
        ]
    }

    private func outcome(_ call: () async throws(BrowseError) -> Int) async -> Result<Int, BrowseError> {
        do throws(BrowseError) {
            return .success(try await call())
        } catch {
            return .failure(error)
        }
    }

    @Test
    func `When all is well there is something everywhere`() async throws {
        let counts = try await everything(OfflineGitHub()).map { try $0.get() }
        #expect(counts == [1, 140, 100, 100, 100, 2481])
    }

    @Test
    func `When it is empty nothing is found, lists are empty, and nothing has stars`() async throws {
        let counts = try await everything(OfflineGitHub(scenario: .empty)).map { try $0.get() }
        #expect(counts == [0, 0, 0, 0, 0, 0])
    }

    @Test
    func `A failing server, a used-up budget and no network are the same everywhere`() async throws {
        let end = Date(timeIntervalSinceNow: 600)
        for scenario in [.serverError, .rateLimited(until: end), .offline] as [Scenario] {
            for result in try await everything(OfflineGitHub(scenario: scenario)) {
                switch (scenario, result) {
                case (.serverError, .failure(.serverFailure)), (.rateLimited, .failure(.rateLimited)),
                    (.offline, .failure(.unreachable(.offline, _))):
                    break
                default: Issue.record("\(scenario): \(result)")
                }
            }
        }
    }

    @Test
    func `A slow server answers each of them when the clock says so`() async throws {
        let clock = TestClock()
        let gitHub = OfflineGitHub(scenario: .slow(.seconds(3)), clock: clock)
        let counts = Task { try await everything(gitHub).map { try $0.get() } }
        for _ in 0..<6 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(3))
        }
        #expect(try await counts.value == [1, 140, 100, 100, 100, 2481])
    }
}
