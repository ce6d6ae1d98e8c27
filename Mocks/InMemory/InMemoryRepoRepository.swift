public import BrowseDomain
import Foundation

/// Code repositories that a test or a preview brings along.
///
/// Names and logins compare without regard to case, as GitHub compares them. The public list of an account is what of the
/// given rows it owns and everybody may see; somebody who owns none is not found. One's own lists are given as they are.
public struct InMemoryRepoRepository: GitHub.RepoRepository {
    private let repos: [GitHub.Repo]
    private let own: [GitHub.Repo]
    private let starred: [GitHub.Repo]
    private let pageSize: Int

    /// Creates a repository of these rows.
    ///
    /// - Parameters:
    ///   - repos: What everybody can find, in the order in which a search finds them.
    ///   - own: The holder's own.
    ///   - starred: What the holder has starred.
    ///   - pageSize: How many rows a page has; below 1 is raised to that.
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

    /// One page of a list.
    ///
    /// - Throws: `.notFound` when nobody has that login, `.refused(.foreignPage)` when the cursor is not one of this list,
    ///   `.cancelled` when the calling task is cancelled.
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

    /// What of the public rows has the text in its full name, in any case, ordered as the search says.
    ///
    /// - Throws: `.refused(.foreignPage)` when the cursor is not one of this search, `.cancelled` when the calling task is
    ///   canceled.
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

    /// One code repository.
    ///
    /// - Throws: `.notFound` when there is none of that name, `.cancelled` when the calling task is cancelled.
    public func repo(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.Repo {
        guard !Task.isCancelled else { throw .cancelled }
        let fullName = "\(owner)/\(name)".lowercased()
        guard let repo = (repos + own).first(where: { $0.fullName.lowercased() == fullName }) else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryRepoRepository.repo(named:of:)"))
        }
        return repo
    }
}
