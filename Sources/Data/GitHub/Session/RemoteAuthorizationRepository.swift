public import BrowseData
public import BrowseDomain
public import BrowseGitHubDomain
public import Foundation

/// A repository for GitHub's OAuth flows.
///
/// Sources: GitHub's "Authorizing OAuth apps", "Refreshing user access tokens", and "REST API endpoints for OAuth
/// authorizations".
public struct RemoteAuthorizationRepository: GitHub.AuthorizationRepository {
    private let app: OAuthApp?
    private let webURL: URL
    private let web: HTTPClient
    private let api: HTTPClient
    private let now: @Sendable () -> Date

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - app: The app; if `nil`, signing in throws `.signInFailed(.notConfigured)`.
    ///   - webURL: `https://github.com`, or the URL of a GitHub Enterprise Server; http is allowed for loopback hosts only.
    ///   - web: A client of ``HTTPClient/Service/gitHubWeb(url:userAgent:now:)`` with that URL.
    ///   - api: A client of the API without authorization, because revoking a token uses the app's credentials.
    ///   - now: The current time, from which the lifetime of a token is measured.
    public init(
        app: OAuthApp?,
        webURL: URL,
        web: HTTPClient,
        api: HTTPClient,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.app = app
        self.webURL = webURL
        self.web = web
        self.api = api
        self.now = now
    }

