import BrowseData
public import BrowseDomain
public import Foundation

/// An OAuth app registered with GitHub.
public struct OAuthApp: Hashable, Sendable {
    /// The client ID, which is public.
    public var clientID: String
    /// The client secret; required for all flows except the device flow.
    ///
    /// The web flow, refreshing, and revoking tokens require it. Users can extract secrets from an app; if that matters, use
    /// the device flow.
    public var clientSecret: Secret?
    /// The callback URL of the web flow; `nil` if the app doesn't use it.
    public var redirect: URL?
    /// The requested scopes.
    ///
    /// `public_repo` allows starring public repositories, `repo` also private ones.
    public var scopes: [String]

    /// Creates a description of an app.
    public init(
        clientID: String,
        clientSecret: Secret? = nil,
        redirect: URL? = nil,
        scopes: [String] = ["public_repo"]
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirect = redirect
        self.scopes = scopes
    }
}
