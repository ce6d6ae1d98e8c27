public import Foundation

/// Requests tokens from a service's OAuth server, and revokes them.
///
/// Use `OAuthServer.repository(for:client:revoke:)` of BrowseData, or
/// `InMemoryAuthorizationRepository` of BrowseCoreMocks in tests. ``OAuthSignIn`` makes the
/// requests in the right order.
///
/// All methods throw ``BrowseError``: `.signInFailed` if the server refuses, or the app isn't
/// configured for the flow.
public protocol AuthorizationRepository: Sendable {
    /// Returns the authorization page and its redirect URL.
    ///
    /// - Parameters:
    ///   - state: A random value that the redirect repeats, which protects against forged
    ///     redirects.
    ///   - verifier: The PKCE code verifier (RFC 7636), of which the page's URL contains only a
    ///     hash.
    func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL)

    /// Exchanges the code from the redirect for credentials.
    func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> Credentials

    /// Requests a code for the device flow.
    func deviceCode() async throws(BrowseError) -> DeviceCode

    /// Polls the server once for the result of the device flow.
    func poll(_ code: DeviceCode) async throws(BrowseError) -> DevicePoll

    /// Exchanges a refresh token for credentials; the server may accept the token only once.
    ///
    /// If the result has no refresh token, the old one stays in use (RFC 6749, section 6); the same
    /// applies to its scopes.
    func refresh(_ refreshToken: Secret) async throws(BrowseError) -> Credentials

    /// Revokes credentials; does nothing if the server or the app doesn't support that.
    func revoke(_ credentials: Credentials) async throws(BrowseError)

    /// Whether the server and the app support ``revoke(_:)``.
    ///
    /// If not, a token that arrives after a canceled sign-in is used, so that the person can see
    /// it.
    var canRevoke: Bool { get }
}
