@_spi(Services) import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

import BrowseData

@Suite(.bounded)
struct `GitHub's OAuth flows` {
    private let redirect = URL(string: "http://127.0.0.1:9/signed-in?kind=github")

    private func repository(
        _ server: LoopbackServer,
        secret: String? = "client+secret",
        clientID: String = "client&id"
    ) throws -> any AuthorizationRepository {
        let url = try #require(URL(string: server.origin))
        return OAuthServer.gitHubRepository(
            app: OAuthApp.gitHub(
                clientID: clientID,
                clientSecret: try secret.map { try Secret($0) },
                redirect: redirect,
                scopes: ["public_repo", "read:user"]
            ),
            url: url,
            web: HTTPClient(
                service: .gitHubWeb(url: url, userAgent: "BrowseKit-Tests"),
                transport: HTTPClient.makeTransport(),
                options: .init {
                    $0.limits = .unhurried
                    $0.now = { testNow }
                }
            ),
            api: try .gitHub(at: server.origin)
        )
    }

    private func code() throws -> DeviceCode {
        DeviceCode(
            userCode: "A",
            page: WebAddress(rawValue: "https://x"),
            lifetime: .seconds(1),
            interval: .seconds(1),
            deviceCode: try Secret("s")
        )
    }

    /// Without any field of OAuth, a response is a portal's.
    private func expectUnusable(_ error: BrowseError?, sourceLocation: SourceLocation = #_sourceLocation) {
        switch error {
        case .unusableResponse, .unreachable(.intercepted, _): break
        default: Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
        }
    }

    /// The fields of a form, decoded.
    private func form(_ request: LoopbackServer.Request) -> [String: String] {
        var parts = URLComponents()
        parts.percentEncodedQuery = String(decoding: request.body, as: UTF8.self)
        let items = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return Dictionary(items) { first, _ in first }
    }

