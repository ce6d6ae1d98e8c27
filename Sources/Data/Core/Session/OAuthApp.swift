public import BrowseDomain
public import Foundation

/// An app that is registered with an OAuth server.
public struct OAuthApp: Hashable, Sendable {
    /// The client ID, which is public.
    public var clientID: String
    /// The client secret; `nil` if the server doesn't require one.
    ///
    /// Users can extract secrets from an app; if that matters, use a flow without one.
    public var clientSecret: Secret?
    /// The callback URL of the web flow; `nil` if the app doesn't use it.
    ///
    /// Each service needs its own. With a common one, a hostile service could lead the browser to
    /// another service's page, and would receive that service's code. Source: RFC 9700, section
    /// 4.4.2.
    public var redirect: URL?
    /// The server's names of the requested permissions.
    package var scopes: [String]

    /// Creates a description of an app.
    public init(clientID: String, clientSecret: Secret? = nil, redirect: URL? = nil, scopes: [String] = []) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirect = redirect
        self.scopes = scopes
    }
}