    /// Returns the authorization page and its callback URL.
    public func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
        let app = try configured()
        guard let redirect = app.redirect else { throw .signInFailed(.notConfigured) }
        // The callback URL contains the state, and the token request the verifier.
        if let state = try? Secret(state) { web.redactor.add(state) }
        web.redactor.add(verifier)
        let endpoint = Endpoint<Void>(
            .path("/login/oauth/authorize"),
            query: [
                .init("client_id", app.clientID),
                .init("redirect_uri", redirect.absoluteString),
                .init("scope", app.scopes.joined(separator: " ")),
                .init("state", state),
                .init("code_challenge", SHA256Digest.hash(verifier.text).base64URL),
                .init("code_challenge_method", "S256"),
            ]
        ) { _ in }
        return (try endpoint.url(below: webURL, info: .init(endpoint: endpoint.name)), redirect)
    }

    /// Exchanges the code from the callback URL for credentials.
    public func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> GitHub.Credentials {
        let app = try configured()
        guard let redirect = app.redirect else { throw .signInFailed(.notConfigured) }
        for secret in [code, verifier] { web.redactor.add(secret) }
        return try await token([
            .init("code", code.text),
            .init("redirect_uri", redirect.absoluteString),
            .init("code_verifier", verifier.text),
        ])
    }

    /// Requests a code that the user enters on another device.
    public func deviceCode() async throws(BrowseError) -> GitHub.DeviceCode {
        let app = try configured()
        let endpoint = Endpoint<GitHub.DeviceCode>(
            posting: [.init("client_id", app.clientID), .init("scope", app.scopes.joined(separator: " "))],
            to: "/login/device/code"
        ) { response in
            try GitHub.DeviceCode(response.json(DeviceCodeDTO.self, using: GitHubCoding.decoder))
        }
        return try await web.send(endpoint)
    }

    /// Checks whether the user has entered the code.
    public func poll(_ code: GitHub.DeviceCode) async throws(BrowseError) -> GitHub.DevicePoll {
        web.redactor.add(code.deviceCode)
        do throws(BrowseError) {
            let dto = try await tokenResponse([
                .init("device_code", code.deviceCode.text),
                .init("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            ])
            if dto.error == "slow_down" { return .slowDown(dto.interval.map { .seconds(min(max($0, 1), 3600)) }) }
            return .granted(try credentials(dto))
        } catch {
            switch error {
            case .signInFailed(.other("authorization_pending")): return .pending
            // With status 400, as in RFC 8628.
            case .signInFailed(.other("slow_down")): return .slowDown(nil)
            default: throw error
            }
        }
    }

    /// Exchanges a refresh token for new credentials, which invalidates it.
    public func refresh(_ refreshToken: Secret) async throws(BrowseError) -> GitHub.Credentials {
        web.redactor.add(refreshToken)
        return try await token([
            .init("refresh_token", refreshToken.text),
            .init("grant_type", "refresh_token"),
        ])
    }

    /// Revokes a token; does nothing if the app has no client secret, which GitHub requires.
    ///
    /// - Throws: `.refused(.invalidConfiguration)` if the API uses http on a host other than loopback, because the request
    ///   contains the client secret and the token.
    public func revoke(_ token: GitHub.AccessToken) async throws(BrowseError) {
        guard let app, let secret = app.clientSecret else { return }
        let path: EndpointPath = "/applications/\(app.clientID)/token"
        guard Origin(api.baseURL)?.isPrivate == true else {
            throw .refused(.invalidConfiguration, BrowseError.RequestInfo(endpoint: "DELETE \(path.template)"))
        }
        for secret in [secret, token] { api.redactor.add(secret) }
        let basic = Data("\(app.clientID):\(secret.text)".utf8).base64EncodedString()
        let endpoint = Endpoint<Void>(
            method: .delete,
            .path(path),
            headers: ["Authorization": "Basic \(basic)", "Content-Type": "application/json"],
            body: try? JSONEncoder().encode(["access_token": token.text])
        ) { _ in }
        do throws(BrowseError) {
            try await api.send(endpoint)
        } catch {
            // 404 or 422: the token is invalid already.
            switch error {
            case .notFound, .rejected: return
            default: throw error
            }
        }
    }
}

extension RemoteAuthorizationRepository {
    private func configured() throws(BrowseError) -> OAuthApp {
        guard let app, !app.clientID.isEmpty else { throw .signInFailed(.notConfigured) }
        // Codes and secrets are sent by https or to loopback hosts only.
        guard Origin(webURL)?.isPrivate == true else {
            throw .refused(.invalidConfiguration, BrowseError.RequestInfo(endpoint: "GitHub sign-in"))
        }
        if let secret = app.clientSecret { web.redactor.add(secret) }
        return app
    }

    private func token(_ fields: [FormField]) async throws(BrowseError) -> GitHub.Credentials {
        try credentials(try await tokenResponse(fields))
    }

    private func credentials(_ dto: TokenResponseDTO) throws(BrowseError) -> GitHub.Credentials {
        do {
            return try GitHub.Credentials(dto, now: now())
        } catch let error as BrowseError {
            throw web.redactor.error(error)
        } catch {
            throw .unusableResponse(.status, BrowseError.RequestInfo(endpoint: Self.tokenEndpoint, status: 200))
        }
    }

    private func tokenResponse(_ fields: [FormField]) async throws(BrowseError) -> TokenResponseDTO {
        let app = try configured()
        var form: [FormField] = [.init("client_id", app.clientID)]
        if let secret = app.clientSecret { form.append(.init("client_secret", secret.text)) }
        return try await web.send(
            Endpoint(posting: form + fields, to: "/login/oauth/access_token") { response in
                try response.json(TokenResponseDTO.self, using: GitHubCoding.decoder)
            }
        )
    }

    private static var tokenEndpoint: String { "POST /login/oauth/access_token" }
}

/// A form field; name and value aren't encoded.
private typealias FormField = Endpoint<Void>.QueryItem

extension Endpoint {
    /// Posts a form, encoded as `application/x-www-form-urlencoded`.
    fileprivate init(
        posting fields: [FormField],
        to path: EndpointPath,
        decode: @escaping @Sendable (HTTPResponse) throws -> Response
    ) {
        let form = fields.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        self.init(
            method: .post,
            .path(path),
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Data(form.joined(separator: "&").utf8),
            decode: decode
        )
    }
}

extension HTTPClient.Service {
    /// Returns the service of GitHub's website, where users sign in.
    ///
    /// - Parameters:
    ///   - url: `https://github.com`, or the URL of a GitHub Enterprise Server.
    ///   - userAgent: The name of the app.
    ///   - now: The current time, from which waits are measured.
    public static func gitHubWeb(
        url: URL,
        userAgent: String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> HTTPClient.Service {
        HTTPClient.Service(
            baseURL: url,
            // Otherwise GitHub responds with form encoding.
            headers: ["Accept": "application/json", "User-Agent": userAgent],
            carriesSecrets: true,
            issuedSecrets: IssuedSecretsDTO.secrets(in:),
            failure: { response, info in
                // Errors have status 200, and sometimes 400.
                let dto = try? response.decoded(TokenResponseDTO.self, using: GitHubCoding.decoder)
                if response.status < 500, let error = dto?.error {
                    return .signInFailed(BrowseError.SignInFailure(gitHub: error))
                }
                return GitHubFailure.error(for: response, info: info, now: now())
            }
        )
    }
}
