import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain

/// A user repository in memory, for tests and previews.
///
/// Logins compare in any case, as on GitHub.
public struct InMemoryUserRepository: GitHub.UserRepository {
    private let profiles: [String: GitHub.UserProfile]
    private let users: [GitHub.User]
    private let own: GitHub.Login?
    private let pageSize: Int

    /// Creates a repository; a later account replaces an earlier one with the same login.
    ///
    /// - Parameters:
    ///   - profiles: The accounts, in the order of search results.
    ///   - own: The account of the token; `nil` without a token.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    public init(profiles: [GitHub.UserProfile], own: GitHub.Login? = nil, pageSize: Int = 100) {
        self.profiles = Dictionary(profiles.map { ($0.user.login.lookupKey, $0) }) { $1 }
        // A repeated account appears once, at its first position.
        var keys: Set<String> = []
        let found = self.profiles
        self.users = profiles.map(\.user.login.lookupKey).filter { keys.insert($0).inserted }
            .compactMap { found[$0]?.user }
        self.own = own
        self.pageSize = pageSize
    }

    /// Returns the public profile of an account.
    ///
    /// - Throws: `.notFound` for an unknown login, or `.cancelled`.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        guard !Task.isCancelled else { throw .cancelled }
        guard let profile = profiles[login.lookupKey] else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryUserRepository.profile(of:)"))
        }
        return profile
    }

    /// Returns the public profile of the account with a number.
    ///
    /// - Throws: `.notFound` for an unknown number, or `.cancelled`.
    public func profile(ofID id: GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile {
        try await profile(of: users.first { $0.id == id }?.login ?? GitHub.Login(""))
    }

    /// Returns the profile of the token's account.
    ///
    /// - Throws: `.unauthorized` without a token, or `.cancelled`.
    public func ownProfile() async throws(BrowseError) -> GitHub.UserProfile {
        guard let own else {
            throw .unauthorized(BrowseError.RequestInfo(endpoint: "InMemoryUserRepository.ownProfile()"))
        }
        return try await profile(of: own)
    }

    /// Returns the accounts whose login contains the text, in any case.
    ///
    /// - Throws: `.refused(.foreignPage)` for another search's cursor, or `.cancelled`.
    public func search(
        for text: GitHub.SearchText,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User> {
        let found = users.filter { $0.login.lookupKey.contains(text.text.lowercased()) }
        let pages = RowPages(found, of: "\(text)", size: pageSize, endpoint: "InMemoryUserRepository.search(for:at:)")
        return GitHub.SearchPage(page: try pages.page(at: cursor), totalCount: found.count)
    }
}

extension GitHub.Login {
    /// The key of a login: GitHub ignores case.
    var lookupKey: String { rawValue.lowercased() }
}
