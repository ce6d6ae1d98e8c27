@_spi(Services) public import BrowseDomain
import Foundation

extension OAuthServer {
    /// Returns a repository for the flows of the server.
    ///
    /// - Parameters:
    ///   - app: The app; if `nil`, signing in throws `.signInFailed(.notConfigured(missing:))`.
    ///   - client: A client of ``HTTPClient/Service/oAuth(baseURL:userAgent:failure:)`` without
    ///     authorization, since its requests carry the app's own credentials. The lifetime of a
    ///     token is measured from its current time.
    ///   - revoke: Revokes credentials at a server that doesn't follow RFC 7009; `nil` uses the
    ///     standard.
    public func repository(
        for app: OAuthApp?,
        client: HTTPClient,
        revoke: Revoke? = nil
    ) -> any AuthorizationRepository {
        RemoteAuthorizationRepository(app: app, server: self, client: client, customRevoke: revoke)
    }
}

/// A repository for the flows of an OAuth server.
///
/// Secrets are sent over https or to this device only.
///
/// Sources: RFC 6749 (authorization code and refresh), RFC 7636 (PKCE), RFC 8628 (device flow), and
/// RFC 7009 (revocation).
struct RemoteAuthorizationRepository: AuthorizationRepository {
    let app: OAuthApp?
    let server: OAuthServer
    let client: HTTPClient
    let customRevoke: OAuthServer.Revoke?