    @Test func `create an authorization page with state, challenge, and callback URL, each encoded once`() throws {
        let server = try LoopbackServer { _ in LoopbackResponse(status: 500) }
        let signIn = try OAuthSignIn(authorization: repository(server)).begin()
        let parts = try #require(URLComponents(url: signIn.page, resolvingAgainstBaseURL: false))
        #expect(parts.path == "/login/oauth/authorize")
        let items = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        #expect(
            items == [
                "response_type": "code", "client_id": "client&id", "redirect_uri": redirect?.absoluteString ?? "",
                "state": signIn.state, "scope": "public_repo read:user", "code_challenge_method": "S256",
                "code_challenge": SHA256Digest.hash(signIn.verifier.text).base64URL,
            ]
        )
        #expect(!signIn.page.absoluteString.contains(signIn.verifier.text))
        #expect(!signIn.page.absoluteString.contains("secret"))
        #expect(signIn.redirect == redirect)
    }

    @Test func `exchange a code for a token by POST, and request JSON`() async throws {
        let server = try LoopbackServer { _ in
            .json(#"{"access_token":"gho_x","token_type":"bearer","scope":"public_repo,read:user"}"#)
        }
        let web = OAuthSignIn(authorization: try repository(server))
        let signIn = try web.begin()
        let address = "http://127.0.0.1:9/signed-in?kind=github&code=a%2Bb&state=\(signIn.state)"
        let callback = try #require(URL(string: address))
        let credentials = try await web.finish(signIn, with: callback)
        var expected = Credentials(token: try Secret("gho_x"), scopes: ["public_repo", "read:user"])
        expected.issuedAt = testNow
        #expect(credentials == expected)
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/login/oauth/access_token")
        #expect(request.header("Accept") == "application/json")
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.header("Authorization") == nil)
        #expect(
            form(request) == [
                "client_id": "client&id", "client_secret": "client+secret",
                "grant_type": "authorization_code", "code": "a+b", "redirect_uri": redirect?.absoluteString ?? "",
                "code_verifier": signIn.verifier.text,
            ]
        )
    }

    @Test(
        arguments: [
            ("bad_verification_code", .invalidCode), ("incorrect_client_credentials", .incorrectClient),
            ("redirect_uri_mismatch", .redirectMismatch), ("unverified_user_email", .unverifiedEmail),
            ("access_denied", .denied), ("expired_token", .expired), ("token_expired", .expired),
            ("incorrect_device_code", .invalidCode), ("device_flow_disabled", .deviceFlowDisabled),
            ("bad_refresh_token", .invalidCode), ("invalid_token", .invalidCode), ("some_unknown_error", .other("…")),
        ] as [(String, BrowseError.SignInFailure)],
        [200, 400]
    )
    func `map GitHub's error codes to typed errors, whatever the status`(
        word: (String, BrowseError.SignInFailure),
        status: Int
    ) async throws {
        let body = #"{"error":"\#(word.0)","error_description":"Says secret-secret-secret-secret","error_uri":"x"}"#
        let server = try LoopbackServer { _ in .json(body, status: status) }
        let repository = try repository(server)
        let (secret, code) = (try Secret("s"), try code())
        let expected = BrowseError.signInFailed(word.1)
        await #expect(throws: expected) { try await repository.exchange(secret, verifier: secret) }
        await #expect(throws: expected) { try await repository.refresh(secret) }
        await #expect(throws: expected) { try await repository.poll(code) }
        await #expect(throws: expected) { try await repository.deviceCode() }
    }

    @Test(arguments: [#""repo,gist read:user""#, #"["repo", "gist", 1, "read:user"]"#])
    func `parse scopes in each format`(scopes: String) async throws {
        let server = try LoopbackServer { _ in .json(#"{"access_token":"gho_x","scope":\#(scopes)}"#) }
        #expect(try await repository(server).refresh(try Secret("s")).scopes == ["repo", "gist", "read:user"])
    }

    @Test(arguments: ["verification_uri", "verification_url"])
    func `default to an interval of five seconds and a lifetime of 15 minutes`(page: String) async throws {
        let server = try LoopbackServer { _ in
            .json(#"{"device_code":"dev","user_code":"\u202eA\u200b\n","\#(page)":"https://github.com/login/device"}"#)
        }
        let code = try await repository(server).deviceCode()
        #expect(code.interval == .seconds(5) && code.lifetime == .seconds(900))
        #expect(code.userCode == "A")
    }

    @Test func `request a device code, and poll for its token`() async throws {
        let server = try LoopbackServer { request in
            guard request.target == "/login/oauth/access_token" else {
                return .json(
                    #"{"device_code":"dev","user_code":"WDJB-MJHT","verification_uri":"https://github.com/login/device","#
                        + #""expires_in":900,"interval":5}"#
                )
            }
            return .json(#"{"error":"authorization_pending"}"#)
        }
        let repository = try repository(server, secret: nil)
        let code = try await repository.deviceCode()
        #expect(code.userCode == "WDJB-MJHT" && code.page.rawValue == "https://github.com/login/device")
        #expect(code.lifetime == .seconds(900) && code.interval == .seconds(5))
        #expect(try await repository.poll(code) == .pending)
        #expect(form(server.requests[0]) == ["client_id": "client&id", "scope": "public_repo read:user"])
        #expect(
            form(server.requests[1]) == [
                "client_id": "client&id", "device_code": "dev",
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            ]
        )
    }

    @Test(
        arguments: [
            (#"{"error":"authorization_pending"}"#, 200, .pending),
            (#"{"error":"authorization_pending"}"#, 400, .pending),
            (#"{"error":"slow_down","interval":10}"#, 200, .slowDown(.seconds(10))),
            (#"{"error":"slow_down"}"#, 200, .slowDown(nil)), (#"{"error":"slow_down"}"#, 400, .slowDown(nil)),
            // auth0/ruby-auth0#794
            (#"{"error":"slow_down"}"#, 429, .slowDown(nil)),
            (#"{"error":"slow_down","interval":1e300}"#, 200, .slowDown(.seconds(3600))),
            (#"{"error":"slow_down","interval":-1}"#, 200, .slowDown(.seconds(1))),
        ] as [(String, Int, DevicePoll)]
    )
    func `report pending and slow_down polls`(body: String, status: Int, answer: DevicePoll) async throws {
        let server = try LoopbackServer { _ in .json(body, status: status) }
        #expect(try await repository(server).poll(code()) == answer)
    }

    @Test func `refresh tokens that expire`() async throws {
        let server = try LoopbackServer { _ in
            .json(
                #"{"access_token":"ghu_x","expires_in":28800,"refresh_token":"ghr_y","refresh_token_expires_in":15897600,"#
                    + #""scope":"","token_type":"bearer"}"#
            )
        }
        let credentials = try await repository(server).refresh(try Secret("ghr_x"))
        var expected = Credentials(
            token: try Secret("ghu_x"),
            expiresAt: testNow.addingTimeInterval(28_800),
            refreshToken: try Secret("ghr_y")
        )
        expected.issuedAt = testNow
        #expect(credentials == expected)
        let sent = form(try #require(server.requests.first))
        #expect(sent["grant_type"] == "refresh_token" && sent["refresh_token"] == "ghr_x")
    }

    @Test(arguments: [
        "{}", "[]", "", "<html>", #"{"access_token":""}"#, #"{"access_token":"a\nb"}"#, #"{"access_token":1}"#,
    ])
    func `reject responses without a token`(body: String) async throws {
        let server = try LoopbackServer { _ in .json(body) }
        let repository = try repository(server)
        let secret = try Secret("s")
        expectUnusable(
            await thrown { () async throws(BrowseError) in try await repository.exchange(secret, verifier: secret) }
        )
    }

    @Test(arguments: [
        "{}", #"{"device_code":"","user_code":"A","verification_uri":"https://x"}"#,
        #"{"device_code":"d","user_code":"","verification_uri":"https://x"}"#,
        #"{"device_code":"d","user_code":" ","verification_uri":"https://x"}"#,
        #"{"device_code":"d","user_code":"A","verification_uri":"http://github.com/login/device"}"#,
        #"{"device_code":"d","user_code":"A","verification_uri":"https://github.com@evil.example/login"}"#,
        #"{"device_code":"d","user_code":"A","verification_uri":"https://github.com:443@evil.example/login"}"#,
        #"{"device_code":"d","user_code":"A","verification_uri":"https://:x@evil.example/login"}"#,
        #"{"device_code":"d","user_code":"A","verification_uri":"github.com@evil.example/login"}"#,
        #"{"device_code":"d","user_code":"A","verification_uri":"javascript:alert(1)"}"#, #"{"device_code":"d"}"#,
    ])
    func `reject responses without a device code`(body: String) async throws {
        let server = try LoopbackServer { _ in .json(body) }
        let repository = try repository(server)
        expectUnusable(await thrown { () async throws(BrowseError) in try await repository.deviceCode() })
    }

    @Test func `revoke a token with the app's credentials`() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(status: 204) }
        try await repository(server).revoke(Credentials(token: try Secret("gho_x")))
        let request = try #require(server.requests.first)
        #expect(request.method == "DELETE" && request.target == "/applications/client%26id/token")
        let basic = Data("client&id:client+secret".utf8).base64EncodedString()
        #expect(request.header("Authorization") == "Basic \(basic)")
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"access_token":"gho_x"}"#)
        #expect(request.header("Content-Type") == "application/json")
    }

    @Test func `ignore a token that is already revoked, but report other failures`() async throws {
        for (status, isFine) in [(204, true), (404, true), (422, true), (401, false), (500, false)] {
            let server = try LoopbackServer { _ in
                LoopbackResponse(status: status, headers: [("X-GitHub-Request-Id", "1")])
            }
            let repository = try repository(server)
            let token = try Secret("gho_x")
            let error = await thrown { () async throws(BrowseError) in
                try await repository.revoke(Credentials(token: token))
            }
            #expect((error == nil) == isFine, "\(status)")
        }
    }

    /// AxaFrance/oidc-client#1037
    @Test(arguments: zip(["unsupported_token_type", "invalid_token", "unsupported_token_type"], [true, true, false]))
    func `revoke both tokens, also if the server can't revoke one`(code: String, isRefreshToken: Bool) async throws {
        let revoked = Mutex<[String?]>([])
        let transport = FakeTransport { request, _ throws(BrowseError) in
            let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            var parts = URLComponents()
            parts.percentEncodedQuery = body
            let token = parts.queryItems?.first { $0.name == "token" }?.value
            revoked.withLock { $0.append(token) }
            guard (token == "refresh") == isRefreshToken else {
                return HTTPClient.Response(status: 200, url: request.url)
            }
            let error = Data(#"{"error":"\#(code)"}"#.utf8)
            let headers: HTTPHeaders = ["Content-Type": "application/json"]
            return HTTPClient.Response(status: 400, headers: headers, body: error, url: request.url)
        }
        let url = try #require(URL(string: "https://server.example"))
        let server = OAuthServer(page: nil, token: "/token", revocation: "/revoke")
        let repository = server.repository(
            for: OAuthApp(clientID: "app", scopes: []),
            client: HTTPClient(service: .oAuth(baseURL: url, userAgent: "Test"), transport: transport)
        )
        let credentials = Credentials(token: try Secret("access"), refreshToken: try Secret("refresh"))
        let error = await thrown { () async throws(BrowseError) in try await repository.revoke(credentials) }
        // An invalid token is revoked. Without its refresh token, another one isn't renewed.
        let isRevoked = code == "invalid_token" || !isRefreshToken
        #expect(error == (isRevoked ? nil : .signInFailed(.other(code))))
        #expect(revoked.withLock { $0 } == ["refresh", "access"])
    }

    /// The status says all (RFC 7009, section 2.2), but of a page: navikt/mock-oauth2-server#965
    @Test(arguments: ["", "{}", "ok", "<html>"], ["application/json", "text/plain", "text/html", nil])
    func `take a 200 of an own server, whatever its text, as a revocation`(body: String, type: String?) async throws {
        let transport = FakeTransport { request, _ throws(BrowseError) in
            let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
            return HTTPClient.Response(status: 200, headers: headers, body: Data(body.utf8), url: request.url)
        }
        let url = try #require(URL(string: "https://server.example"))
        let repository = OAuthServer(page: nil, token: "/token", revocation: "/revoke").repository(
            for: OAuthApp(clientID: "app", scopes: []),
            client: HTTPClient(service: .oAuth(baseURL: url, userAgent: "Test"), transport: transport)
        )
        let credentials = Credentials(token: try Secret("access"))
        let error = await thrown { () async throws(BrowseError) in try await repository.revoke(credentials) }
        let isRevoked = body.isEmpty || body != "<html>" && type != "text/html"
        #expect((error == nil) == isRevoked && !transport.requests.isEmpty)
    }

    /// RFC 6749, sections 3.1 to 3.3
    @Test(arguments: [("/authorize/", "?response_type=code"), ("/authorize?response_type=code&scope=read", "")])
    func `keep the page's path, and send no parameter twice or empty`(path: String, more: String) async throws {
        let page = try #require(URL(string: "https://login.example" + path))
        let transport = FakeTransport(statuses: 400)
        let url = try #require(URL(string: "https://login.example"))
        let repository = OAuthServer(page: page, token: "/token", deviceCode: "/device").repository(
            for: OAuthApp(clientID: "app", redirect: redirect),
            client: HTTPClient(service: .oAuth(baseURL: url, userAgent: "Test"), transport: transport)
        )
        let address = try repository.webPage(state: "s", verifier: try Secret("v")).page.absoluteString
        #expect(address.hasPrefix("\(page.absoluteString)\(more)&client_id=app&redirect_uri="))
        #expect(address.contains(/redirect_uri=[^&]*&state=s&/))
        _ = await thrown { () async throws(BrowseError) in try await repository.deviceCode() }
        #expect(transport.requests.first?.body == Data("client_id=app".utf8))
    }

    /// RFC 6749, sections 3.1 and 4.1.1; fireteam/curlish#1, mattrasband/aiohttp-oauth2#3
    @Test func `keep the query of the server's page, without a second prompt`() throws {
        let page = try #require(URL(string: "https://login.example/authorize?audience=api&prompt=consent"))
        let service = HTTPClient.Service.oAuth(baseURL: page, userAgent: "Test")
        let repository = OAuthServer(page: page, token: "/token").repository(
            for: OAuthApp(clientID: "app", redirect: redirect),
            client: HTTPClient(service: service, transport: FakeTransport(statuses: 500))
        )
        let address = try OAuthSignIn(authorization: repository).begin(choosesAccount: true).page.absoluteString
        #expect(address.hasPrefix("\(page.absoluteString)&response_type=code&client_id=app&"))
        #expect(!address.contains("select_account"))
    }

    @Test func `throw notConfigured, with what is missing, for an app that isn't configured`() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(status: 500) }
        let token = try Secret("gho_x")
        try await repository(server, secret: nil).revoke(Credentials(token: token))
        let unnamed = try repository(server, clientID: "")
        let noID = BrowseError.signInFailed(.notConfigured(missing: "OAuthApp.clientID"))
        await #expect(throws: noID) { try await unnamed.deviceCode() }
        #expect(throws: noID) { try unnamed.webPage(state: "s", verifier: token) }
        await #expect(throws: noID) { try await unnamed.refresh(token) }
        let url = try #require(URL(string: server.origin))
        let client = HTTPClient(
            service: .oAuth(baseURL: url, userAgent: "Test"),
            transport: FakeTransport(statuses: 500)
        )
        let app = OAuthApp(clientID: "app", redirect: URL(string: "app:/signed-in"))
        let incomplete: [(OAuthApp?, URL?, String)] = [
            (nil, url, "OAuthApp"), (OAuthApp(clientID: "app"), url, "OAuthApp.redirect"),
            (app, nil, "OAuthServer.page"),
        ]
        for (app, page, missing) in incomplete {
            let repository = OAuthServer(page: page, token: "/token").repository(for: app, client: client)
            let error = #expect(throws: BrowseError.self) { try repository.webPage(state: "s", verifier: token) }
            #expect(error.map { "\($0)" }?.contains("missing: \"\(missing)\"") == true)
        }
        #expect(server.requests.isEmpty)
    }

    /// RFC 8628, section 3.1; scribejava/scribejava#1041, auth0/ruby-auth0#794
    @Test(arguments: [true, false])
    func `by code authenticate an app with a secret if the server requires that`(isRequired: Bool) async throws {
        let refusal = #"{"error":"unauthorized_client"}"#
        let code = #"{"device_code":"d","user_code":"A","verification_uri":"https://login.example/device"}"#
        let transport = FakeTransport { request, _ throws(BrowseError) in
            let hasSecret = String(decoding: request.body ?? Data(), as: UTF8.self).contains("client_secret=")
            let isRefused = hasSecret != isRequired
            return HTTPClient.Response(
                status: isRefused ? 401 : 200,
                headers: ["Content-Type": "application/json"],
                body: Data((isRefused ? refusal : code).utf8),
                url: request.url
            )
        }
        let url = try #require(URL(string: "https://login.example"))
        let repository = OAuthServer(page: nil, token: "/token", deviceCode: "/device").repository(
            for: OAuthApp(clientID: "app", clientSecret: try Secret("secret-1")),
            client: HTTPClient(service: .oAuth(baseURL: url, userAgent: "Test"), transport: transport)
        )
        #expect(try await repository.deviceCode().userCode == "A")
        let bodies = transport.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
        #expect(bodies == ["client_id=app"] + (isRequired ? ["client_id=app&client_secret=secret-1"] : []))
    }

    @Test func `by code throw deviceFlowDisabled for a server without a path for it`() async throws {
        let page = try #require(URL(string: "https://login.example/authorize"))
        let service = HTTPClient.Service.oAuth(baseURL: page, userAgent: "Test")
        let repository = OAuthServer(page: page, token: "/token").repository(
            for: OAuthApp(clientID: "app", redirect: redirect),
            client: HTTPClient(service: service, transport: FakeTransport(statuses: 500))
        )
        await #expect(throws: BrowseError.signInFailed(.deviceFlowDisabled)) { try await repository.deviceCode() }
    }

    @Test func `decode every recorded response`() async throws {
        let tokens = try Corpus.responses(of: "oauth_access_token")
        var good = 0
        for response in tokens {
            let secret = try Secret("s")
            let error = await thrown { () async throws(BrowseError) in
                let client = try? Corpus.client(for: response)
                guard let client, let url = URL(string: "https://github.com") else { return }
                let repository = OAuthServer.gitHubRepository(
                    app: OAuthApp.gitHub(clientID: "a", redirect: url),
                    url: url,
                    web: client,
                    api: client
                )
                _ = try await repository.exchange(secret, verifier: secret)
                good += 1
            }
            let word = (response.object as? [String: Any])?["error"] as? String
            #expect(error == word.map { .signInFailed(BrowseError.SignInFailure(code: $0)) }, "\(response.name)")
        }
        #expect(Corpus.folder == nil || (tokens.count >= 6 && good >= 2))
        for response in try Corpus.responses(of: "oauth_device_code") {
            let client = try Corpus.client(for: response)
            let url = try #require(URL(string: "https://github.com"))
            let repository = OAuthServer.gitHubRepository(
                app: OAuthApp.gitHub(clientID: "a"),
                url: url,
                web: client,
                api: client
            )
            #expect(try await repository.deviceCode().userCode == "WDJB-MJHT")
        }
    }
}
