public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain

/// A user repository whose results a test sets as closures; see `RepositoryDouble`.
///
/// ```swift
/// let users = UserRepositoryDouble(onProfile: { login throws(BrowseError) in
///     guard login == GitHub.Login("mona") else { throw .timedOut(BrowseError.RequestInfo(endpoint: "test")) }
///     return mona
/// })
/// ```
public struct UserRepositoryDouble: GitHub.UserRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A profile.
        case profile(of: GitHub.Login)
        /// The profile of the account with a number.
        case profileOfID(GitHub.User.ID)
        /// The profile of the signed-in user.
        case ownProfile
        /// A page of a search.
        case search(for: GitHub.SearchText, at: PageCursor?)
    }

    /// Performs ``profile(of:)``.
    public var onProfile: @Sendable (GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile
    /// Performs ``profile(ofID:)``.
    public var onProfileOfID: @Sendable (GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile
    /// Performs ``ownProfile()``.
    public var onOwnProfile: @Sendable () async throws(BrowseError) -> GitHub.UserProfile
    /// Performs ``search(for:at:)``.
    public var onSearch:
        @Sendable (GitHub.SearchText, PageCursor?) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User>

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onProfile = { _ throws(BrowseError) in throw await error("onProfile", 1) }
        onProfileOfID = { _ throws(BrowseError) in throw await error("onProfileOfID", 1) }
        onOwnProfile = { () throws(BrowseError) in throw await error("onOwnProfile", 0) }
        onSearch = { _, _ throws(BrowseError) in throw await error("onSearch", 2) }
    }

    /// Creates a double; closures that are `nil` aren't set.
    public init(
        onProfile: (@Sendable (GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile)? = nil,
        onProfileOfID: (@Sendable (GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile)? = nil,
        onOwnProfile: (@Sendable () async throws(BrowseError) -> GitHub.UserProfile)? = nil,
        onSearch: (
            @Sendable (GitHub.SearchText, PageCursor?) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User>
        )? = nil
    ) {
        self.init(throwing: Self.notSet)
        if let onProfile { self.onProfile = onProfile }
        if let onProfileOfID { self.onProfileOfID = onProfileOfID }
        if let onOwnProfile { self.onOwnProfile = onOwnProfile }
        if let onSearch { self.onSearch = onSearch }
    }

    /// Creates a double that forwards calls.
    public init(over repository: any GitHub.UserRepository) {
        onProfile = { login throws(BrowseError) in try await repository.profile(of: login) }
        onProfileOfID = { id throws(BrowseError) in try await repository.profile(ofID: id) }
        onOwnProfile = { () throws(BrowseError) in try await repository.ownProfile() }
        onSearch = { text, cursor throws(BrowseError) in try await repository.search(for: text, at: cursor) }
    }

    /// Returns a double whose reads of profiles suspend until a test responds; searches aren't set.
    public static func controlled(by responses: ControlledResponses<Request, GitHub.UserProfile>) -> Self {
        Self(
            onProfile: { login throws(BrowseError) in try await responses.response(to: .profile(of: login)) },
            onProfileOfID: { id throws(BrowseError) in try await responses.response(to: .profileOfID(id)) },
            onOwnProfile: { () throws(BrowseError) in try await responses.response(to: .ownProfile) }
        )
    }

    /// Returns a double whose searches suspend until a test responds; reads of profiles aren't set.
    public static func controlled(by responses: ControlledResponses<Request, GitHub.SearchPage<GitHub.User>>) -> Self {
        Self(onSearch: { text, cursor throws(BrowseError) in
            try await responses.response(to: .search(for: text, at: cursor))
        })
    }

    /// Calls ``onProfile``.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await onProfile(login)
    }

    /// Calls ``onProfileOfID``.
    public func profile(ofID id: GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile {
        try await onProfileOfID(id)
    }

    /// Calls ``onOwnProfile``.
    public func ownProfile() async throws(BrowseError) -> GitHub.UserProfile {
        try await onOwnProfile()
    }

    /// Calls ``onSearch``.
    public func search(
        for text: GitHub.SearchText,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User> {
        try await onSearch(text, cursor)
    }
}
