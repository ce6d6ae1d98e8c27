public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain

/// A user repository in memory, for tests and previews.
///
/// Logins compare in any case, as on GitHub.
///
/// ```swift
/// let users = InMemoryUserRepository(profiles: [mona]) { call throws(BrowseError) in
///     if case .search = call { throw error }
///     return nil
/// }
/// ```
public struct InMemoryUserRepository: GitHub.UserRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// A profile.
        case profile(of: GitHub.Login)
        /// The profile of the account with a number.
        case profileOfID(GitHub.User.ID)
        /// The profile of the signed-in user.
        case ownProfile
        /// A page of a search.
        case search(for: GitHub.SearchText, at: PageCursor?)
    }

    /// A result.
    public enum Answer: Sendable {
        /// The result of a call for a profile.
        case profile(GitHub.UserProfile)
        /// The result of a search.
        case results(Page<GitHub.User>)
    }

    private let profiles: [String: GitHub.UserProfile]
    private let users: [GitHub.User]
    private let own: GitHub.Login?
    private let pageSize: Int
    private let onCall: CallHook<Call, Answer>?

    /// Creates a repository; a later account replaces an earlier one with the same login.
    ///
    /// - Parameters:
    ///   - profiles: The accounts, in the order of search results.
    ///   - own: The account of the token; `nil` without a token.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call. A result of the other kind is ignored.
    public init(
        profiles: [GitHub.UserProfile] = [],
        own: GitHub.Login? = nil,
        pageSize: Int = 100,
        onCall: CallHook<Call, Answer>? = nil
    ) {
        self.profiles = Dictionary(profiles.map { ($0.user.login.lookupKey, $0) }) { $1 }
        // A repeated account appears once, at its first position.
        var keys: Set<String> = []
        let found = self.profiles
        self.users = profiles.map(\.user.login.lookupKey).filter { keys.insert($0).inserted }
            .compactMap { found[$0]?.user }
        self.own = own
        self.pageSize = pageSize
        self.onCall = onCall
    }

    /// Returns the public profile of an account.
    ///
    /// - Throws: `.notFound` for an unknown login, or `.cancelled`.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await profile(for: .profile(of: login)) { $0.login.lookupKey == login.lookupKey }
    }

    /// Returns the public profile of the account with a number.
    ///
    /// - Throws: `.notFound` for an unknown number, or `.cancelled`.
    public func profile(ofID id: GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile {
        try await profile(for: .profileOfID(id)) { $0.id == id }
    }

    /// Returns the profile of the token's account.
    ///
    /// - Throws: `.unauthorized` without a token, or `.cancelled`.
    public func ownProfile() async throws(BrowseError) -> GitHub.UserProfile {
        try await profile(for: .ownProfile) { [own] in $0.login.lookupKey == own?.lookupKey }
    }

    private func profile(
        for call: Call,
        where isRequested: (GitHub.User) -> Bool
    ) async throws(BrowseError) -> GitHub.UserProfile {
        let answer = try await onCall?(call)
        if case .profile(let profile)? = answer { return profile }
        TestScope.reportUnused(answer, by: call)
        guard !Task.isCancelled else { throw .cancelled }
        let info = BrowseError.RequestInfo(endpoint: "InMemoryUserRepository.\(call)")
        if call == .ownProfile, own == nil { throw .unauthorized(info) }
        guard let user = users.first(where: isRequested), let profile = profiles[user.login.lookupKey] else {
            throw .notFound(info)
        }
        return profile
    }

    /// Returns the accounts whose login contains the text, in any case.
    ///
    /// As on GitHub, there are pages of the first 1,000.
    ///
    /// - Throws: `.refused(.foreignPage)` for another search's cursor, or `.cancelled`.
    public func search(
        for text: GitHub.SearchText,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        let call = Call.search(for: text, at: cursor)
        let answer = try await onCall?(call)
        if case .results(let page)? = answer { return page }
        TestScope.reportUnused(answer, by: call)
        let found = users.filter { $0.login.lookupKey.contains(text.text.lowercased()) }
        let endpoint = "InMemoryUserRepository.search(for:at:)"
        return try .results(found, of: "\(text)", size: pageSize, endpoint: endpoint, at: cursor)
    }
}

extension GitHub.Login {
    /// The key of a login: GitHub ignores case.
    var lookupKey: String { rawValue.lowercased() }
}
