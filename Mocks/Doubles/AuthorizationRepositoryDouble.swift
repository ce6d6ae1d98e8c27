public import BrowseDomain
public import Foundation

/// A repository for GitHub's OAuth whose results a test sets as closures.
///
/// If a closure isn't set, its calls fail with a hint, and are issues in tests with the trait `.verifiesMocks`.
public struct AuthorizationRepositoryDouble: GitHub.AuthorizationRepository {
    /// The redirect of ``webPage(state:verifier:)``.
    public var redirect: URL?
    /// Performs ``exchange(_:verifier:)``.
    public var onExchange: @Sendable (Secret, Secret) async throws(BrowseError) -> GitHub.Credentials
    /// Performs ``deviceCode()``.
    public var onDeviceCode: @Sendable () async throws(BrowseError) -> GitHub.DeviceCode
    /// Performs ``poll(_:)``.
    public var onPoll: @Sendable (GitHub.DeviceCode) async throws(BrowseError) -> GitHub.DevicePoll
    /// Performs ``refresh(_:)``.
    public var onRefresh: @Sendable (Secret) async throws(BrowseError) -> GitHub.Credentials
    /// Performs ``revoke(_:)``; does nothing by default.
    public var onRevoke: @Sendable (GitHub.AccessToken) async throws(BrowseError) -> Void

    /// Creates a double; calls of closures that aren't set fail.
    public init(
        redirect: URL? = URL(string: "app.browsekit:/signed-in"),
        onExchange: @escaping @Sendable (Secret, Secret) async throws(BrowseError) -> GitHub.Credentials = {
            _,
            _ throws(BrowseError) in throw .notSetUp("onExchange", of: "AuthorizationRepositoryDouble", parameters: 2)
        },
        onDeviceCode: @escaping @Sendable () async throws(BrowseError) -> GitHub.DeviceCode = {
            () throws(BrowseError) in
            throw .notSetUp("onDeviceCode", of: "AuthorizationRepositoryDouble", parameters: 0)
        },
        onPoll: @escaping @Sendable (GitHub.DeviceCode) async throws(BrowseError) -> GitHub.DevicePoll = {
            _ throws(BrowseError) in throw .notSetUp("onPoll", of: "AuthorizationRepositoryDouble")
        },
        onRefresh: @escaping @Sendable (Secret) async throws(BrowseError) -> GitHub.Credentials = {
            _ throws(BrowseError) in throw .notSetUp("onRefresh", of: "AuthorizationRepositoryDouble")
        },
        onRevoke: @escaping @Sendable (GitHub.AccessToken) async throws(BrowseError) -> Void = { _ in }
    ) {
        self.redirect = redirect
        self.onExchange = onExchange
        self.onDeviceCode = onDeviceCode
        self.onPoll = onPoll
        self.onRefresh = onRefresh
        self.onRevoke = onRevoke
    }

    /// Returns a page whose URL contains the state, and ``redirect``.
    ///
    /// - Throws: `.signInFailed(.notConfigured)` if ``redirect`` is `nil`.
    public func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
        guard let redirect, let page = URL(string: "https://github.example/login/oauth/authorize?state=\(state)") else {
            throw .signInFailed(.notConfigured)
        }
        return (page, redirect)
    }

    /// Calls ``onExchange``.
    public func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> GitHub.Credentials {
        try await onExchange(code, verifier)
    }

    /// Calls ``onDeviceCode``.
    public func deviceCode() async throws(BrowseError) -> GitHub.DeviceCode { try await onDeviceCode() }

    /// Calls ``onPoll``.
    public func poll(_ code: GitHub.DeviceCode) async throws(BrowseError) -> GitHub.DevicePoll {
        try await onPoll(code)
    }

    /// Calls ``onRefresh``.
    public func refresh(_ refreshToken: Secret) async throws(BrowseError) -> GitHub.Credentials {
        try await onRefresh(refreshToken)
    }

    /// Calls ``onRevoke``.
    public func revoke(_ token: GitHub.AccessToken) async throws(BrowseError) { try await onRevoke(token) }
}
