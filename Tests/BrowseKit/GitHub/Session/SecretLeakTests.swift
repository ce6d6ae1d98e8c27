import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import Synchronization
import TestLimits
import Testing

/// Tests secrets of any format, with servers that repeat them in header fields, redirects, and errors.
@MainActor @Suite(.bounded)
struct `Secrets of a session, with hostile servers` {
    nonisolated private static let secrets = [
        "access token": "Zq7XkPm2Lr9Tn4VbWd8Yh", "renewed token": "Nw3RtGy6Bu1Hj5Ks0Ed2X",
        "refresh token": "Ft9Cv4Xz8Mq1Wp6Lo3Kj7",
        "client secret": "Cs8Dw2Kf5Jh7Gt4Rb1Nv6", "device code": "Dc1Ft7Hq3Wk8Ze5Ux2Ai9",
        "code": "Qc4Ne6Ub1Xz9Pl3Mo7Si5",
    ]
    private let folder = FileManager.default.temporaryDirectory.appending(path: "canary-\(UUID().uuidString)")

    /// The places in which a hostile server repeats the secrets that it knows.
    private enum Mode: CaseIterable, Sendable { case answers, redirects, leads, fails, refuses }

    private nonisolated static func percentEncoded(_ text: String) -> String {
        text.utf8.map { "%" + String($0, radix: 16) }.joined()
    }

    /// Returns the secrets in a request, and those in earlier requests and responses.
    private nonisolated func echo(_ request: LoopbackServer.Request, _ known: Set<String>) -> String {
        let sent = (request.header("Authorization") ?? "") + " " + String(decoding: request.body, as: UTF8.self)
        let basic = sent.split(separator: " ").compactMap { Data(base64Encoded: String($0)) }
        return
            (known.sorted().joined(separator: " ") + " "
            + known.sorted().map(Self.percentEncoded).joined(separator: " ")
            + " " + sent + " "
            + basic.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")).replacing("\"", with: "'")
    }

