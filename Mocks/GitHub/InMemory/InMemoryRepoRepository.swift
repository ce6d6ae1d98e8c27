import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain
import Foundation

/// A repository of GitHub repositories in memory, for tests and previews.
///
/// Names and logins compare in any case, as on GitHub. A public list contains the account's public repositories in `repos`; an
/// account without any repository there isn't found.
public struct InMemoryRepoRepository: GitHub.RepoRepository {
    private let repos: [GitHub.Repo]
    private let own: [GitHub.Repo]
    private let starred: [GitHub.Repo]
    private let pageSize: Int

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - repos: The searchable repositories, in the order of search results.
    ///   - own: The own list of the token's account.
    ///   - starred: The starred list of the token's account.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    public init(
        repos: [GitHub.Repo] = [],
        own: [GitHub.Repo] = [],
        starred: [GitHub.Repo] = [],
        pageSize: Int = 100
    ) {
        self.repos = repos
        self.own = own
        self.starred = starred
        self.pageSize = pageSize
    }

    /// Returns a page of a list.
    ///
    /// - Throws: `.notFound` for an unknown login, `.refused(.foreignPage)` for another list's cursor, or `.cancelled`.
    public func page(
        of list: GitHub.RepoList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.Repo> {
        let endpoint = "InMemoryRepoRepository.page(of:at:)"
        var rows: [GitHub.Repo]
        var name = "\(list)"
        switch list {
        case .publicRepos(let owner):
            name = "publicRepos(of: \(owner.lookupKey))"
            rows = repos.filter { $0.owner?.login.lookupKey == owner.lookupKey }
            guard !rows.isEmpty else { throw .notFound(BrowseError.RequestInfo(endpoint: endpoint)) }
            rows.removeAll(where: \.isPrivate)
        case .own: rows = own
        case .starred: rows = starred
        }
        return try RowPages(rows, of: name, size: pageSize, endpoint: endpoint).page(at: cursor)
    }

    /// Returns the public repositories with the text in their full name, in any case.
    ///
    /// - Throws: `.refused(.foreignPage)` for another search's cursor, or `.cancelled`.
    public func search(
        _ search: GitHub.RepoSearch,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.Repo> {
        let text = search.text.text.lowercased()
        var found = repos.filter { !$0.isPrivate && $0.fullName.lowercased().contains(text) }
        switch search.sort {
        case .bestMatch, .helpWantedIssues: break
        case .stars: found.sort { ($0.starCount ?? 0) > ($1.starCount ?? 0) }
        case .forks: found.sort { ($0.forkCount ?? 0) > ($1.forkCount ?? 0) }
        case .updated: found.sort { ($0.updatedAt ?? .distantPast) > ($1.updatedAt ?? .distantPast) }
        }
        if search.sort != .bestMatch, search.order == .ascending { found.reverse() }
        let endpoint = "InMemoryRepoRepository.search(_:at:)"
        let page = try RowPages(found, of: "\(search)", size: pageSize, endpoint: endpoint).page(at: cursor)
        return GitHub.SearchPage(page: page, totalCount: found.count)
    }

    /// Returns a repository.
    ///
    /// - Throws: `.notFound` for an unknown name, or `.cancelled`.
    public func repo(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.Repo {
        guard !Task.isCancelled else { throw .cancelled }
        let fullName = "\(owner)/\(name)".lowercased()
        guard let repo = (repos + own).first(where: { $0.fullName.lowercased() == fullName }) else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryRepoRepository.repo(named:of:)"))
        }
        return repo
    }
}
