import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

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
            let request = HTTPClient.Request(
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
}