    private func gitHub(_ mode: @escaping @Sendable () -> Mode, other: String) throws -> LoopbackServer {
        let offline = OfflineGitHub()
        let polls = Mutex(0)
        let exchanged = Mutex<Set<String>>([])
        return try LoopbackServer { [secrets = Self.secrets] request in
            let form = String(decoding: request.body, as: UTF8.self)
            let issued: [String] =
                if request.target == "/login/device/code" {
                    ["device code"]
                } else if request.target == "/login/oauth/access_token" {
                    [form.contains("grant_type=refresh_token") ? "renewed token" : "access token", "refresh token"]
                } else {
                    []
                }
            let known = exchanged.withLock { exchanged in
                exchanged.formUnion(secrets.values.filter { form.contains($0) })
                // The first response to a code is an error.
                if !issued.contains("access token") || polls.withLock({ $0 > 0 }) {
                    exchanged.formUnion(issued.compactMap { secrets[$0] })
                }
                return exchanged
            }
            let text = self.echo(request, known)
            let token = secrets["access token"].flatMap { known.contains($0) ? $0 : nil } ?? known.first ?? "none"
            let encoded = Data(text.utf8).base64EncodedString()
            let headers = [
                ("X-Echo", text), ("X-Encoded", encoded), ("Server", token),
                ("X-GitHub-Request-Id", String(token.prefix(20))),
                ("Content-Location", "/a/\(token)?next=\(token)"), ("Set-Cookie", "s=\(token)"),
            ]
            func json(_ body: String) -> LoopbackResponse {
                .json(body, headers: headers + [("ETag", "\"\(token)\"")])
            }
            if request.target == "/login/device/code" {
                return json(
                    """
                    {"device_code":"\(secrets["device code"] ?? "")","user_code":"AB-CD","interval":1,"expires_in":900,\
                    "verification_uri":"https://github.example/device"}
                    """
                )
            }
            if request.target == "/login/oauth/access_token" {
                let isFirst = polls.withLock { polls in
                    polls += 1
                    return polls == 1
                }
                if isFirst { return json(#"{"error":"\#(secrets["code"] ?? "")"}"#) }
                let isRefresh = form.contains("grant_type=refresh_token")
                let new = secrets[isRefresh ? "renewed token" : "access token"] ?? ""
                // Expires soon, so it's refreshed by a later request.
                let end = isRefresh ? "" : #""expires_in":90,"#
                return json(
                    #"{"access_token":"\#(new)",\#(end)"refresh_token":"\#(secrets["refresh token"] ?? "")"}"#
                )
            }
            switch mode() {
            case .redirects where !request.target.hasPrefix("/elsewhere"):
                return LoopbackResponse(
                    status: 302,
                    headers: headers + [("Location", "/elsewhere/\(token)?q=\(encoded)#\(token)")]
                )
            case .leads where request.method == "GET":
                return LoopbackResponse(status: 302, headers: headers + [("Location", "\(other)/leak")])
            case .fails, .redirects, .leads:
                return .json(#"{"message":"No: \#(text)","\#(token)":1}"#, status: 500, headers: headers)
            case .refuses: return .json(#"{"message":"\#(text)"}"#, status: 422, headers: headers)
            case .answers: break
            }
            var sent = HTTPClient.Request(
                method: HTTPMethod(rawValue: request.method) ?? .get,
                url: URL(string: "http://127.0.0.1" + request.target) ?? URL(filePath: "/"),
                endpoint: ""
            )
            sent.headers["Authorization"] = request.header("Authorization").map { _ in "Bearer gho_offline_octocat_1" }
            sent.body = Data(request.body)
            let response = BlockingWait().wait { [sent] in await offline.respond(to: sent) }
            guard case .success(let response) = response else { return LoopbackResponse(status: 500) }
            let own = response.headers.fields.filter { !["etag", "server"].contains($0.key) }.map { ($0.key, $0.value) }
            let link = (
                "Link",
                (response.headers["Link"].map { $0 + ", " } ?? "") + "<http://x/\(token)?code=\(token)>; rel=\"prev\""
            )
            let fields = own.filter { $0.0 != "link" } + headers + [link, ("ETag", "\"\(token)\"")]
            return LoopbackResponse(status: response.status, headers: fields, body: Array(response.body))
        }
    }

    @Test func `aren't revealed in messages, logs, files, or other servers' requests`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let mode = Mutex(Mode.answers)
        // Two more services and an image server, which must never receive a secret.
        let (characters, apps) = (OfflineRickAndMorty(), OfflineAppStore())
        let other = try LoopbackServer { request in
            let url = URL(string: "http://127.0.0.1" + request.target) ?? URL(filePath: "/")
            let sent = HTTPClient.Request(url: url, endpoint: "")
            let response = BlockingWait().wait {
                request.target.hasPrefix("/search") || request.target.hasPrefix("/lookup")
                    ? await apps.respond(to: sent) : await characters.respond(to: sent)
            }
            guard case .success(let response) = response else { return LoopbackResponse(status: 500) }
            let fields = response.headers.fields.map { ($0.key, $0.value) }
            return LoopbackResponse(status: response.status, headers: fields, body: Array(response.body))
        }
        let server = try gitHub({ mode.withLock { $0 } }, other: other.origin)
        let evidence = LeakEvidence()
        let (url, otherURL) = (try #require(URL(string: server.origin)), try #require(URL(string: other.origin)))
        var configuration = Configuration().with {
            $0.observers = [evidence, ExchangePrinter { evidence.add($0) }]
            $0.storageFolder = folder
            $0.locale = Locale(identifier: "en_US")
        }
        configuration.retries = RetryPolicy(attempts: 2, firstDelay: .zero)
        (configuration.gitHub.url, configuration.gitHub.webURL) = (url, url)
        configuration.gitHub.app = OAuthApp.gitHub(
            clientID: "client",
            clientSecret: try Secret(Self.secrets["client secret"] ?? ""),
            redirect: URL(string: "app.browsekit:/signed-in")
        )
        (configuration.rickAndMorty.url, configuration.appStore.url) = (otherURL, otherURL)
        let isLater = Mutex(false)
        configuration.now = { Date().addingTimeInterval(isLater.withLock(\.self) ? 60 : 0) }
        try configuration.validate()
        let container = Container(configuration)
        container.gitHubTokenStore.override {
            FileTokenStore(folder: folder, name: SessionName("GitHub", at: $0.configuration.gitHub.url))
        }

        // The web flow with a secret as the error code, then with the code; the device flow.
        let signIn = container.gitHubSignInViewModel()
        for _ in 0..<2 {
            guard case .webPage(let page) = signIn.signInByBrowser() else { throw BrowseError.cancelled }
            let state = try #require(
                URLComponents(string: page.rawValue)?.queryItems?.first { $0.name == "state" }?.value
            )
            let code = Self.secrets["code"] ?? ""
            let callback = try #require(URL(string: "app.browsekit:/signed-in?code=\(code)&state=\(state)"))
            await signIn.finishSignIn(with: callback)
            evidence.add(signIn.state)
        }
        guard case .signedIn = signIn.state else { throw BrowseError.cancelled }
        isLater.withLock { $0 = true }
        let authorization = container.gitHubAuthorizationRepository()
        let device = try await authorization.deviceCode()
        evidence.add(device)
        evidence.add(try await authorization.poll(device))

        for current in Mode.allCases {
            mode.withLock { $0 = current }
            await use(container, evidence, images: server.origin)
            // During the session, only its own file contains its tokens.
            try expectNoSecretInFiles { $0.hasPrefix("session-") && $0.hasSuffix(".json") }
        }
        evidence.add(container)
        evidence.add(container.configuration)
        evidence.add(try await container.gitHubTokenRepository().current() as Any)
        mode.withLock { $0 = .fails }
        evidence.add(await outcome { () async throws(BrowseError) in try await container.gitHubSession().signOut() })

        #expect(evidence.count > 500)
        for (name, secret) in Self.secrets {
            for part in [secret.prefix(10), secret.suffix(10)] {
                #expect(evidence.first(containing: String(part)) == nil, "\(name)")
                #expect(evidence.first(containing: Self.percentEncoded(String(part))) == nil, "\(name)")
            }
            #expect(
                evidence.first(containing: String(Data(secret.utf8).base64EncodedString().dropLast(4))) == nil,
                "\(name)"
            )
            // The server's own redirects and image addresses may return its secrets to it, but to no other server.
            for request in other.requests {
                let text = "\(request.target) \(request.headers) \(String(decoding: request.body, as: UTF8.self))"
                #expect(!text.contains(secret), "\(name)")
            }
        }
        #expect(!other.requests.isEmpty)
        #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
        #expect(
            server.requests.contains { $0.header("Authorization") == "Bearer \(Self.secrets["renewed token"] ?? "")" }
        )
        #expect(server.requests.contains { $0.method == "DELETE" && $0.target == "/applications/client/token" })

        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
        #expect(names.contains { $0.contains("favorites") || $0.hasSuffix(".sqlite") })
        try expectNoSecretInFiles { _ in false }
    }

    /// Searches the names and contents of files for secrets, in plain text and Base64.
    private func expectNoSecretInFiles(but isExempt: (String) -> Bool) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)) {
            let data = isExempt(name) ? nil : try? Data(contentsOf: folder.appending(path: name))
            for (secretName, secret) in Self.secrets {
                let encoded = Data(secret.utf8).base64EncodedData().dropLast(4)
                #expect(
                    data?.range(of: Data(Self.percentEncoded(secret).utf8)) == nil,
                    "\(secretName) in \(name), encoded"
                )
                #expect(!name.contains(secret), "\(secretName) in a name")
                #expect(data?.range(of: Data(secret.utf8)) == nil, "\(secretName) in \(name)")
                #expect(data?.range(of: encoded) == nil, "\(secretName) in \(name), in Base64")
            }
        }
    }

    /// Uses every service.
    private func use(_ container: Container, _ evidence: LeakEvidence, images: String) async {
        await container.useGitHub(evidence)
        evidence.add(await outcome { () async throws(BrowseError) in try await container.gitHubRateLimits().refresh() })
        let characters = container.characterListViewModel()
        await characters.show()
        if let row = characters.state.content.rows.first { await characters.toggleFavorite(row.id) }
        evidence.add(characters.state)
        let apps = container.appSearchViewModel()
        apps.query.text = "app"
        await apps.submit()
        if let row = apps.state.content.rows.first { await apps.toggleFavorite(row.id) }
        evidence.add(apps.state)
        for path in ["/\(Self.secrets["access token"] ?? "").png", "/picture.png"] {
            let picture = container.remoteImageViewModel()
            await picture.show(ImageRequest(WebAddress(rawValue: images + path)))
            // Excludes the address, which was the input; the result must not repeat it.
            evidence.add(
                await outcome { () async throws(BrowseError) in
                    try await container.imageRepository().image(for: ImageRequest(WebAddress(rawValue: images + path)))
                }
            )
        }
        evidence.add(container.gitHubSession())
        evidence.add(container.gitHubClient())
    }

    @Test(arguments: [
        "67:68:70:5f:31:32:33:34:35:36:37:38", "67-68-70-5f-31-32-33-34", "&#103;&#104;&#112;&#95;&#49;&#50;",
        // More than three numbers are a sequence.
        "max-age=103, max-age=104, max-age=112, max-age=95", "nginx/103.104, nginx/112.95, nginx/49.50, nginx/51.52",
        "accept=67, accept=68, accept=70, accept=50",
    ])
    func `aren't in events, in any encoding`(text: String) async {
        let (lines, server) = (Monitor<[String]>([]), ScriptedServer())
        let fields = ["Server", "Last-Modified", "Vary", "Content-Language", "Retry-After", "Cache-Control"]
        var headers: HTTPHeaders = ["Content-Type": "text/\(text)"]
        for name in fields { headers[name] = text }
        server.on(.get, "/users/octocat", response: .json(#"{"id":1,"login":"octocat"}"#, headers: headers))
        var configuration = Configuration.localized()
        configuration.observers = [ExchangePrinter { line in lines.withLock { $0.append(line) } }]
        let container = Container.production(on: server.transport(), configuration: configuration)
        await container.userProfileViewModel().show(GitHub.Login("octocat"))
        #expect(!lines.value.isEmpty && !lines.value.contains { $0.contains(text) })
        let url = configuration.gitHub.url.appending(queryItems: [.init(name: "key", value: "s3cr3t")])
        #expect(!"\(HTTPClient.Request(url: url, endpoint: ""))".contains("s3cr3t"))
    }
}
