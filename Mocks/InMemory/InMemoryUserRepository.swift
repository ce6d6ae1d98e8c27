public import BrowseDomain

/// Accounts that a test or a preview brings along.
///
/// Logins compare without regard to case, as GitHub compares them; anybody else is not found.
public struct InMemoryUserRepository: GitHub.UserRepository {
    private let profiles: [String: GitHub.UserProfile]
    private let users: [GitHub.User]
    private let own: GitHub.Login?
    private let pageSize: Int

    /// Creates a repository of these accounts; of two with one login, the later counts.
    ///
    /// - Parameters:
    ///   - profiles: The accounts, in the order in which a search finds them.
    ///   - own: Whose of them the token is; nobody's unless told.
    ///   - pageSize: How many rows a page of results has; below 1 is raised to that.
    public init(profiles: [GitHub.UserProfile], own: GitHub.Login? = nil, pageSize: Int = 100) {
        self.profiles = Dictionary(profiles.map { ($0.user.login.lookupKey, $0) }) { $1 }
        // Somebody who was given twice is found once, where they stood first.
        var keys: Set<String> = []
        let found = self.profiles
        self.users = profiles.map(\.user.login.lookupKey).filter { keys.insert($0).inserted }
            .compactMap { found[$0]?.user }
        self.own = own
        self.pageSize = pageSize
    }

    /// The public profile of an account.
    ///
    /// - Throws: `.notFound` when nobody has that login, `.cancelled` when the calling task is cancelled.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        guard !Task.isCancelled else { throw .cancelled }
        guard let profile = profiles[login.lookupKey] else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryUserRepository.profile(of:)"))
        }
        return profile
    }

    /// The profile of the holder of the token.
    ///
    /// - Throws: `.unauthorized` when there is none, `.cancelled` when the calling task is cancelled.
    public func ownProfile() async throws(BrowseError) -> GitHub.UserProfile {
        guard let own else {
            throw .unauthorized(BrowseError.RequestInfo(endpoint: "InMemoryUserRepository.ownProfile()"))
        }
        return try await profile(of: own)
    }

    /// The accounts whose login contains the text, in any case.
    ///
    /// - Throws: `.refused(.foreignPage)` when the cursor is not one of this search, `.cancelled` when the calling task is
    ///   canceled.
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
    /// What logins are found by: GitHub takes upper and lower case for the same.
    var lookupKey: String { rawValue.lowercased() }
}
