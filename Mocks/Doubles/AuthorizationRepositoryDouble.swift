public import BrowseDomain
public import Foundation

/// GitHub's OAuth with answers that a test writes as closures.
///
/// A closure that was not set throws an error that says which one to set.
public struct AuthorizationRepositoryDouble: GitHub.AuthorizationRepository {
    /// Answers ``webPage(state:verifier:)`` with a page that has the state in its query.
    public var redirect: URL?
    /// Answers ``exchange(_:verifier:)``.
    public var onExchange: @Sendable (Secret, Secret) async throws(BrowseError) -> GitHub.Credentials
    /// Answers ``deviceCode()``.
    public var onDeviceCode: @Sendable () async throws(BrowseError) -> GitHub.DeviceCode
    /// Answers ``poll(_:)``.
    public var onPoll: @Sendable (GitHub.DeviceCode) async throws(BrowseError) -> GitHub.DevicePoll
    /// Answers ``refresh(_:)``.
    public var onRefresh: @Sendable (Secret) async throws(BrowseError) -> GitHub.Credentials
    /// Answers ``revoke(_:)``; does nothing unless set.
    public var onRevoke: @Sendable (GitHub.AccessToken) async throws(BrowseError) -> Void

    /// Creates a double from its closures; those that are not given throw until they are set.
    public init(
        redirect: URL? = URL(string: "app.browsekit:/signed-in"),
        onExchange: @escaping @Sendable (Secret, Secret) async throws(BrowseError) -> GitHub.Credentials = {
            _,
            _ throws(BrowseError) in throw .notSetUp("onExchange", of: "AuthorizationRepositoryDouble")
        },
        onDeviceCode: @escaping @Sendable () async throws(BrowseError) -> GitHub.DeviceCode = {
            () throws(BrowseError) in throw .notSetUp("onDeviceCode", of: "AuthorizationRepositoryDouble")
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

    /// A page that has the state in its query, and ``redirect``.
    ///
    /// - Throws: `.signInFailed(.notConfigured)` without ``redirect``.
    public func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
        guard let redirect, let page = URL(string: "https://github.example/login/oauth/authorize?state=\(state)") else {
            throw .signInFailed(.notConfigured)
        }
        return (page, redirect)
    }

    /// What ``onExchange`` answers.
    public func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> GitHub.Credentials {
        try await onExchange(code, verifier)
    }

    /// What ``onDeviceCode`` answers.
    public func deviceCode() async throws(BrowseError) -> GitHub.DeviceCode { try await onDeviceCode() }

    /// What ``onPoll`` answers.
    public func poll(_ code: GitHub.DeviceCode) async throws(BrowseError) -> GitHub.DevicePoll {
        try await onPoll(code)
    }

    /// What ``onRefresh`` answers.
    public func refresh(_ refreshToken: Secret) async throws(BrowseError) -> GitHub.Credentials {
        try await onRefresh(refreshToken)
    }

    /// What ``onRevoke`` answers.
    public func revoke(_ token: GitHub.AccessToken) async throws(BrowseError) { try await onRevoke(token) }
}
