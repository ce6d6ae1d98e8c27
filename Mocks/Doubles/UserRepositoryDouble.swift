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
    /// Answers ``profile(of:)``.
    public var onProfile: @Sendable (GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile

    /// Creates a double that throws until its closure is set.
    public init() {
        self.init(onProfile: { _ throws(BrowseError) in throw .notSetUp("onProfile", of: "UserRepositoryDouble") })
    }

    /// Creates a double from its closure.
    public init(
        onProfile: @escaping @Sendable (GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile
    ) {
        self.onProfile = onProfile
    }

    /// Answers every call with an error.
    public static func failing(with error: BrowseError) -> UserRepositoryDouble {
        UserRepositoryDouble(onProfile: { _ throws(BrowseError) in throw error })
    }

    /// Never answers; a call ends with `.cancelled` when its task is cancelled.
    public static var never: UserRepositoryDouble {
        UserRepositoryDouble(onProfile: { _ throws(BrowseError) in throw await .whenCancelled() })
    }

    /// Answers when the test lets the reply go.
    public static func held(_ replies: HeldReplies<GitHub.Login, GitHub.UserProfile>) -> UserRepositoryDouble {
        UserRepositoryDouble(onProfile: { login throws(BrowseError) in try await replies.reply(to: login) })
    }

    /// What ``onProfile`` answers.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await onProfile(login)
    }
}
