@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite(.bounded)
struct RecordingTests {
    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url }

    /// Records what a body sends to a scripted server.
    private func recording(
        of server: ScriptedServer,
        rules: RecordingRules = RecordingRules(),
        _ body: (RecordingTransport) async throws -> Void
    ) async throws -> Recording {
        let recorder = RecordingTransport(over: server.transport(), rules: rules)
        try await body(recorder)
        return recorder.recording
    }

    @Test func `A recording of a loopback server replays the same responses`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/a", responses: [.json("[1]", headers: ["Link": "</a?page=2>; rel=\"next\""]), .json("[2]")])
        server.on(.get, "/bytes", response: .body(Data([0, 255, 1])))
        server.on(.get, "/refused", response: .failure(.networkConnectionLost))
        let listener = try server.listen()
        let recorder = RecordingTransport(over: HTTPClient.makeTransport())
        func send(_ path: String, on transport: any HTTPTransport) async -> Result<HTTPClient.Response, BrowseError> {
            let request = HTTPClient.Request(url: listener.url.appending(path: path), endpoint: "TEST")
            return await Result.of { () throws(BrowseError) in try await transport.send(request) }
        }
        let paths = ["a", "a", "bytes", "refused"]
        var live: [Result<HTTPClient.Response, BrowseError>] = []
        for path in paths { live.append(await send(path, on: recorder)) }

        try recorder.recording.write(to: folder)
        #expect(temporary.names == ["001-GET-a.http", "002-GET-a.http", "003-GET-bytes.http", "004-GET-refused.http"])
        let replay = ReplayingTransport(try Recording(contentsOf: folder))
        for (path, live) in zip(paths, live) {
            let replayed = await send(path, on: replay)
            #expect(replayed.map(\.body) == live.map(\.body))
            #expect(replayed.map(\.status) == live.map(\.status))
        }
        try replay.verify()
    }

    @Test func `A short secret is replaced in each address of a header field`() async throws {
        let server = ScriptedServer()
        let links = #"<https://host.test/a?page=2&token=x1y2>; rel="next", <https://host.test/a?token=x1y2&page=9>"#
        server.on(.get, "/a", response: .json("1", headers: ["Link": links, "Location": "/b?token=x1y2#_=_"]))
        let recording = try await recording(of: server) { _ = try await $0.get("/a?token=x1y2") }
        guard case .response(let response) = recording.exchanges[0].outcome else { throw BrowseError.cancelled }
        #expect(!"\(response.headers.fields)".contains("x1y2"))
        #expect(response.headers["Location"]?.hasSuffix("#_=_") == true)
        #expect(response.headers["Link"]?.contains("&page=9>") == true)
    }

    @Test func `Secrets are replaced by the same placeholders everywhere`() async throws {
        let server = ScriptedServer()
        server.on(
            .post,
            "/login/oauth/access_token",
            response: .json(#"{"access_token":"gho_0123456789abcdef","scope":"repo","device":"dev-0123456789"}"#)
        )
        server.on(
            .get,
            "/user",
            response: .json(
                #"{"login":"mona","note":"gho_0123456789abcdef"}"#,
                headers: ["Set-Cookie": "session=s3cr3t-cookie-value; Path=/", "X-Account": "mona"]
            )
        )
        let recording = try await recording(of: server) { recorder in
            let form = "client_id=app&client_secret=abcdefgh-secret&code=oauth-code-1&code_verifier=verifier-123"
            _ = try await recorder.get("/login/oauth/access_token", method: .post, body: form)
            var request = HTTPClient.Request(
                url: try #require(
                    URL(string: "https://user:pass-word-1@host.test/user?access_token=gho_0123456789abcdef")
                ),
                endpoint: "TEST"
            )
            request.headers = ["Authorization": "Bearer gho_0123456789abcdef", "Cookie": "session=s3cr3t-cookie-value"]
            _ = try? await recorder.send(request)
            request = HTTPClient.Request(url: try #require(URL(string: "https://host.test/user")), endpoint: "TEST")
            request.headers = ["Authorization": "Bearer gho_0123456789abcdef", "Accept": "application/json"]
            _ = try await recorder.send(request)
        }
        try recording.write(to: folder)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let text =
            try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
            + String(decoding: recording.har(includingBodies: true), as: UTF8.self)
        for secret in [
            "gho_0123456789abcdef", "abcdefgh-secret", "oauth-code-1", "verifier-123", "s3cr3t", "pass-word",
        ] {
            #expect(!text.contains(secret), "\(secret)")
        }
        // Headers that aren't listed are left out, too.
        #expect(!text.lowercased().contains("x-account"))
        let token = try #require(recording.exchanges.first?.responseFields["access_token"])
        #expect(token.hasPrefix("SECRET-"))
        #expect(recording.exchanges.last?.responseFields["note"] == token)
        #expect(recording.exchanges.last?.responseFields["login"] == "mona")
        #expect(recording.exchanges.last?.headers == ["Accept": "application/json"])
    }

    /// As GitHub's `download_url`, and the fragment of RFC 6749, section 4.2.2.
    @Test(arguments: ["?token=", #"?ref=a\u0026token="#, "?ref=a&amp;token=", "?ref=a&TOKEN=", "?session_id="])
    func `Secrets in addresses are replaced, and ordinary parameters stay`(parameter: String) async throws {
        let server = ScriptedServer()
        let (secret, other) = ("AABBCCDDEEFF00112233", "33221100FFEEDDCCBBAA")
        let rest = #""a":"?state=open-issues","b":"?token=short""#
        let json = #"{"download_url":"https://raw.githubusercontent.com/o/x\#(parameter)\#(secret)",\#(rest)}"#
        server.on(.get, "/a", response: .json(json, headers: ["Location": "app://cb#access_token=\(other)"]))
        let recording = try await recording(of: server) { _ = try await $0.get("/a") }
        try recording.write(to: folder)
        let file = try String(contentsOf: folder.appending(path: "001-GET-a.http"), encoding: .utf8)
        let text = file + String(decoding: recording.har(includingBodies: true), as: UTF8.self)
        #expect(!text.contains(secret) && !text.contains(other) && text.contains(rest))
        let replay = ReplayingTransport(try Recording(contentsOf: folder))
        #expect(try await replay.get("/a").text.contains(rest))
        try replay.verify()
    }

    @Test func `A secret field of a multipart form is removed`() async throws {
        let server = ScriptedServer()
        server.on(.post, "/files", response: .status(204))
        let parts = ["title": "Cats", "token": "xoxb-0123456789", "last": "1"].sorted { $0.key < $1.key }
        let body = parts.map { name, value in
            "--b0\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let recording = try await recording(of: server) {
            _ = try await $0.get("/files", method: .post, body: body.joined() + "--b0--\r\n")
        }
        let text = String(decoding: recording.exchanges[0].body ?? Data(), as: UTF8.self)
        #expect(!text.contains("xoxb") && text.contains("name=\"token\"\r\n\r\nSECRET-") && text.contains("Cats"))
    }

    @Test func `A recorded error keeps the names of the fields that prove it`() async throws {
        let server = ScriptedServer()
        let headers: HTTPHeaders = ["X-GitHub-Request-Id": "ABCD:1:2", "X-Runtime": "1"]
        server.on(.get, "/users/a", response: .json(#"{"message":"Not Found"}"#, status: 404, headers: headers))
        let recording = try await recording(of: server) { _ = try await $0.get("/users/a") }
        let response = try await ReplayingTransport(recording).get("/users/a")
        #expect(response.headers["X-GitHub-Request-Id"] == "recorded" && response.headers["X-Runtime"] == nil)
        let service = HTTPClient.Service.gitHub(
            baseURL: try #require(URL(string: "https://api.github.com")),
            userAgent: "Tests"
        )
        #expect(service.evidence.isProven(response))
    }

    @Test func `A recorded error without the evidence of its service is named on standard error`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let url = try #require(URL(string: "https://api.github.com/users/a"))
            let exchange = Recording.Exchange(url: url, outcome: .response(.init(status: 404)), completion: 1)
            let client = try HTTPClient.gitHub(on: ReplayingTransport(Recording(exchanges: [exchange])))
            _ = try? await client.send(Endpoint<Void>(.path("/users/a")) { _ in })
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("the recorded 404 to GET https://api.github.com/users/a"), "\(output)")
        #expect(output.contains("add its name to RecordingRules.provingPrefixes"))
    }

    @Test func `Secrets are removed from a body that isn't text, such as a form with an image`() async throws {
        let server = ScriptedServer()
        server.on(.post, "/upload", response: .status(204))
        let secrets = ["opaque-0123456789", "gho_0123456789abcdef"]
        let recording = try await recording(of: server) { recorder in
            var request = HTTPClient.Request(
                method: .post,
                url: try #require(URL(string: "https://host.test/upload")),
                body: Data([0xFF, 0xD8]) + Data(secrets.joined(separator: "\r\n").utf8) + Data([0xFF]),
                endpoint: "TEST"
            )
            request.headers = ["Authorization": "Bearer \(secrets[0])"]
            _ = try await recorder.send(request)
        }
        let body = try #require(recording.exchanges.first?.body)
        #expect(body.starts(with: [0xFF, 0xD8]) && body.last == 0xFF)
        for secret in secrets { #expect(body.range(of: Data(secret.utf8)) == nil) }
    }

    @Test func `A recorded sign-in replays with other secrets`() async throws {
        let server = ScriptedServer()
        server.on(.post, "/token", response: .json(#"{"access_token":"gho_0123456789abcdef"}"#))
        let recording = try await recording(of: server) { recorder in
            _ = try await recorder.get("/token", method: .post, body: "code=first-code-1&client_id=app")
        }
        let replay = ReplayingTransport(recording)
        let response = try await replay.get("/token", method: .post, body: "client_id=app&code=other-code-22")
        #expect(response.text.contains(/^{"access_token":"SECRET-[0-9a-f]{8}-[0-9a-f]{8}"}$/))
        try replay.verify()
    }

    /// The Guardian and The New York Times expect `api-key`.
    @Test(arguments: ["api-key", "access-token", "secret-key"])
    func `A secret query item has its name with hyphens`(name: String) async throws {
        let server = ScriptedServer()
        server.on(.get, "/a", response: .json("{}"))
        let recording = try await recording(of: server) { _ = try await $0.get("/a?\(name)=opaque-0123456789") }
        #expect(recording.exchanges[0].url.absoluteString.contains("\(name)=SECRET-"))
    }

    /// Azure/azure-sdk-for-java#11748, parroty/exvcr#167, mailtrap/mailtrap-ruby#125
    @Test(
        arguments: [
            "accessToken", "AccessToken", "refreshToken", "idToken", "clientSecret", "SessionToken", "signing_secret",
            "privateKey", "bearerToken",
        ]
    )
    func `A secret member has its name with or without underscores`(name: String) async throws {
        let server = ScriptedServer()
        server.on(.get, "/a", response: .json(#"{"\#(name)":"opaque-0123456789"}"#))
        let recording = try await recording(of: server) { _ = try await $0.get("/a") }
        #expect(recording.exchanges[0].responseFields[name]?.hasPrefix("SECRET-") == true)
    }

    @Test func `The name of an empty cookie stays in texts`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/a", response: .json(#"{"language":"Swift","id":"0123456789"}"#))
        let url = try #require(URL(string: "https://host.test/a"))
        let recording = try await recording(of: server) { recorder in
            let fields: HTTPHeaders = ["Cookie": "language=; id=0123456789"]
            _ = try await recorder.send(HTTPClient.Request(url: url, headers: fields, endpoint: "TEST"))
        }
        guard case .response(let response) = recording.exchanges[0].outcome else { throw BrowseError.cancelled }
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains(/^{"language":"Swift","id":"SECRET-[-0-9a-f]+"}$/))
    }

    @Test func `Each cookie that a response sets is a secret`() async throws {
        let server = ScriptedServer()
        let cookies = "a=0123456789; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=9876543210; Secure"
        let body = #"["0123456789", "9876543210", "21 Oct 2026"]"#
        server.on(.get, "/a", response: .json(body, headers: ["Set-Cookie": cookies]))
        let recording = try await recording(of: server) { _ = try await $0.get("/a") }
        guard case .response(let response) = recording.exchanges[0].outcome else { throw BrowseError.cancelled }
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains(/^\["SECRET-[-0-9a-f]+", "SECRET-[-0-9a-f]+", "21 Oct 2026"\]$/))
    }

    @Test func `A cookie with a comma is a secret as a whole`() async throws {
        let server = ScriptedServer()
        let headers: HTTPHeaders = ["Set-Cookie": "a=01234567,89abcdef; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/"]
        server.on(.get, "/a", response: .json(#"{"session":"01234567,89abcdef"}"#, headers: headers))
        let recording = try await recording(of: server) { _ = try await $0.get("/a") }
        guard case .response(let response) = recording.exchanges[0].outcome else { throw BrowseError.cancelled }
        #expect(String(decoding: response.body, as: UTF8.self).contains(/^{"session":"SECRET-[-0-9a-f]+"}$/))
    }

    @Test func `Rules name fields in any case`() async throws {
        let server = ScriptedServer()
        let headers: HTTPHeaders = ["X-Runtime": "1", "X-Library-Id": "2"]
        server.on(.get, "/a", response: .json(#"{"sessionKey":"hunter2"}"#, headers: headers))
        var rules = RecordingRules()
        rules.secretFields.insert("sessionKey")
        rules.keptHeaders.insert("X-Runtime")
        rules.provingPrefixes.append("X-Library-")
        let recording = try await recording(of: server, rules: rules) { _ = try await $0.get("/a") }
        #expect(recording.exchanges[0].responseFields["sessionKey"]?.hasPrefix("SECRET-") == true)
        let response = try await ReplayingTransport(recording, rules: rules).get("/a")
        #expect(response.headers["X-Runtime"] == "1" && response.headers["X-Library-Id"] == "recorded")
    }

    @Test(arguments: ["state", "code", "token", "q"])
    func `A request isn't answered with the response to another value`(name: String) async throws {
        let server = ScriptedServer()
        server.on(.get, "/issues", query: [name: "closed"], response: .json("1"))
        server.on(.get, "/issues", query: [name: "open"], response: .json("2"))
        let recording = try await recording(of: server) { recorder in
            for value in ["closed", "open"] { _ = try await recorder.get("/issues?\(name)=\(value)") }
        }
        #expect(try await ReplayingTransport(recording).get("/issues?\(name)=open").text == "2")
        #expect(try await ReplayingTransport(recording).get("/issues?\(name)=closed").text == "1")
        #expect(try await ReplayingTransport(recording).get("/issues?\(name)=all").status == 400)
        // A recording can't be compared with another one.
        let isSecret = name != "q"
        #expect(
            try await self.recording(of: server) { _ = try await $0.get("/issues?\(name)=open") }.exchanges[0].url
                .absoluteString.contains("SECRET") == isSecret
        )
    }

    /// vcr/vcr#86, ropensci/vcr#240
    @Test(arguments: ["/search?q=a+b%3a~,", "/search?q=a%20b:%7E%2c", "/%73earch?q=%61%20b%3A~%2C"])
    func `A request matches however its address is escaped`(path: String) async throws {
        let server = ScriptedServer()
        server.on(.get, "/search", response: .json("1"))
        let recording = try await recording(of: server) { _ = try await $0.get(path) }
        #expect(try await ReplayingTransport(recording).get("/search?q=a%20b%3A~%2C").text == "1")
        // A plus itself, a folder, and a separator.
        for other in ["/search?q=a%2Bb%3A~%2C", "/search/?q=a%20b%3A~%2C", "/search?q=a%20b%3A~&%2C"] {
            #expect(try await ReplayingTransport(recording).get(other).status == 400)
        }
    }

    @Test func `A request matches with the default port, an empty path, and an escaped form`() async throws {
        let url = try #require(URL(string: "https://HOST.test:443?a=1"))
        let exchange = Recording.Exchange(
            method: .post,
            url: url,
            body: Data("q=a+b&page=1".utf8),
            outcome: .response(.init(status: 200, body: Data("1".utf8))),
            completion: 1
        )
        let recording = Recording(exchanges: [exchange])
        for body in ["page=1&q=a%2Bb", "page=1&q=a"] {
            #expect(try await ReplayingTransport(recording).get("/?a=1", method: .post, body: body).status == 400)
        }
        let replay = ReplayingTransport(recording)
        #expect(try await replay.get("/?a=1", method: .post, body: "page=1&q=a%20b").text == "1")
        try replay.verify()
    }

    @Test func `A JSON body matches with its members in another order, as encoders write them`() async throws {
        let server = ScriptedServer()
        server.on(.post, "/a", response: .json("1"))
        let recording = try await recording(of: server) {
            _ = try await $0.get("/a", method: .post, body: #"{"title":"a","draft":true}"#)
        }
        let replay = ReplayingTransport(recording)
        #expect(try await replay.get("/a", method: .post, body: #"{"draft":false,"title":"a"}"#).status == 400)
        #expect(try await replay.get("/a", method: .post, body: #"{"draft":true,"title":"a"}"#).text == "1")
    }

    @Test func `Secrets are removed in one pass, however many they are`() async throws {
        let tokens = (0..<3_000).map { "gho_0123456789abcdef\($0 + 10_000)" }
        let other = String(repeating: #"{"name": "a", "url": "https://host.test/a@b", "at": 1}, "#, count: 20)
        let recorder = RecordingTransport(over: Echo())
        for (index, token) in tokens.enumerated() {
            let body =
                #"{"access_token": "\#(token)", "next": "\#(tokens[(index + 1) % tokens.count])", "all": [\#(other)0]}"#
            _ = try await recorder.get("/\(index)", method: .post, body: body)
        }
        // Not a limit of time: one pass for each secret would take hours.
        for exchange in recorder.recording.exchanges {
            let text = String(decoding: exchange.body ?? Data(), as: UTF8.self)
            guard !text.contains("gho_"), text.contains(other) else {
                Issue.record("\(text)")
                return
            }
        }
    }

    @Test(arguments: ["ab%2fcdefgh%3d12", "ab%2Fcdefgh%3D12", "ab!%2Fcdefgh*12"])
    func `A secret of an address in a body is removed, however it's encoded`(secret: String) async throws {
        let server = ScriptedServer()
        server.on(.get, "/a", response: .json(#"{"url":"https://files.test/a?size=1&sig=\#(secret)"}"#))
        let recording = try await recording(of: server) { _ = try await $0.get("/a") }
        let url = try #require(recording.exchanges.first?.responseFields["url"])
        #expect(url.hasPrefix("https://files.test/a?size=1&sig=SECRET-") && !url.contains("cdefgh"))
    }

    /// As the `continue` of Google's account menu.
    @Test(arguments: ["%3Faccess_token%3D", "%3fa%3d1%26access_token%3d", "%253Fa%253D1%2526access_token%253D"])
    func `A secret of an address that is a parameter of another one is removed`(parameter: String) async throws {
        let server = ScriptedServer()
        let (secret, other) = ("AABBCCDDEEFF00112233", "33221100FFEEDDCCBBAA")
        let address = "https://login.test/?continue=https%3A%2F%2Fapp.test%2F\(parameter)"
        let headers: HTTPHeaders = ["Link": "<\(address)\(other)>; rel=\"next\""]
        server.on(.get, "/a", response: .json(#"{"url":"\#(address)\#(secret)","discount":"100%"}"#, headers: headers))
        let recording = try await recording(of: server) { _ = try await $0.get("/a") }
        let text = String(decoding: recording.har(includingBodies: true), as: UTF8.self)
        #expect(!text.contains(secret) && !text.contains(other) && text.contains("\(parameter)SECRET-"), "\(text)")
    }

    @Test(arguments: ["X-Amz-Signature", "X-Amz-Security-Token", "X-Amz-Credential", "X-Goog-Signature"])
    func `The signature of an address that a service redirects to is removed`(name: String) async throws {
        let server = ScriptedServer()
        let target = "https://store.test/a?X-Amz-Expires=300&\(name)=0123456789abcdef0123"
        server.on(.get, "/a", response: .redirect(to: target))
        server.on(.get, "https://store.test/a", response: .json(#"{"self":"\#(target)"}"#))
        let recording = try await recording(of: server) { _ = try await $0.get("/a") }
        let text = String(decoding: recording.har(includingBodies: true), as: UTF8.self)
        #expect(!text.contains("0123456789abcdef") && text.contains("X-Amz-Expires=300"))
    }

    /// Returns the body of a request.
    private struct Echo: HTTPTransport {
        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            HTTPClient.Response(status: 200, body: request.body ?? Data(), url: request.url)
        }
    }

    @Test(arguments: [true, false])
    func `A refusal is replayed with the permission that it lacks`(isFineGrained: Bool) async throws {
        let server = ScriptedServer()
        let fields: HTTPHeaders =
            isFineGrained
            ? ["X-Accepted-GitHub-Permissions": "starring=write", "X-GitHub-Request-Id": "1"]
            : ["X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": "user", "X-GitHub-Request-Id": "1"]
        server.on(.put, "/user/starred/o/r", response: .json("{}", status: 403, headers: fields))
        let repo = GitHub.Repo(id: GitHub.Repo.ID(rawValue: 1), name: "r", fullName: "o/r")
        func denial(on transport: any HTTPTransport) async throws -> BrowseError.Denial? {
            let stars = RemoteGitHubRepository(client: try .gitHub(on: transport))
            do throws(BrowseError) {
                try await stars.set(true, for: repo)
                return nil
            } catch {
                return error.request?.denial
            }
        }
        let recording = try await recording(of: server) { _ = try await denial(on: $0) }
        let permission = isFineGrained ? "starring=write" : "repo"
        #expect(try await denial(on: ReplayingTransport(recording)) == .missingPermission([permission]))
    }

    @Test(arguments: [
        ("state=resolved", #"{"state":"resolved","resolved_at":"2026-01-01"}"#),
        ("appId=284708449", #"{"trackId":284708449}"#),
    ])
    func `A state that is an ordinary word or number stays elsewhere`(query: String, alert: String) async throws {
        let server = ScriptedServer()
        server.on(.get, "/alerts", response: .json(alert))
        let recording = try await recording(of: server) { _ = try await $0.get("/alerts?\(query)") }
        #expect(recording.exchanges[0].url.query()?.contains("=SECRET-") == true)
        #expect(try await ReplayingTransport(recording).get("/alerts?\(query)").text == alert)
    }

    @Test func `Random secrets never reach a recording`() async throws {
        var random = SeededGenerator(seed: 19)
        for _ in 0..<200 {
            let secret = random.text(of: "abcXYZ0189-._~+/=\"\\&%é ", count: 1...40)
            let server = ScriptedServer()
            let json = try JSONEncoder().encode(["refresh_token": secret, "other": "x"])
            server.on(.any, response: .body(json, headers: ["Content-Type": "application/json", "Location": "/next"]))
            let recording = try await recording(of: server) { recorder in
                var url = URLComponents()
                (url.scheme, url.host, url.path) = ("https", "host.test", "/a")
                let unreserved = CharacterSet(charactersIn: "abcXYZ0189")
                let encoded = secret.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
                url.percentEncodedQuery = "q=1&token=\(encoded)"
                _ = try await recorder.send(
                    HTTPClient.Request(
                        method: .post,
                        url: try #require(url.url),
                        body: Data("password=\(encoded)".utf8),
                        endpoint: "TEST"
                    )
                )
            }
            let exchange = try #require(recording.exchanges.first)
            #expect(exchange.responseFields["refresh_token"]?.hasPrefix("SECRET-") == true, "\(secret)")
            #expect(exchange.responseFields["other"] == "x")
            #expect(exchange.url.query()?.hasPrefix("q=1&token=SECRET-") == true, "\(secret): \(exchange.url)")
            #expect(exchange.body.map { String(decoding: $0, as: UTF8.self) }?.hasPrefix("password=SECRET-") == true)
        }
    }

    @Test func `A changed request says what to do, and loose replay ignores bodies and repeats`() async throws {
        let server = ScriptedServer()
        server.on(.post, "/a", response: .json("1"))
        let recording = try await recording(of: server) { _ = try await $0.get("/a", method: .post, body: "x") }

        let strict = ReplayingTransport(recording)
        let report = await strict.report("/b", method: .post)
        #expect(
            report == """
                Request without a recorded response: POST https://host.test/b
                The closest recorded request is POST https://host.test/a.
                If the requests changed on purpose, record again with RecordingTransport, or complete the recording with \
                mode: .recordMissing(from: HTTPClient.makeTransport()).
                """
        )
        let other = await ReplayingTransport(recording).report("/a", method: .post)
        #expect(other.contains("is POST https://host.test/a, with another body:\n- x\n+ \n"), "\(other)")
        let error = #expect(throws: ReplayingTransport.Mismatch.self) { try strict.verify() }
        #expect(error?.missing == ["POST https://host.test/a"])
        #expect(error?.unexpected == ["POST https://host.test/b"])

        let loose = ReplayingTransport(recording, mode: .loose)
        for body in ["y", "z"] { #expect(try await loose.get("/a", method: .post, body: body).text == "1") }
        try loose.verify()
    }

    /// vcr/vcr#487
    @Test func `A report about a request that isn't recorded has no secrets`() async throws {
        let replay = ReplayingTransport(Recording())
        let report = await replay.report("/a?page=2&api_key=0123456789")
        #expect(report.contains("GET https://host.test/a?page=2&api_key=SECRET-") && !report.contains("0123456789"))
        let error = #expect(throws: ReplayingTransport.Mismatch.self) { try replay.verify() }
        #expect(error?.description.contains("0123456789") == false)
    }

    @Test func `A recording of a failed request with a secret replays`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/a", response: .failure(.notConnectedToInternet))
        let recording = try await recording(of: server) { _ = try? await $0.get("/a?api_key=0123456789") }
        let replay = ReplayingTransport(recording)
        let error = await failure { () throws(BrowseError) in try await replay.get("/a?api_key=0123456789") }
        #expect(error == .unreachable(.offline, BrowseError.RequestInfo(endpoint: "TEST")))
        try replay.verify()
    }

    @Test func `Missing exchanges are recorded, and complete the old recording`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/a", response: .json("1"))
        server.on(.get, "/b", times: 1, response: .json("2"))
        let recording = try await recording(of: server) { _ = try await $0.get("/a") }
        let replay = ReplayingTransport(recording, mode: .recordMissing(from: server.transport()))
        #expect(try await replay.get("/b").text == "2")
        #expect(try await replay.get("/a").text == "1")
        #expect(replay.recording.exchanges.map(\.url.path) == ["/a", "/b"])
        #expect(replay.recording.exchanges.map(\.completion) == [1, 2])
        try replay.verify()
    }

    /// A recording of paths, whose responses completed in another order.
    private func recording(completions: KeyValuePairs<String, Int>) throws -> Recording {
        Recording(
            exchanges: try completions.map { path, completion in
                Recording.Exchange(
                    url: try #require(URL(string: "https://host.test\(path)")),
                    outcome: .response(.init(status: 200, body: Data(path.utf8))),
                    completion: completion
                )
            }
        )
    }

    @Test func `A token in a path that only a header field names is replaced, and matches`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/sessions/opaque-token-1", response: .json("1"))
        var request = HTTPClient.Request(
            url: try #require(URL(string: "https://host.test/sessions/opaque-token-1")),
            endpoint: "TEST"
        )
        request.headers = ["Authorization": "Bearer opaque-token-1"]
        let recording = try await recording(of: server) { [request] in _ = try await $0.send(request) }
        #expect(recording.exchanges[0].url.path().hasPrefix("/sessions/SECRET-"))
        #expect(try await ReplayingTransport(recording).send(request).text == "1")
    }

    @Test func `Responses are released in recorded order`() async throws {
        let recording = try recording(completions: ["/slow": 2, "/fast": 1])
        let clock = TestClock()
        let replay = ReplayingTransport(recording, releasesInRecordedOrder: true, clock: clock)
        async let slow = replay.get("/slow").text
        // The time limit of the request ends with it.
        await clock.waitForSleepersAndTimeLimits(1)
        async let fast = replay.get("/fast").text
        #expect(try await [slow, fast] == ["/slow", "/fast"])
        try replay.verify()
    }

    @Test func `Writing replaces a recording, and no other files`() throws {
        try recording(completions: ["/a": 1, "/b": 2]).write(to: folder)
        try Data("damaged".utf8).write(to: folder.appending(path: "002-GET-b.http"))
        try Data("### Of an editor\nGET https://host.test/a\n".utf8).write(to: folder.appending(path: "api.http"))
        try recording(completions: ["/c": 1]).write(to: folder)
        #expect(temporary.names == ["001-GET-c.http", "api.http"])
    }

    /// assaf/node-replay#151
    @Test func `A recording is read with the line breaks that Git can write`() async throws {
        let server = ScriptedServer()
        server.on(.post, "/a", response: .json("{\n\"a\": 1\n}\n", headers: ["Link": "</b>; rel=next"]))
        server.on(.get, "/bytes", response: .body(Data([0, 255, 10])))
        server.on(.post, "/lines", response: .body(Data("a\r\nb\rc\n".utf8)))
        let recording = try await recording(of: server) { recorder in
            _ = try await recorder.get("/a", method: .post, body: "x\n\ny")
            _ = try await recorder.get("/bytes")
            _ = try await recorder.get("/lines", method: .post, body: "--b\r\n\r\na\r\n--b--\r\n")
        }
        try recording.write(to: folder)
        for name in temporary.names {
            let file = folder.appending(path: name)
            let text = try String(contentsOf: file, encoding: .utf8)
            try Data(text.replacing("\n", with: "\r\n").utf8).write(to: file)
        }
        #expect(try Recording(contentsOf: folder) == recording)
    }

    @Test func `A response whose predecessor isn't requested fails at the time limit of its request`() async throws {
        let clock = TestClock()
        let recording = try recording(completions: ["/first": 1, "/second": 2, "/third": 3])
        let replay = ReplayingTransport(recording, releasesInRecordedOrder: true, clock: clock)
        async let second = failure { () throws(BrowseError) in try await replay.get("/second") }
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .seconds(30))
        #expect(await second == .timedOut(BrowseError.RequestInfo(endpoint: "TEST")))
        #expect(try await replay.get("/first").text == "/first")
        // A failed request doesn't block the next one.
        #expect(try await replay.get("/third").text == "/third")
    }

    @Test func `Uploads of other bytes get their own responses, in any order`() async throws {
        let url = try #require(URL(string: "https://host.test/upload"))
        let bodies = [Data([0xFF, 1]), Data([0xFE, 1])]
        let exchanges = bodies.enumerated().map { index, body in
            let response = Recording.Exchange.Response(status: 200, body: Data("\(index)".utf8))
            return Recording.Exchange(
                method: .put,
                url: url,
                body: body,
                outcome: .response(response),
                completion: index + 1
            )
        }
        let replay = ReplayingTransport(Recording(exchanges: exchanges))
        for (body, text) in zip(bodies.reversed(), ["1", "0"]) {
            let request = HTTPClient.Request(method: .put, url: url, body: body, endpoint: "TEST")
            #expect(try await replay.send(request).text == text)
        }
    }

    /// kevin1024/vcrpy#28, vcr/vcr#960
    @Test func `A multipart form matches whatever its boundary`() async throws {
        func form(_ boundary: String, _ content: [UInt8]) -> Data {
            let part = "\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n"
            let end = "\r\n--\(boundary)--\r\n"
            return Data("--\(boundary)\(part)".utf8) + content + Data("\r\n--\(boundary)\(part)1\(end)".utf8)
        }
        let url = try #require(URL(string: "https://host.test/upload"))
        let response = Recording.Exchange.Response(status: 200, body: Data("1".utf8))
        for content: [UInt8] in [[0xFF, 0xD8], Array("Cats".utf8), Array("a b".utf8)] {
            let exchange = Recording.Exchange(
                method: .post,
                url: url,
                body: form("Boundary-1", content),
                outcome: .response(response),
                completion: 1
            )
            let replay = ReplayingTransport(Recording(exchanges: [exchange]))
            func status(_ body: Data) async throws -> Int {
                try await replay.send(.init(method: .post, url: url, body: body, endpoint: "TEST")).status
            }
            #expect(try await status(form("b2", content + [0xFE])) == 400)
            // Its values aren't escaped.
            for other in ["a+b", "a%20b"] { #expect(try await status(form("b2", Array(other.utf8))) == 400) }
            #expect(try await status(form("Boundary-1", content).dropLast(4)) == 400)
            #expect(try await status(form("b2", content)) == 200)
        }
    }

    @Test func `A canceled request doesn't block later responses`() async throws {
        let recording = try recording(completions: ["/first": 1, "/second": 2])
        let replay = ReplayingTransport(recording, releasesInRecordedOrder: true)
        let task = Task { await failure { () throws(BrowseError) in try await replay.get("/first") } }
        task.cancel()
        _ = await task.value
        #expect(try await replay.get("/second").text == "/second")
    }

    @Test func `A recorded redirect, as browsers have them, leads to the next response`() async throws {
        var recording = try recording(completions: ["/old": 1, "/new": 2])
        recording.exchanges[0].outcome = .response(.init(status: 301, headers: ["Location": "/new"]))
        let replay = ReplayingTransport(recording, releasesInRecordedOrder: true)
        let response = try await replay.get("/old")
        #expect(response.text == "/new" && response.url.path() == "/new")
        try replay.verify()
    }

    @Test func `A request that isn't recorded ends the recorded order`() async throws {
        let recording = try recording(completions: ["/old": 1, "/second": 2])
        let replay = ReplayingTransport(recording, releasesInRecordedOrder: true, clock: TestClock())
        async let second = replay.get("/second").text
        #expect(try await replay.get("/new").status == 400)
        #expect(try await second == "/second")
    }

    /// Writes a HAR file, and reads it.
    private func recording(ofHAR data: Data) throws -> Recording {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "session.har")
        try data.write(to: file)
        return try Recording(contentsOf: file)
    }

    /// Reads a HAR file of one exchange, as browsers write it.
    private func recording(request: String, response: String) throws -> Recording {
        let archive = #"""
            {"log": {"version": "1.2", "entries": [{
                "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1,
                "request": {"url": "https://host.test/a", "headers": [], \#(request)}, "response": {\#(response)}
            }]}}
            """#
        return try recording(ofHAR: Data(archive.utf8))
    }

    @Test func `A header field that a HAR file repeats is a list`() throws {
        let fields = #"{"name": "link", "value": "<b>; rel=next"}, {"name": "Link", "value": "<c>; rel=last"}"#
        let recording = try recording(
            request: #""method": "GET", "httpVersion": "h2""#,
            response: #""status": 200, "content": {"text": "1"}, "headers": [\#(fields)]"#
        )
        guard case .response(let response)? = recording.exchanges.first?.outcome else {
            Issue.record("There is no response.")
            return
        }
        #expect(response.headers["Link"] == "<b>; rel=next, <c>; rel=last")
    }

    @Test func `A missing or damaged recording says where it is and what to do`() throws {
        let missing = #expect(throws: Recording.Unreadable.self) { try Recording(contentsOf: folder) }
        #expect(missing?.description.contains("try recorder.recording.write(to: folder)") == true)
        let archive = #expect(throws: Recording.Unreadable.self) {
            try Recording(contentsOf: folder.appending(path: "a.har"))
        }
        let hint = "try recorder.recording.har(includingBodies: true).write(to: file)"
        #expect(archive?.description.contains(hint) == true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("GET".utf8).write(to: folder.appending(path: "001-GET.http"))
        let damaged = #expect(throws: Recording.Unreadable.self) { try Recording(contentsOf: folder) }
        #expect(damaged?.description.contains("001-GET.http: The file is no recorded exchange.") == true)
        let misnamed = #expect(throws: Recording.Unreadable.self) {
            try Recording(contentsOf: folder.appending(path: "001-GET.http"))
        }
        #expect(misnamed?.description.hasSuffix("The name of an HTTP Archive ends with .har.") == true)
        let other = #expect(throws: Recording.Unreadable.self) { try recording(ofHAR: Data(#"{"log": {}}"#.utf8)) }
        #expect(other?.description.contains("no HTTP Archive 1.2 (log.version: missing).") == true)
    }

    @Test func `A browser's HAR file has the location of a new resource, which isn't a redirect`() async throws {
        let location = #"{"name": "location", "value": "/a/1"}"#
        let recording = try recording(
            request: #""method": "POST", "httpVersion": "h3""#,
            response: #""status": 201, "headers": [\#(location)], "content": {"text": "1"}, "redirectURL": "/a/1""#
        )
        let response = try await ReplayingTransport(recording).get("/a", method: .post)
        #expect(response.url.absoluteString == "https://host.test/a" && response.headers["Location"] == "/a/1")
    }

    @Test func `A HAR file round-trips with bodies, and can't be replayed without`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/a", response: .json(#"{"é":1}"#))
        server.on(.post, "/b", response: .body(Data([255, 0]), status: 201))
        let recording = try await recording(of: server) { recorder in
            _ = try await recorder.get("/a")
            _ = try await recorder.get("/b", method: .post, body: "x=1")
        }
        #expect(try self.recording(ofHAR: recording.har(includingBodies: true)) == recording)
        // As browsers and proxies write it: HAR 1.2, `cache` and `timings`.
        for cache in [#"{"afterRequest":null}"#, #"{"beforeRequest":{}}"#] {
            let har = String(decoding: recording.har(includingBodies: true), as: UTF8.self)
                .replacing(/"cache" : \{\s*\}/, with: #""cache" : \#(cache)"#)
                .replacing(/"timings" : \{/, with: #""timings" : {"comment":"","#)
            #expect(har.contains(cache) && har.contains("comment"))
            #expect(try self.recording(ofHAR: Data(har.utf8)) == recording)
        }
        let error = #expect(throws: Recording.Unreadable.self) { try self.recording(ofHAR: recording.har()) }
        #expect(error?.description.contains("Recording.har(includingBodies: true)") == true)
    }

    @Test func `A HAR file keeps a request's bytes that aren't text`() throws {
        let url = try #require(URL(string: "https://host.test/upload"))
        let upload = Recording.Exchange(
            method: .put,
            url: url,
            body: Data([0xFF, 0xD8, 0]),
            outcome: .response(.init(status: 204)),
            completion: 1
        )
        let har = Recording(exchanges: [upload]).har(includingBodies: true)
        #expect(try recording(ofHAR: har).exchanges == [upload])
    }

    @Test func `A HAR file can have the parameters of a form in place of its text`() async throws {
        let parameters = #"{"name": "q", "value": "a&b c"}, {"name": "page", "value": "1"}"#
        let form = #"{"mimeType": "application/x-www-form-urlencoded", "params": [\#(parameters)]}"#
        let recording = try recording(
            request: #""method": "POST", "httpVersion": "HTTP/1.1", "postData": \#(form)"#,
            response: #""status": 200, "headers": [], "content": {"text": "1"}"#
        )
        let replay = ReplayingTransport(recording)
        #expect(try await replay.get("/a", method: .post, body: "page=1&q=a%26b%20c").text == "1")
    }

    /// mitmproxy/mitmproxy#3060, mrichman/hargo#7, giacomelli/HarSharp#3
    @Test func `A HAR file's equal requests get their responses in the order of their times`() async throws {
        func entry(_ second: String, _ text: String, time: String = "1") -> String {
            #"""
            {"startedDateTime": "2026-01-01T00:00:\#(second)Z", "time": \#(time),
            "request": {"method": "GET", "url": "https://host.test/a", "httpVersion": "h2", "headers": []},
            "response": {"status": 200, "headers": [], "content": {"text": "\#(text)"}}}
            """#
        }
        let entries = [entry("02.000", "3"), entry("01", "1", time: "null"), entry("01.000", "2")]
        let log = #"{"version": "1.2", "entries": [\#(entries.joined(separator: ", "))]}"#
        let recording = try recording(ofHAR: Data(#"{"log": \#(log)}"#.utf8))
        let replay = ReplayingTransport(recording)
        for text in ["1", "2", "3"] { #expect(try await replay.get("/a").text == text) }
    }

    /// zaproxy/zap-extensions#5726
    @Test(arguments: [(#", "text": "{}""#, "{}"), (#", "text": "e30=""#, "{}"), ("", nil)] as [(String, String?)])
    func `A HAR file's body is read if it isn't in Base64, as it says`(member: String, body: String?) throws {
        let archive = """
            {"log": {"version": "1.2", "entries": [{
                "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1,
                "request": {"method": "GET", "url": "https://host.test/a", "httpVersion": "h2", "headers": []},
                "response": {"status": 200, "headers": [], "content": {"size": 2, "encoding": "base64"\(member)}}
            }]}}
            """
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "base64.har")
        try Data(archive.utf8).write(to: file)
        let exchanges = try? Recording(contentsOf: file).exchanges
        let expected = body.map { Recording.Exchange.Outcome.response(.init(status: 200, body: Data($0.utf8))) }
        #expect(exchanges?.first?.outcome == expected)
    }

    @Test(arguments: [0, -1])
    func `A request that a HAR file calls aborted is a lost connection`(status: Int) throws {
        let recording = try recording(
            request: #""method": "GET", "httpVersion": "h2""#,
            response: #""status": \#(status), "headers": [], "content": {"size": -1, "mimeType": "x-unknown"}"#
        )
        #expect(recording.exchanges.map(\.outcome) == [.failure(.networkConnectionLost)])
    }

    @Test func `Random exchanges round-trip through files`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let exchanges = try (1...3).map { completion in
                let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let text =
                    random.text(of: "a\n-= r:{}\"", count: 0...30) + (Bool.random(using: &random) ? "\n--- x\n\n" : "")
                return Recording.Exchange(
                    method: Bool.random(using: &random) ? .get : .post,
                    url: try #require(URL(string: "https://host.test/\(random.text(of: "ab/", count: 0...9))?q=1")),
                    headers: ["Accept": "a: b", "X-Empty": ""],
                    body: text.isEmpty ? nil : Data(text.utf8),
                    outcome: Bool.random(using: &random)
                        ? .response(.init(status: 200, headers: ["Link": "<a>; rel=\"b\""], body: Data(bytes)))
                        : .failure(.timedOut),
                    completion: completion
                )
            }
            let recording = Recording(exchanges: exchanges)
            try recording.write(to: folder)
            #expect(try Recording(contentsOf: folder) == recording)
        }
    }
}

extension Recording.Exchange {
    fileprivate var responseFields: [String: String] {
        guard case .response(let response) = outcome else { return [:] }
        return (try? JSONDecoder().decode([String: String].self, from: response.body)) ?? [:]
    }
}
