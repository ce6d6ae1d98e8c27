@_spi(Services) import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// Secrets without a recognizable format: only their values tell that they are secret.
@Suite(.bounded)
struct `Known secrets` {
    /// Mixed characters, so that every encoding differs from the value.
    private static let token = "Zq7X/kPm+2Lr=9Tn~4Vb.Wd\"8Yh"

    /// Every form in which a server can repeat a text.
    static func forms(of text: String) -> [String] {
        let bytes = Array(text.utf8)
        let allEscaped = bytes.map { "%" + String(Int($0) + 256, radix: 16).suffix(2) }.joined()
        let base64 = (0..<3).map {
            Data((Array(repeating: UInt8(ascii: "x"), count: $0) + bytes) + Array("yz".utf8)).base64EncodedString()
        }
        let json = bytes.map { "\\u00" + String(Int($0) + 256, radix: 16).suffix(2) }.joined()
        return [
            text, PercentEncoding.encode(text), PercentEncoding.encode(PercentEncoding.encode(text)), allEscaped,
            allEscaped.uppercased(), json, text.replacing("/", with: "\\/").replacing("\"", with: "\\\""),
            "Bearer \(text)",
            text.uppercased(), text.lowercased(), "x\(text)y", "v1/\(text)/a", String(text.dropFirst(3)),
            String(text.dropLast(5)),
        ] + base64 + base64.map { $0.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") }
            + base64.map(PercentEncoding.encode)
    }

    /// Responds with a text in every position.
    private struct Echo: HTTPTransport {
        let text: String
        var status = 200
        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            let encoded = PercentEncoding.encode(text)
            return HTTPResponse(
                status: status,
                headers: [
                    "ETag": "\"\(text)\"", "Location": "https://api.example/\(encoded)/x?next=\(encoded)#\(encoded)",
                    "Link": "<https://api.example/a/\(encoded)?page=2&after=\(encoded)>; rel=\"next\"", "X-Echo": text,
                    "Content-Type": "text/\(text)", "Server": text, "X-GitHub-Request-Id": text,
                ],
                body: Data(#"{"message":"\#(text)","error":"\#(text)"}"#.utf8),
                url: URL(string: "https://api.example/\(encoded)?q=\(encoded)") ?? request.url
            )
        }
    }

    /// Returns everything that observers and callers see of a request to a server that repeats a text.
    private func seen(of text: String, status: Int = 200, secret: String = token) async throws -> String {
        let events = Events()
        let lines = Mutex<[String]>([])
        let client = HTTPClient(
            service: .sample(),
            transport: Echo(text: text, status: status),
            middleware: .authorized(
                at: try #require(URL(string: "https://api.example")),
                StoredTokenRepository(token: try Secret(secret))
            ),
            options: .init {
                $0.observers = [events, ExchangePrinter { line in lines.withLock { $0.append(line) } }]
                $0.now = { testNow }
            }
        )
        let error = await thrown { () async throws(BrowseError) in
            try await client.send(Endpoint(.path("/a/\(text)"), query: [.init("q", text)]) { $0.status })
        }
        return everyPrint(of: events.all)
            + lines.withLock { $0 }.joined() + everyPrint(of: error as Any)
    }

    @Test(arguments: forms(of: token))
    func `are masked in every form and position`(form: String) async throws {
        for status in [200, 401, 404, 500] {
            let seen = try await seen(of: form, status: status)
            for part in [form, String(form.dropFirst(4).dropLast(8)), PercentEncoding.encode(form)] {
                #expect(!seen.contains(part), "\(part)")
            }
            #expect(seen.contains("https://api.example/"))
        }
    }

    @Test func `are masked in responses that were in flight when they were replaced`() async throws {
        let (old, new) = ("Old7Tk9Vn2Qw4Rz6", "New8Lm3Xc5Bp1Gd0")
        let redactor = SecretRedactor()
        redactor.add(try Secret(old))
        redactor.add(try Secret(new))
        for index in 0..<62 { redactor.add(try Secret("another-secret-\(index)")) }
        #expect(redactor.redact("a \(old) b \(new) c") == "a *** b *** c")
        // A secret that is used again is evicted later.
        redactor.add(try Secret(old))
        redactor.add(try Secret("yet-another-secret"))
        #expect(redactor.redact("\(old) \(new)") == "*** \(new)")
    }

    @Test func `are masked by value from eight characters on, and shorter ones only by name`() throws {
        let redactor = SecretRedactor()
        for secret in ["a", "state", "octocat", "12345678"] { redactor.add(try Secret(secret)) }
        #expect(redactor.redact("a state of octocat: 12345678, 1234567") == "a state of octocat: ***, 1234567")
        #expect(redactor.redact("https://a.example/?code=a&b=octocat") == "https://a.example/?code=***&b=octocat")
    }

    @Test func `don't make a text of an error exceed its length`() throws {
        /// A text with a secret that is shorter than its mask.
        func text(_ count: Int) -> String { String(repeating: "a ", count: count / 2 - 5) + "?state=a&b" }
        func expect(_ redacted: String?, _ count: Int) {
            #expect(redacted?.unicodeScalars.count == count)
            #expect(redacted?.hasSuffix("…") == true)
        }
        let redactor = SecretRedactor()
        let failure = BrowseError.DecodingFailure(codingPath: "", reason: "", excerpt: text(120))
        let info = BrowseError.RequestInfo(endpoint: "GET /", requestID: text(64), serverMessage: text(200))
        let error = redactor.error(.unusableResponse(.decoding(failure), info))
        guard case .unusableResponse(.decoding(let redacted), let redactedInfo) = error,
            case .unusableResponse(.contentType(let type), _) = redactor.error(
                .unusableResponse(.contentType(text(100)), info)
            ),
            case .signInFailed(.other(let word)) = redactor.error(.signInFailed(.other(text(60))))
        else {
            Issue.record("\(error)")
            return
        }
        expect(redacted.excerpt, 120)
        expect(redactedInfo.requestID, 64)
        expect(redactedInfo.serverMessage, 200)
        expect(type, 100)
        expect(word, 60)
    }

    @Test func `don't change a text without them`() throws {
        let redactor = SecretRedactor()
        redactor.add(try Secret(Self.token))
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let scalars = (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0x20...0x3FF, using: &random))
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars.filter { $0 != "=" && $0 != "/" })
            #expect(redactor.redact(text) == text)
            // And preserve the rest.
            #expect(redactor.redact("한 \(text) (\(Self.token)) 글") == "한 \(text) (***) 글")
        }
    }

    @Test func `aren't found in a text that shares fewer than eight characters`() async throws {
        let seen = try await seen(of: "Zq7X-Vb.Wd")
        #expect(seen.contains("Zq7X-Vb.Wd"))
    }

    @Test(arguments: [
        ("Link", "<https://api.example/a?access_token=hunter2&page=2>; rel=\"next\""),
        (
            "Link",
            "<https://api.example/a?page=2&%63ode=hunter2>; rel=\"next\", <https://mona:hunter2@api.example/a>; rel=\"last\""
        ),
        ("Refresh", "0; url=https://api.example/a?state=hunter2#x"), ("Referer", "https://api.example/a?code=hunter2"),
        ("Content-Location", "/a?client_secret=hunter2"), ("X-Pingback", "https://mona:hunter2@api.example/a"),
        ("Location", "https://api.example/a?to=https%3A%2F%2Fb.example%2F%3Fcode%3Dhunter2%26x%3D1"),
        ("Location", "https://api.example/a#access_token=hunter2"), ("Link", "<https://api.example/a#token=hunter2>"),
        ("X-Url", "https://api.example/a?refresh_token=hunter2;x"), ("X-Url", "?a=1&device_code=hunter2&b=2"),
        ("Location", "?X-Amz-Signature=hunter2"),
    ])
    func `are masked by the name of their query item in every header`(name: String, value: String) async throws {
        struct Answer: HTTPTransport {
            let headers: HTTPHeaders
            func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
                HTTPResponse(status: 200, headers: headers, url: request.url)
            }
        }
        let events = Events()
        var headers = HTTPHeaders()
        headers[name] = value
        let client = HTTPClient(
            service: .sample(),
            transport: Answer(headers: headers),
            options: .init { $0.observers = [events] }
        )
        _ = try await client.send(Endpoint(.path("/a"), headers: headers) { $0.status })
        let seen = everyPrint(of: events.all)
        #expect(!seen.contains("hunter2"), "\(seen)")
        #expect(seen.contains(name.lowercased()))
    }

    @Test func `of signing in are masked in all events`() async throws {
        let secrets = [
            "client": "Cs8Dw2Kf5Jh7", "code": "Qc4Ne6Ub1Xz9", "token": "At3Gy8Mi5Ro2", "refresh": "Rt6Pl9Ov4Bs1",
            "device": "Dc1Ft7Hq3Wk8",
        ]
        /// Repeats the bodies of every request and response in the headers.
        struct Server: HTTPTransport {
            let secrets: [String: String]
            func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
                let responseBody =
                    request.url.path().hasSuffix("code")
                    ? """
                    {"device_code":"\(secrets["device"] ?? "")","user_code":"A-B","verification_uri":"https://web.example/d",\
                    "interval":"5"}
                    """
                    : """
                    {"access_token":"\(secrets["token"] ?? "")","refresh_token":"\(secrets["refresh"] ?? "")","expires_in":9}
                    """
                let sent = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
                // Without names, which would mask the values, too.
                let values = (sent + "&" + (request.headers["Authorization"] ?? "")).split(separator: "&")
                    .compactMap { $0.split(separator: "=", maxSplits: 1).last }.joined(separator: " ")
                let isFailure = request.method == .delete
                return HTTPResponse(
                    status: isFailure ? 500 : 200,
                    headers: [
                        "X-Sent": values, "ETag": "\"\(Data(responseBody.utf8).base64EncodedString())\"",
                        "Via": responseBody,
                    ],
                    body: Data((isFailure ? #"{"message":"\#(values)"}"# : responseBody).utf8),
                    url: request.url
                )
            }
        }
        let (events, redactor) = (Events(), SecretRedactor())
        let webURL = try #require(URL(string: "https://web.example"))
        let server = Server(secrets: secrets)
        let repository = RemoteAuthorizationRepository.gitHub(
            app: OAuthApp.gitHub(
                clientID: "client-id",
                clientSecret: try Secret(secrets["client"] ?? ""),
                redirect: URL(string: "app:/signed-in")
            ),
            url: webURL,
            web: HTTPClient(
                service: .gitHubWeb(url: webURL, userAgent: "Tests"),
                transport: server,
                options: .init {
                    $0.observers = [events]
                    $0.redactor = redactor
                }
            ),
            api: HTTPClient(
                service: .sample(),
                transport: server,
                options: .init {
                    $0.observers = [events]; $0.redactor = redactor
                }
            )
        )
        let state = "St5Ea2Te9Xy4Zw7Q"
        let verifier = try Secret("Vf8Er1Fi6Rx3Kj5M")
        _ = try repository.webPage(state: state, verifier: verifier)
        _ = try await repository.exchange(try Secret(secrets["code"] ?? ""), verifier: verifier)
        let device = try await repository.deviceCode()
        _ = try await repository.poll(device)
        _ = try await repository.refresh(try Secret(secrets["refresh"] ?? ""))
        let token = try Secret(secrets["token"] ?? "")
        let error = await thrown { () async throws(BrowseError) in
            try await repository.revoke(Credentials(token: token))
        }
        let seen =
            everyPrint(of: events.all) + everyPrint(of: error as Any)
        for (name, secret) in secrets.merging(["state": state, "verifier": verifier.text], uniquingKeysWith: { $1 }) {
            #expect(!seen.contains(secret), "\(name)")
            let encoded = Data(secret.utf8).base64EncodedString().dropLast(4)
            #expect(!seen.contains(encoded), "\(name)")
        }
    }
}
