public import BrowseGitHub
import BrowseDomain

extension Container {
    /// Returns the followers of an account, or the accounts that it follows.
    public func exportSource(of list: GitHub.FollowList) -> ExportSource<GitHub.User> {
        let name = if case .followers = list { "followers" } else { "following" }
        let repository = followerRepository()
        return ExportSource(listName("users/\(list.owner.rawValue.lowercased())/\(name)"), id: \.id.description) {
            cursor throws(BrowseError) in
            try await repository.page(of: list, at: cursor)
        }
    }

    /// Returns a list of code repositories.
    ///
    /// A repository that changes meanwhile moves to the first page; a second pass finds it.
    public func exportSource(of list: GitHub.RepoList) -> ExportSource<GitHub.Repo> {
        let name =
            switch list {
            case .publicRepos(let owner): "users/\(owner.rawValue.lowercased())/repos"
            case .own: "user/repos"
            case .starred: "user/starred"
            }
        let repository = repoRepository()
        return ExportSource(listName(name), id: \.id.description, account: account) { cursor throws(BrowseError) in
            try await repository.page(of: list, at: cursor)
        }
    }

    /// Returns all accounts that a search finds, also beyond 1,000.
    ///
    /// The search is divided by the date of creation, and where that isn't enough, by the numbers of followers and of code
    /// repositories. Rows are delivered part by part, not by relevance. `ExportProgress.gaps` has the parts that can't be divided
    /// further, or that GitHub searched incompletely, and the whole search if GitHub left out results.
    public func exportSource(matching text: GitHub.SearchText) -> ExportSource<GitHub.User> {
        let repository = userRepository()
        return SlicedSearch(text, by: ["created", "followers", "repos"]).source(
            listName("search/users?q=\(text)"),
            account: account
        ) { text, cursor throws(BrowseError) in
            try await repository.search(for: text, at: cursor)
        }
    }

    /// Returns all code repositories that a search finds, also beyond 1,000.
    ///
    /// It's divided by date of creation, stars, and size; the search's own order doesn't apply.
    public func exportSource(matching search: GitHub.RepoSearch) -> ExportSource<GitHub.Repo> {
        let repository = repoRepository()
        return SlicedSearch(search.text, by: ["created", "stars", "size"]).source(
            listName("search/repositories?q=\(search.text)"),
            account: account
        ) { text, cursor throws(BrowseError) in
            try await repository.search(GitHub.RepoSearch(text: text), at: cursor)
        }
    }

    private func listName(_ path: String) -> String { "\(configuration.gitHub.url.absoluteString)/\(path)" }

    /// Returns the signed-in user, once known; `nil` if nobody is signed in.
    private var account: @Sendable () async throws(BrowseError) -> String? {
        let manager = gitHubSession()
        return { () throws(BrowseError) in
            if case .unidentified = manager.current { await manager.retry() }
            for await session in manager.sessions {
                switch session {
                case .restoring, .signingIn: continue
                case .signedOut: return nil
                case .unidentified(let error): throw error
                case .identified(let user), .ready(let user): return user.id.description
                }
            }
            throw .cancelled
        }
    }
}
