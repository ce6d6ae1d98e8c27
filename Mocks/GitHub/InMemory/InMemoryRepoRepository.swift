public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain
import Foundation

/// A repository of GitHub repositories in memory, for tests and previews.
///
/// Names and logins compare in any case, as on GitHub. A public list contains the account's public repositories in `repos`; an
/// account without any repository there isn't found.
public struct InMemoryRepoRepository: GitHub.RepoRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// A page of a list.
        case page(of: GitHub.RepoList, at: PageCursor?)
        /// A page of a search.
        case search(GitHub.RepoSearch, at: PageCursor?)
        /// A repository.
        case repo(named: String, of: GitHub.Login)
    }

    private let repos: [GitHub.Repo]
    private let own: [GitHub.Repo]
    private let starred: [GitHub.Repo]
    private let pageSize: Int
    private let onCall: CallHook<Call, Page<GitHub.Repo>>?

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - repos: The searchable repositories, in the order of search results.
    ///   - own: The own list of the token's account.
    ///   - starred: The starred list of the token's account.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call. Lists use the page of its answer; a repository is the first row.
    public init(
        repos: [GitHub.Repo] = [],
        own: [GitHub.Repo] = [],
        starred: [GitHub.Repo] = [],
        pageSize: Int = 100,
        onCall: CallHook<Call, Page<GitHub.Repo>>? = nil
    ) {
        self.repos = repos
        self.own = own
        self.starred = starred
        self.pageSize = pageSize
        self.onCall = onCall
    }

    /// Returns a page of a list.
    ///
    /// - Throws: `.notFound` for an unknown login, `.refused(.foreignPage)` for another list's cursor, or `.cancelled`.
    public func page(
        of list: GitHub.RepoList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.Repo> {
        if let answer = try await onCall?(.page(of: list, at: cursor)) { return answer }
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
    ) async throws(BrowseError) -> Page<GitHub.Repo> {
        if let answer = try await onCall?(.search(search, at: cursor)) { return answer }
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
        var page = try RowPages(found, of: "\(search)", size: pageSize, endpoint: endpoint).page(at: cursor)
        page.totalCount = found.count
        return page
    }

    /// Returns a repository.
    ///
    /// - Throws: `.notFound` for an unknown name, or `.cancelled`.
    public func repo(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.Repo {
        let answer = try await onCall?(.repo(named: name, of: owner))
        guard !Task.isCancelled else { throw .cancelled }
        let fullName = "\(owner)/\(name)".lowercased()
        let found = answer ?? Page(items: (repos + own).filter { $0.fullName.lowercased() == fullName })
        return try found.first(for: "InMemoryRepoRepository.repo(named:of:)")
    }
}