    func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
        let app = try configured()
        guard let redirect = app.redirect else { throw .signInFailed(.notConfigured(missing: "OAuthApp.redirect")) }
        guard let page = server.page else { throw .signInFailed(.notConfigured(missing: "OAuthServer.page")) }
        guard Origin(page)?.isPrivate == true else { throw .refused(.invalidConfiguration, Self.info) }
        // None twice, and no scope without a name (RFC 6749, sections 3.1 and 3.3).
        let own = URLComponents(url: page, resolvingAgainstBaseURL: true)?.queryItems?.map(\.name) ?? []
        let fields: [FormField] = [
            .init("response_type", "code"),
            .init("client_id", app.clientID),
            .init("redirect_uri", redirect.absoluteString),
            .init("scope", app.scopes.joined(separator: " ")),
        ]
        let proof: [FormField] = [
            .init("state", state),
            .init("code_challenge", SHA256Digest.hash(verifier.text).base64URL),
            .init("code_challenge_method", "S256"),
        ]
        let query = fields.filter { !$0.value.isEmpty && !own.contains($0.name) } + proof
        let endpoint = Endpoint<Void>(.path(""), query: query) { _ in }
        return (try endpoint.url(below: page, info: Self.info), redirect)
    }

    func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> Credentials {
        let app = try configured()
        guard let redirect = app.redirect else { throw .signInFailed(.notConfigured(missing: "OAuthApp.redirect")) }
        let fields: [FormField] = [
            .init("grant_type", "authorization_code"),
            .init("code", code.text),
            .init("redirect_uri", redirect.absoluteString),
            .init("code_verifier", verifier.text),
        ]
        return try await token(fields) { try $0.credentials(issuedAt: $1) }
    }

    func deviceCode() async throws(BrowseError) -> DeviceCode {
        let app = try configured()
        guard let path = server.deviceCode else { throw .signInFailed(.deviceFlowDisabled) }
        let scope = FormField("scope", app.scopes.joined(separator: " "))
        func request(_ fields: [FormField]) async throws(BrowseError) -> DeviceCode {
            try await client.send(.init(posting: fields + [scope], to: path) { try $0.decoded(OAuthDTO.self).code() })
        }
        // An app with a secret authenticates (RFC 8628, section 3.1). Keycloak requires that, and
        // Auth0 refuses it.
        let refusals: [BrowseError] = [.signInFailed(.incorrectClient), .signInFailed(.other("unauthorized_client"))]
        do throws(BrowseError) {
            do throws(BrowseError) {
                return try await request([FormField("client_id", app.clientID)])
            } catch {
                guard app.clientSecret != nil, refusals.contains(error) else { throw error }
                return try await request(appFields())
            }
        } catch {
            throw error.meansNoDeviceFlow ? .signInFailed(.deviceFlowDisabled) : error
        }
    }

    func poll(_ code: DeviceCode) async throws(BrowseError) -> DevicePoll {
        let fields: [FormField] = [
            .init("device_code", code.deviceCode.text),
            .init("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ]
        do throws(BrowseError) {
            return try await token(fields) { dto, now in
                guard dto["error"] == "slow_down" else { return .granted(try dto.credentials(issuedAt: now)) }
                return .slowDown(dto.seconds("interval").map { .seconds($0.clamped(to: 1...3600)) })
            }
        } catch .signInFailed(.other("authorization_pending")) {
            return .pending
        } catch .signInFailed(.other("slow_down")) {
            // With status 400, as in RFC 8628.
            return .slowDown(nil)
        }
    }

    func refresh(_ refreshToken: Secret) async throws(BrowseError) -> Credentials {
        try await token([.init("refresh_token", refreshToken.text), .init("grant_type", "refresh_token")]) {
            try $0.credentials(issuedAt: $1, isRefresh: true)
        }
    }

    var canRevoke: Bool { app != nil && (customRevoke != nil || server.revocation != nil) }

    /// Revokes credentials with the custom function, or at ``OAuthServer/revocation``.
    ///
    /// The latter revokes the refresh token and the token, each also if the other can't be revoked:
    /// a server can invalidate only one of them, and needn't support both (RFC 7009, section 2).
    /// One that can't be revoked is no failure if its refresh token was: it can't be renewed.
    func revoke(_ credentials: Credentials) async throws(BrowseError) {
        guard let app else { return }
        if let customRevoke { return try await customRevoke(credentials, app) }
        guard let path = server.revocation else { return }
        let form = try appFields()
        let tokens = [credentials.refreshToken, credentials.token].compactMap(\.self)
        var failure: BrowseError?
        for token in tokens {
            let endpoint = Endpoint<Bool>(posting: form + [.init("token", token.text)], to: path) { [client] response in
                // The status says all (section 2.2). A page is a portal's, and so is what another
                // host answers.
                let isPage = !response.body.isEmpty && response.isPage
                guard !isPage, response.host(insteadOf: client.baseURL) == nil else { throw ResponseFailure(.status) }
                return true
            }
            do throws(BrowseError) {
                _ = try await client.send(endpoint)
            } catch {
                // An invalid token needs no revocation: revoking one of a pair can end both.
                let unsupported = BrowseError.signInFailed(.other("unsupported_token_type"))
                if !error.endsSession, token == tokens[0] || error != unsupported { failure = error }
            }
        }
        if let failure { throw failure }
    }
}

extension RemoteAuthorizationRepository {
    private func configured() throws(BrowseError) -> OAuthApp {
        guard let app else { throw .signInFailed(.notConfigured(missing: "OAuthApp")) }
        guard !app.clientID.isEmpty else { throw .signInFailed(.notConfigured(missing: "OAuthApp.clientID")) }
        guard client.isPrivate else { throw .refused(.invalidConfiguration, Self.info) }
        return app
    }

    private func token<Response: Sendable>(
        _ fields: [FormField],
        read: @escaping @Sendable (OAuthDTO, _ now: Date) throws -> Response
    ) async throws(BrowseError) -> Response {
        let endpoint = Endpoint(posting: try appFields() + fields, to: server.token) { [now = client.now] response in
            // Its shape tells a token from a page; some servers name any media type.
            try read(response.decoded(OAuthDTO.self), now())
        }
        guard !Task.isCancelled else { throw .cancelled }
        // Not canceled with its caller, who revokes a token that the server issues meanwhile.
        let request = Task { [client] in
            await Result.of { () throws(BrowseError) in try await client.send(endpoint) }
        }
        return try await request.value.get()
    }

    /// Returns the fields that identify the app.
    private func appFields() throws(BrowseError) -> [FormField] {
        let app = try configured()
        // An empty field isn't sent.
        return [.init("client_id", app.clientID), .init("client_secret", app.clientSecret?.text ?? "")]
    }

    /// Describes requests without an endpoint in errors.
    private static let info = BrowseError.RequestInfo(endpoint: "sign-in")
}

extension BrowseError {
    /// Whether a server doesn't have the device flow, or not for this app (RFC 6749, section 5.2).
    fileprivate var meansNoDeviceFlow: Bool {
        switch self {
        case .notFound: true
        // A server without the path responds with any page.
        case .unreachable(.intercepted, let info): info.status.map([404, 405, 410].contains) == true
        case .rejected(let info), .serverFailure(let info): info.status == 405 || info.status == 501
        case .signInFailed(.other(let code)):
            ["unauthorized_client", "unsupported_grant_type", "unsupported_response_type"].contains(code)
        default: false
        }
    }
}

/// A form field; name and value aren't encoded.
private typealias FormField = Endpoint<Void>.QueryItem

extension Endpoint {
    /// Posts a form.
    fileprivate init(
        posting fields: [FormField],
        to path: EndpointPath,
        decode: @escaping @Sendable (HTTPClient.Response) throws -> Response
    ) {
        // Without a value, a field is omitted (RFC 6749, section 3.2).
        self = Endpoint(method: .post, .path(path), decode: decode).sending(form: fields.filter { !$0.value.isEmpty })
    }
}
