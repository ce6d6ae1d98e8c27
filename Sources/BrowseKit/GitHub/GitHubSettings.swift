public import BrowseCore
public import BrowseData
import BrowseGitHubPresentation
public import BrowsePresentation
public import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import Foundation

/// The settings of GitHub.
public struct GitHubSettings: ServiceSettings {
    /// The service's name in problems of a configuration.
    public static let name = "GitHub"
    /// The kinds of favorites for accounts and code repositories.
    public static var favoriteKinds: [FavoriteKind] { FavoriteKind.gitHub }
    /// The server of avatars, which offers several sizes.
    public static var imageSizes: [ImageSizes] { [.gitHubAvatars] }

    // The strings are constants, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// The URL of the API; `https://HOST/api/v3` for GitHub Enterprise Server.
    public var url: URL = URL(string: "https://api.github.com")!
    // swift-format-ignore: NeverForceUnwrap
    /// The URL of the website for signing in; `https://HOST` for GitHub Enterprise Server.
    public var webURL: URL = URL(string: "https://github.com")!
    /// The app as registered with GitHub; `nil` if the app offers no sign-in.
    public var app: OAuthApp?
    /// A token, such as a personal access token; it's sent only to the origin of ``url``.
    ///
    /// It replaces a stored session, and isn't stored. If GitHub refuses it, it stays in use, and
    /// the session is `.signedOut(.tokenRefused)`. Requests then fail with `.unauthorized` for a
    /// minute, without being sent, after which it's used again. Signing in or out drops it.
    public var token: AccessToken?
    /// The keychain access group that shares the session with app extensions; `nil` uses the app's
    /// groups.
    ///
    /// The group must be in the `keychain-access-groups` entitlement of each of them. It begins
    /// with the team's identifier, as in `A1B2C3D4E5.com.example.shared`. Apple platforms only.
    public var keychainAccessGroup: String?

    /// The number of rows on a page, 1 to 100; fewer for a server that fails with 502 for large
    /// pages.
    public var pageSize: Int = 100

    /// Creates the settings of `github.com`, without an account.
    public init() {}

    /// Creates the settings of a server, without an account.
    ///
    /// - Parameter server: The URL of its website or its API: `https://github.com`,
    ///   `https://TENANT.ghe.com`, or that of a GitHub Enterprise Server.
    public init(server: URL) {
        // `validate()` reports a URL without a host.
        url = server
        webURL = server
        guard var parts = URLComponents(url: server, resolvingAgainstBaseURL: true), var host = parts.host?.lowercased()
        else { return }
        // As a person may type it; `validate()` accepts the normal form only.
        parts.scheme = parts.scheme?.lowercased()
        parts.path = ""
        parts.query = nil
        parts.fragment = nil
        let isCloud = ["github.com", "ghe.com"].contains { host == $0 || host.hasSuffix("." + $0) }
        for prefix in ["api.", "www."] where isCloud && host.hasPrefix(prefix) { host.removeFirst(prefix.count) }
        parts.host = host
        webURL = parts.url ?? server
        if isCloud { parts.host = "api." + host } else { parts.path = "/api/v3" }
        url = parts.url ?? server
    }

    /// Returns the service of GitHub's API.
    public func service(in configuration: Configuration) -> HTTPClient.Service {
        var service = HTTPClient.Service.gitHub(baseURL: url, userAgent: configuration.userAgent)
        service.carriesSecrets = app != nil || token != nil
        return service
    }

    /// Returns the website for signing in.
    func webService(in configuration: Configuration) -> HTTPClient.Service {
        .gitHubWeb(url: webURL, userAgent: configuration.userAgent)
    }

    /// Validates the URL for signing in, and the app.
    ///
    /// A redirect without a client secret is valid, though GitHub's browser flow requires both: a
    /// server of your own at ``webURL`` can add the secret.
    public func validate(in configuration: Configuration) throws(Configuration.Problem) {
        var web = webService(in: configuration)
        // Without an app, no secrets are sent there.
        web.carriesSecrets = app != nil
        try web.validate(as: "GitHub sign-in")
        guard let app else { return }
        let isID = !app.clientID.isEmpty && app.clientID.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isID else { throw .clientID }
        if let redirect = app.redirect {
            let isUsable = redirect.scheme?.isEmpty == false && redirect.user() == nil && redirect.password() == nil
            guard isUsable, !redirect.absoluteString.contains("#") else { throw .redirect }
        }
    }
}

extension Configuration {
    /// The settings of GitHub.
    public var gitHub: GitHubSettings {
        get { self[GitHubSettings.self] }
        set { self[GitHubSettings.self] = newValue }
    }
}

extension Configuration.Problem {
    /// The app has no client ID, or one that isn't visible ASCII.
    package static let clientID = Self.setting(
        service: GitHubSettings.name,
        reason: "The app's client ID is empty, or isn't visible ASCII."
    )
    /// The redirect URL lacks a scheme, or has a user, password, or fragment (RFC 6749, section
    /// 3.1.2).
    package static let redirect = Self.setting(
        service: GitHubSettings.name,
        reason: "The redirect URL lacks a scheme, or has a user, password, or fragment."
    )
}
