public import BrowseDomain

extension GitHub {
    /// The state of the GitHub session.
    public typealias Session = BrowseDomain.Session<User>

    /// Signs in to GitHub and out of it, and loads the user's stars.
    public typealias SessionManager = BrowseDomain.SessionManager<User>
}

extension GitHub.User: SessionUser {
    /// The stars, which the lists of code repositories show.
    public typealias Content = GitHub.StarStore

    /// GitHub's number of the user.
    public var accountID: String { String(id.rawValue) }
}

extension GitHub.StarStore: SessionContent {}

extension GitHub.SessionManager {
    /// The user's stars.
    public nonisolated var stars: GitHub.StarStore { content }

    /// Returns whether the granted scopes allow starring a repository; unknown ones count as
    /// sufficient.
    ///
    /// Source: GitHub's "Scopes for OAuth apps".
    package nonisolated func canStar(_ repo: GitHub.Repo) -> Bool {
        let scopes = scopes
        return scopes.isEmpty || scopes.contains("repo") || !repo.isPrivate && scopes.contains("public_repo")
    }

    /// Creates a manager of GitHub sessions; nothing is restored yet.
    package init(tokens: any TokenRepository, users: any GitHub.UserRepository, stars: GitHub.StarStore) {
        self.init(tokens: tokens, content: stars) { () throws(BrowseError) in try await users.ownProfile().user }
    }
}
