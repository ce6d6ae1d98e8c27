public import BrowseData
@_spi(Services) public import BrowseDomain
public import Foundation

extension OAuthApp {
    /// Creates a description of an OAuth app registered with GitHub.
    ///
    /// - Parameters:
    ///   - clientID: The client ID, which is public.
    ///   - clientSecret: The client secret; required for all flows except the device flow, and for
    ///     revoking tokens.
    ///   - redirect: The callback URL of the web flow; `nil` if the app doesn't use it.
    ///   - scopes: The requested scopes. `public_repo` allows starring public repositories, `repo`
    ///     also private ones.
    public static func gitHub(
        clientID: String,
        clientSecret: Secret? = nil,
        redirect: URL? = nil,
        scopes: [String] = ["public_repo"]
    ) -> OAuthApp {
        OAuthApp(clientID: clientID, clientSecret: clientSecret, redirect: redirect, scopes: scopes)
    }
}

extension HTTPClient.Service {
    /// Returns the service of a website, such as `https://github.com`, where users sign in.
    package static func gitHubWeb(url: URL, userAgent: String) -> HTTPClient.Service {
        var service = HTTPClient.Service.oAuth(
            baseURL: url,
            userAgent: userAgent,
            failure: GitHubFailure.error(for:info:now:)
        )
        let oAuth = service.evidence
        let gitHub = Evidence.gitHub(at: url)
        service.evidence = Evidence(realm: gitHub.realm) { oAuth.isProven($0) || gitHub.isProven($0) }
        return service
    }
}

extension OAuthServer {
    /// Returns a repository for GitHub's OAuth.
    ///
    /// The client of the API has no authorization, because revoking a token uses the app's
    /// credentials. Sources: GitHub's "Authorizing OAuth apps" and "Refreshing user access tokens".
    package static func gitHubRepository(
        app: OAuthApp?,
        url: URL,
        web: HTTPClient,
        api: HTTPClient
    ) -> any AuthorizationRepository {
        let server = OAuthServer(
            page: url.appending(path: "login/oauth/authorize"),
            token: "/login/oauth/access_token",
            deviceCode: "/login/device/code"
        )
        let revoke: OAuthServer.Revoke = { credentials, app throws(BrowseError) in
            try await api.revoke(credentials.token, of: app)
        }
        // GitHub requires the client secret.
        return server.repository(for: app, client: web, revoke: app?.clientSecret == nil ? nil : revoke)
    }
}

extension HTTPClient {
    /// Revokes a token of an app; does nothing if the app has no client secret, which GitHub
    /// requires.
    ///
    /// Source: GitHub's "REST API endpoints for OAuth authorizations".
    ///
    /// - Throws: `.refused(.invalidConfiguration)` if the API uses http on a host other than
    ///   loopback, because the request contains the client secret and the token.
    fileprivate func revoke(_ token: AccessToken, of app: OAuthApp) async throws(BrowseError) {
        guard let secret = app.clientSecret else { return }
        let path: EndpointPath = "/applications/\(app.clientID)/token"
        guard isPrivate else {
            throw .refused(.invalidConfiguration, BrowseError.RequestInfo(endpoint: "DELETE \(path.template)"))
        }
        let basic = Data("\(app.clientID):\(secret.text)".utf8).base64EncodedString()
        let endpoint = Endpoint<Void>(
            method: .delete,
            .path(path),
            headers: ["Authorization": "Basic \(basic)", "Content-Type": "application/json"],
            body: try? JSONEncoder().encode(["access_token": token.text]),
            decode: HTTPClient.Response.expectNoContent
        )
        do throws(BrowseError) {
            try await send(endpoint)
        } catch .notFound(let info) where info.status == 404, .rejected(let info) where info.status == 422 {
            // GitHub's own: the token is invalid already.
        }
    }
}
