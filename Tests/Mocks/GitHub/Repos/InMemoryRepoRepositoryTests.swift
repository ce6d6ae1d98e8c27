import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import TestLimits
import Testing

@Suite(.bounded)
struct `A repository of code repositories in memory` {
    private func repo(_ number: Int) -> GitHub.Repo {
        let name = "repo-\(number)"
        return GitHub.Repo(id: GitHub.Repo.ID(rawValue: Int64(number)), name: name, fullName: "octocat/\(name)")
    }

    @Test func `finds the first 1,000, and has the number of all, as on GitHub`() async throws {
        let repos = InMemoryRepoRepository(repos: (1...1_001).map(repo), pageSize: 2_000)
        let search = GitHub.RepoSearch(text: try GitHub.SearchText("octocat/"))
        let found = try await repos.search(search, at: nil)
        #expect(found.items.count == 1_000 && found.totalCount == 1_001 && found.isLimited && found.next == nil)
    }

    @Test func `has the details of a starred one, as of the others`() async throws {
        let starred = repo(1)
        let repos = InMemoryRepoRepository(starred: [starred])
        #expect(try await repos.details(of: starred.id).repo == starred)
    }

    @Test func `returns the answer to a call that was canceled meanwhile`() async throws {
        let repo = repo(1)
        let repos = InMemoryRepoRepository { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return Page(items: [repo])
        }
        let details = try await Task { try await repos.details(of: repo.id) }.value
        #expect(details.repo == repo)
    }
}
