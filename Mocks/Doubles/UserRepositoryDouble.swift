public import BrowseDomain

/// A user repository whose answers a test writes as a closure.
///
/// Use ``InMemoryUserRepository`` when the data is what matters; use this one to fail, to come late, or to look at what is
/// asked for:
///
/// ```swift
/// let users = UserRepositoryDouble(onProfile: { login throws(BrowseError) in
///     guard login == GitHub.Login("mona") else { throw .timedOut(BrowseError.RequestInfo(endpoint: "test")) }
///     return mona
/// })
/// ```
///
/// A closure that was not set throws an error that says which one to set.
public struct UserRepositoryDouble: GitHub.UserRepository {
    /// Which page of a search was asked for.
    public struct SearchRequest: Hashable, Sendable {
        /// What was searched for.
        public let text: GitHub.SearchText
        /// Where the page begins; `nil` is the first page.
        public let cursor: PageCursor?

        /// Creates a request, to compare with.
        public init(text: GitHub.SearchText, cursor: PageCursor? = nil) {
            self.text = text
            self.cursor = cursor
        }
    }

    /// Answers ``profile(of:)``.
    public var onProfile: @Sendable (GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile
    /// Answers ``ownProfile()``.
    public var onOwnProfile: @Sendable () async throws(BrowseError) -> GitHub.UserProfile
    /// Answers ``search(for:at:)``.
    public var onSearch: @Sendable (SearchRequest) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User>

    /// Creates a double from its closures; those that are not given throw until they are set.
    public init(
        onProfile: @escaping @Sendable (GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile = {
            _ throws(BrowseError) in throw .notSetUp("onProfile", of: "UserRepositoryDouble")
        },
        onOwnProfile: @escaping @Sendable () async throws(BrowseError) -> GitHub.UserProfile = {
            () throws(BrowseError) in throw .notSetUp("onOwnProfile", of: "UserRepositoryDouble")
        },
        onSearch: @escaping @Sendable (SearchRequest) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User> = {
            _ throws(BrowseError) in throw .notSetUp("onSearch", of: "UserRepositoryDouble")
        }
    ) {
        self.onProfile = onProfile
        self.onOwnProfile = onOwnProfile
        self.onSearch = onSearch
    }

    /// Answers every call with an error.
    public static func failing(with error: BrowseError) -> UserRepositoryDouble {
        UserRepositoryDouble(
            onProfile: { _ throws(BrowseError) in throw error },
            onOwnProfile: { () throws(BrowseError) in throw error },
            onSearch: { _ throws(BrowseError) in throw error }
        )
    }

    /// Never answers; a call ends with `.cancelled` when its task is cancelled.
    public static var never: UserRepositoryDouble {
        UserRepositoryDouble(
            onProfile: { _ throws(BrowseError) in throw await .whenCancelled() },
            onOwnProfile: { () throws(BrowseError) in throw await .whenCancelled() },
            onSearch: { _ throws(BrowseError) in throw await .whenCancelled() }
        )
    }

    /// Answers with profiles when the test lets them go.
    public static func held(_ responses: ControlledResponses<GitHub.Login, GitHub.UserProfile>) -> UserRepositoryDouble
    {
        UserRepositoryDouble(onProfile: { login throws(BrowseError) in try await responses.response(to: login) })
    }

    /// Answers with results of searches when the test lets them go.
    public static func held(
        _ responses: ControlledResponses<SearchRequest, GitHub.SearchPage<GitHub.User>>
    ) -> UserRepositoryDouble {
        UserRepositoryDouble(onSearch: { request throws(BrowseError) in try await responses.response(to: request) })
    }

    /// What ``onProfile`` answers.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await onProfile(login)
    }

    /// What ``onOwnProfile`` answers.
    public func ownProfile() async throws(BrowseError) -> GitHub.UserProfile {
        try await onOwnProfile()
    }

    /// What ``onSearch`` answers.
    public func search(
        for text: GitHub.SearchText,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User> {
        try await onSearch(SearchRequest(text: text, cursor: cursor))
    }
}
