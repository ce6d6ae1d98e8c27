public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain
import Foundation

/// A repository of GitHub repositories in memory, for tests and previews.
///
/// Names and logins compare in any case, as on GitHub. A public list contains the account's public
/// repositories in `repos`; an account without any repository there isn't found.
public struct InMemoryRepoRepository: GitHub.RepoRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// A page of a list.
        case page(of: GitHub.RepoList, at: PageCursor?)
        /// A page of a search.
        case search(GitHub.RepoSearch, at: PageCursor?)
        /// The repository with a name.
        case details(named: String, of: GitHub.Login)
        /// The repository with a number.
        case details(of: GitHub.Repo.ID)
        /// The README of a repository.
        case readme(of: GitHub.Repo.ID)
    }

    private let repos: [GitHub.Repo]
    private let own: [GitHub.Repo]
    private let starred: [GitHub.Repo]
    private let details: [GitHub.Repo.ID: GitHub.RepoDetails]
    private let readmes: [GitHub.Repo.ID: String]
    private let pageSize: Int
    private let onCall: CallHook<Call, Page<GitHub.Repo>>?

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - repos: The searchable repositories, in the order of search results.
    ///   - own: The own list of the token's account.
    ///   - starred: The starred list of the token's account.
    ///   - details: The repositories that have more than a row has; they're added to `repos`.
    ///   - readmes: The texts of READMEs, by repository.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call. Lists use the page of its answer; a repository is the
    ///     first row.
    public init(
        repos: [GitHub.Repo] = [],
        own: [GitHub.Repo] = [],
        starred: [GitHub.Repo] = [],
        details: [GitHub.RepoDetails] = [],
        readmes: [GitHub.Repo.ID: String] = [:],
        pageSize: Int = 100,
        onCall: CallHook<Call, Page<GitHub.Repo>>? = nil
    ) {
        self.repos = repos + details.map(\.repo).filter { detail in !repos.contains { $0.id == detail.id } }
        self.details = Dictionary(details.map { ($0.id, $0) }) { $1 }
        self.readmes = readmes
        self.own = own
        self.starred = starred
        self.pageSize = pageSize
        self.onCall = onCall
    }

    /// Returns a page of a list.
    ///
    /// - Throws: `.notFound` for an unknown login, `.refused(.foreignPage)` for another list's
    ///   cursor, or `.cancelled`.
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
    /// As on GitHub, there are pages of the first 1,000.
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
        case .bestMatch: break
        case .stars: found.sort { ($0.starCount ?? 0) > ($1.starCount ?? 0) }
        case .forks: found.sort { ($0.forkCount ?? 0) > ($1.forkCount ?? 0) }
        case .updated: found.sort { ($0.updatedAt ?? .distantPast) > ($1.updatedAt ?? .distantPast) }
        }
        if search.sort != .bestMatch, search.order == .ascending { found.reverse() }
        let endpoint = "InMemoryRepoRepository.search(_:at:)"
        return try .results(found, of: "\(search)", size: pageSize, endpoint: endpoint, at: cursor)
    }

    /// Returns the repository with a name.
    ///
    /// - Throws: `.notFound` for an unknown name, or `.cancelled`.
    public func details(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.RepoDetails {
        let fullName = "\(owner)/\(name)".lowercased()
        return try await details(.details(named: name, of: owner)) { $0.fullName.lowercased() == fullName }
    }

    /// Returns the repository with a number.
    ///
    /// - Throws: `.notFound` for an unknown number, or `.cancelled`.
    public func details(of id: GitHub.Repo.ID) async throws(BrowseError) -> GitHub.RepoDetails {
        try await details(.details(of: id)) { $0.id == id }
    }

    private func details(
        _ call: Call,
        where isRequested: (GitHub.Repo) -> Bool
    ) async throws(BrowseError) -> GitHub.RepoDetails {
        let answer = try await onCall?(call)
        guard answer != nil || !Task.isCancelled else { throw .cancelled }
        let repo = try (answer ?? Page(items: (repos + own + starred).filter(isRequested)))
            .first(for: "InMemoryRepoRepository.details")
        return details[repo.id] ?? GitHub.RepoDetails(repo: repo)
    }

    /// Returns the README of a repository; `nil` if it has none.
    ///
    /// - Throws: `.cancelled`.
    public func readme(of id: GitHub.Repo.ID) async throws(BrowseError) -> GitHub.Readme? {
        _ = try await onCall?(.readme(of: id))
        guard !Task.isCancelled else { throw .cancelled }
        return readmes[id].map { GitHub.Readme($0.utf8) }
    }
}
