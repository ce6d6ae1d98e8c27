public import BrowseDomain

/// A user repository whose results a test sets as closures.
///
/// Use it for failures, delays, and to inspect calls; for data, use ``InMemoryUserRepository``:
///
/// ```swift
/// let users = UserRepositoryDouble(onProfile: { login throws(BrowseError) in
///     guard login == GitHub.Login("mona") else { throw .timedOut(BrowseError.RequestInfo(endpoint: "test")) }
///     return mona
/// })
/// ```
///
/// If a closure isn't set, its calls fail with a hint, and are issues in tests with the trait `.verifiesMocks`.
public struct UserRepositoryDouble: GitHub.UserRepository {
    /// A call for a page of a search.
    public struct SearchRequest: Hashable, Sendable {
        /// The text.
        public let text: GitHub.SearchText
        /// The page; `nil` is the first.
        public let cursor: PageCursor?

        /// Creates a request, to compare with.
        public init(text: GitHub.SearchText, cursor: PageCursor? = nil) {
            self.text = text
            self.cursor = cursor
        }
    }

    /// Performs ``profile(of:)``.
    public var onProfile: @Sendable (GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile
    /// Performs ``ownProfile()``.
    public var onOwnProfile: @Sendable () async throws(BrowseError) -> GitHub.UserProfile
    /// Performs ``search(for:at:)``.
    public var onSearch: @Sendable (SearchRequest) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User>

    /// Creates a double; calls of closures that aren't set fail.
    public init(
        onProfile: @escaping @Sendable (GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile = {
            _ throws(BrowseError) in throw .notSetUp("onProfile", of: "UserRepositoryDouble")
        },
        onOwnProfile: @escaping @Sendable () async throws(BrowseError) -> GitHub.UserProfile = {
            () throws(BrowseError) in throw .notSetUp("onOwnProfile", of: "UserRepositoryDouble", parameters: 0)
        },
        onSearch: @escaping @Sendable (SearchRequest) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User> = {
            _ throws(BrowseError) in throw .notSetUp("onSearch", of: "UserRepositoryDouble")
        }
    ) {
        self.onProfile = onProfile
        self.onOwnProfile = onOwnProfile
        self.onSearch = onSearch
    }

    /// Returns a double whose calls fail.
    public static func failing(with error: BrowseError) -> UserRepositoryDouble {
        UserRepositoryDouble(
            onProfile: { _ throws(BrowseError) in throw error },
            onOwnProfile: { () throws(BrowseError) in throw error },
            onSearch: { _ throws(BrowseError) in throw error }
        )
    }

    /// A double whose calls suspend until their task is canceled, and then throw `.cancelled`.
    public static var never: UserRepositoryDouble {
        UserRepositoryDouble(
            onProfile: { _ throws(BrowseError) in throw await .whenCancelled() },
            onOwnProfile: { () throws(BrowseError) in throw await .whenCancelled() },
            onSearch: { _ throws(BrowseError) in throw await .whenCancelled() }
        )
    }

    /// Returns a double whose profile reads suspend until a test responds.
    public static func controlled(by responses: ControlledResponses<GitHub.Login, GitHub.UserProfile>)
        -> UserRepositoryDouble
    {
        UserRepositoryDouble(onProfile: { login throws(BrowseError) in try await responses.response(to: login) })
    }

    /// Returns a double whose searches suspend until a test responds.
    public static func controlled(
        by responses: ControlledResponses<SearchRequest, GitHub.SearchPage<GitHub.User>>
    ) -> UserRepositoryDouble {
        UserRepositoryDouble(onSearch: { request throws(BrowseError) in try await responses.response(to: request) })
    }

    /// Calls ``onProfile``.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await onProfile(login)
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
        try await onSearch(SearchRequest(text: text, cursor: cursor))
    }
}
