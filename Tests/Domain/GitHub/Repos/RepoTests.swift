import BrowseDomain
import BrowseGitHubDomain
import TestLimits
import Testing

@Suite(.bounded) struct `Code repository` {
    private func repo(stars: Int? = nil) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: 1), name: "a", fullName: "o/a") { $0.starCount = stars }
    }

    @Test func `invents no values`() {
        let repo = repo()
        #expect(repo.starCount == nil && repo.forkCount == nil && repo.updatedAt == nil && repo.license == nil)
        #expect(repo.owner == nil && repo.webPage == nil && repo.topics.isEmpty)
        #expect(!repo.isFork && !repo.isArchived && !repo.isPrivate)
    }

    @Test func `is identified by its number, and equal if all values are`() {
        #expect(repo(stars: 1).id == repo(stars: 2).id)
        #expect(repo(stars: 1) != repo(stars: 2))
        #expect(repo(stars: 0) != repo(stars: nil))
    }

    @Test func `is searched for by best match by default`() throws {
        let text = try GitHub.SearchText("a")
        #expect(GitHub.RepoSearch(text: text) == GitHub.RepoSearch(text: text, sort: .bestMatch, order: .descending))
        #expect(GitHub.RepoSearch(text: text, sort: .stars) != GitHub.RepoSearch(text: text))
    }
}
