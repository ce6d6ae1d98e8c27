public import BrowseDomain
public import Foundation

/// An app as it is registered with GitHub, which lets people sign in to it.
public struct OAuthApp: Hashable, Sendable {
    /// The app's public id.
    public var clientID: String
    /// The app's secret. The web flow, renewing tokens and revoking them need it; the device flow does not.
    ///
    /// Whoever has the app can read a secret inside of it. Use the device flow where that matters.
    public var clientSecret: Secret?
    /// Where the browser comes back to; `nil` when the app does not sign in by a browser.
    public var redirect: URL?
    /// What the app asks for, in GitHub's words: `public_repo` to star public repositories, `repo` for private ones too.
    public var scopes: [String]

    /// Describes an app.
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
