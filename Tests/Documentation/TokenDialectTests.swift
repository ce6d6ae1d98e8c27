import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTesting
import Foundation
import TestLimits
import Testing

// The samples of OAuth servers that don't follow the standard, which also run as tests.

/// Sends forms as JSON, and gives a used refresh token the code of the standard.
nonisolated struct JSONForms: HTTPMiddleware {
    func send(
        _ request: HTTPClient.Request,
        next: @escaping Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        var form = URLComponents()
        form.percentEncodedQuery = request.body.map { String(decoding: $0, as: UTF8.self) }
        let fields = (form.queryItems ?? []).reduce(into: [:]) { $0[$1.name] = $1.value }
        var request = request
        request.headers["Content-Type"] = "application/json"
        request.body = try? JSONEncoder().encode(fields)
        var response = try await next(request)
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Data(text.replacing("\"refresh_token_used\"", with: "\"invalid_grant\"").utf8)
        return response
    }
}

@Suite(.bounded) struct `An OAuth server with a dialect` {
    private let app = OAuthApp(clientID: "letters-app", redirect: URL(string: "letters:/signed-in"))
    private let server = OAuthServer(page: nil, token: "/token")

    @Test(.verifiesMocks) func `receives JSON, and refuses a refresh token by its own code`() async throws {
        let scripted = ScriptedServer()
        let code = #"""
            {"client_id": "letters-app", "code": "code-1", "code_verifier": "verifier-1",
            "grant_type": "authorization_code", "redirect_uri": "letters:/signed-in"}
            """#
        let refresh = #"{"client_id": "letters-app", "grant_type": "refresh_token", "refresh_token": "refresh-1"}"#
        let token = ScriptedServer.Response.json(#"{"access_token": "access-1", "refresh_token": "refresh-1"}"#)
        let refusal = ScriptedServer.Response.json(#"{"error": "refresh_token_used"}"#, status: 403)
        scripted.on(.post("/token").json(code), response: token)
        scripted.on(.post("/token").json(refresh), response: refusal)

        let url = try #require(URL(string: "https://letters.example"))
        let service = HTTPClient.Service.oAuth(baseURL: url, userAgent: "Tests")
        let container = Container.production(on: scripted.transport())
        let client = container.plainClient(of: service, middleware: [JSONForms()])
        let authorization = server.repository(for: app, client: client)
        let (secret, verifier) = (try Secret("code-1"), try Secret("verifier-1"))
        let credentials = try await authorization.exchange(secret, verifier: verifier)
        let refreshToken = try #require(credentials.refreshToken)
        // The error that ends a session.
        await #expect(throws: BrowseError.signInFailed(.invalidCode)) {
            try await authorization.refresh(refreshToken)
        }
    }

    @Test(.verifiesMocks) func `has errors of another shape`() async throws {
        let scripted = ScriptedServer()
        scripted.on(.post, "/token", response: .json(#"{"code": "INVALID_REFRESH_TOKEN"}"#, status: 401))

        let url = try #require(URL(string: "https://letters.example"))
        let container = Container.production(on: scripted.transport())
        var service = HTTPClient.Service.oAuth(baseURL: url, userAgent: "Letters") { response, info, now in
            switch (try? response.decoded([String: String].self))?["code"] {
            case "INVALID_CODE", "INVALID_REFRESH_TOKEN": .signInFailed(.invalidCode)
            case "PENDING": .signInFailed(.other("authorization_pending"))
            default: BrowseError(response, info: info, now: now)
            }
        }
        service.evidence = .json()
        let authorization = server.repository(for: app, client: container.plainClient(of: service))
        let refreshToken = try Secret("refresh-1")
        await #expect(throws: BrowseError.signInFailed(.invalidCode)) {
            try await authorization.refresh(refreshToken)
        }
    }

    @Test(.verifiesMocks) func `revokes the token of a request`() async throws {
        let scripted = ScriptedServer()
        let revocation = RequestMatcher.post("/auth/revoke").header("Authorization", "Bearer access-1")
        scripted.on(revocation, response: .json("null"))

        let url = try #require(URL(string: "https://letters.example"))
        let service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        let container = Container.production(on: scripted.transport())
        let client = container.plainClient(of: .oAuth(baseURL: url, userAgent: "Tests"))
        let authorization = server.repository(for: app, client: client) { credentials, _ throws(BrowseError) in
            let grant = AccessGrant(account: "revocation", token: credentials.token)
            let api = container.client(of: service, tokens: grant)
            try await api.send(Endpoint<Void>.json(method: .post, .path("/auth/revoke")))
        }
        #expect(authorization.canRevoke)
        try await authorization.revoke(Credentials(token: try Secret("access-1")))
    }
}
