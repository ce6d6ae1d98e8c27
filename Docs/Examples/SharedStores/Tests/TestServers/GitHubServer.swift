import BrowseData
import BrowseKit
import BrowseMocks
public import Foundation
import Synchronization

/// GitHub on a port of this machine, with bundled data, a rate limit, and refreshable tokens.
public final class GitHubServer: Sendable {
    /// The base URL.
    public let url: URL
    private let listener: ScriptedServer.Listener
    private let api: GitHubAPI

    /// Starts the server.
    ///
    /// - Parameter limit: The number of requests per account and hour.
    public init(limit: Int = 5_000) throws {
        let (server, api) = (ScriptedServer(), GitHubAPI(limit: limit))
        server.on(.any, response: .computed { await api.respond(to: $0) })
        listener = try server.listen()
        url = listener.url
        self.api = api
    }

    /// What happens to a refresh that waits until the hold is lifted; others don't wait.
    public enum RefreshHold: Sendable {
        /// The request is only delayed.
        case delayed
        /// The request is lost.
        case beforeExchange
        /// The refresh token is used up, and the response is lost.
        case afterExchange
    }

    /// The number of requests of a kind.
    ///
    /// The kinds are `accepted` (`full` or `unchanged` for numbered accounts), `refused`, `held`, `refreshed`, `rejected`,
    /// `exchanged`, and `revoked`.
    public func count(_ kind: String) -> Int { api.counts.value[kind] ?? 0 }

    /// Waits for a number of requests.
    public func wait(for kind: String, _ count: Int = 1) async { await api.counts.wait { $0[kind] ?? 0 >= count } }

    /// Holds the next refresh, the first one that is held; `nil` lifts the hold.
    public func hold(_ hold: RefreshHold?) { api.hold.withLock { $0 = hold } }

    /// Issues the first token of an account, `NAME`, with the refresh token `NAME-refresh`.
    public func issue(_ token: String, for login: String) async throws {
        try await api.issue(token, for: login)
    }
}

/// A transport that stores the `Authorization` field of a request.
private final class HeaderTransport: HTTPTransport {
    let authorization = Mutex("")

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        authorization.withLock { $0 = String((request.headers["Authorization"] ?? "").dropFirst("Bearer ".count)) }
        return HTTPClient.Response(status: 404, url: request.url)
    }
}

/// The responses of ``GitHubServer``.
private final class GitHubAPI: Sendable {
    let counts = Monitor<[String: Int]>([:])
    let hold = Monitor<GitHubServer.RefreshHold?>(nil)
    private let limit: Int
    /// The end of the hour of the limit, in seconds since 1970.
    private let reset = Int(Date().timeIntervalSince1970) + 3_600
    private let gitHub = OfflineServices().gitHub
    /// The requests of each account, and the bundled service's token behind each valid token.
    private let accounts = Mutex((used: [String: Int](), tokens: [String: String](), pairs: 0))

    init(limit: Int) { self.limit = limit }

    func issue(_ token: String, for login: String) async throws {
        // Only a request reveals a token.
        let sent = HeaderTransport()
        let bundled = try gitHub.token(for: GitHub.Login(login))
        let container = Container(Configuration().with { $0.gitHub.token = bundled })
        container.transport.override { _ in sent }
        _ = try? await container.userRepository().ownProfile()
        let own = sent.authorization.withLock(\.self)
        accounts.withLock { $0.tokens[token] = own }
    }

    func respond(to request: HTTPClient.Request) async -> ScriptedServer.Response {
        if request.url.path() == "/login/oauth/authorize" { return Self.authorization(of: request) }
        if request.url.path() == "/login/oauth/access_token" {
            return String(decoding: request.body ?? Data(), as: UTF8.self).contains("code=")
                ? await exchange() : await held(request)
        }
        if request.url.path().hasPrefix("/applications/") {
            count("revoked")
            return .status(204)
        }
        let bearer = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
        var forwarded = request
        forwarded.url = Self.publicURL(of: request.url)
        if let bearer {
            guard let own = accounts.withLock({ $0.tokens[bearer] }) else {
                count("unauthorized")
                return .json(
                    #"{"message": "Bad credentials"}"#,
                    status: 401,
                    headers: ["X-GitHub-Request-Id": "1"]
                )
            }
            forwarded.headers["Authorization"] = "Bearer \(own)"
        }
        let remaining = accounts.withLock { accounts in
            let account = bearer.flatMap { accounts.tokens[$0] } ?? ""
            accounts.used[account, default: 0] += 1
            return limit - (accounts.used[account] ?? 0)
        }
        var headers: HTTPHeaders = [
            "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(max(0, remaining))",
            "X-RateLimit-Reset": "\(reset)",
            "X-RateLimit-Resource": "core", "X-GitHub-Media-Type": "github.v3",
        ]
        guard remaining >= 0 else {
            count("refused")
            return .json(#"{"message": "API rate limit exceeded"}"#, status: 403, headers: headers)
        }
        count("accepted")
        if request.url.path().hasPrefix("/users/user-") {
            // Any number of accounts.
            let login = request.url.lastPathComponent
            let number = Int(login.dropFirst(5)) ?? 0
            headers["ETag"] = "\"\(number)\""
            guard request.headers["If-None-Match"] != headers["ETag"] else {
                count("unchanged")
                return .status(304, headers: headers)
            }
            count("full")
            return .json(#"{"id": \#(number + 1), "login": "\#(login)", "type": "User"}"#, headers: headers)
        }
        guard case .success(let response) = await gitHub.respond(to: forwarded) else { return .status(500) }
        let origin = "http://\(request.url.host() ?? ""):\(request.url.port ?? 80)"
        for (name, value) in response.headers.fields where name.lowercased() != "content-length" {
            // Further pages are here, too.
            let value = name.lowercased() == "link" ? value.replacing("https://api.github.com", with: origin) : value
            if !name.lowercased().hasPrefix("x-ratelimit") { headers[name] = value }
        }
        if response.status == 204 || response.status == 304 { return .status(response.status, headers: headers) }
        return .body(response.body, status: response.status, headers: headers)
    }

    /// Leads back with a code, as GitHub's page does for a user who has authorized the app before.
    private static func authorization(of request: HTTPClient.Request) -> ScriptedServer.Response {
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
        let code = [URLQueryItem(name: "code", value: "code"), URLQueryItem(name: "state", value: value("state"))]
        let location = URL(string: value("redirect_uri"))?.appending(queryItems: code)
        return .status(302, headers: ["Location": location?.absoluteString ?? ""])
    }

    /// Exchanges a code for a token of octocat.
    private func exchange() async -> ScriptedServer.Response {
        let token = accounts.withLock { accounts in
            accounts.pairs += 1
            return "code-\(accounts.pairs)-token"
        }
        do { try await issue(token, for: "octocat") } catch { return .status(500) }
        count("exchanged")
        return .json(
            #"""
            {"access_token": "\#(token)", "token_type": "bearer", "scope": "public_repo", "expires_in": 28800,
             "refresh_token": "\#(token)-refresh", "refresh_token_expires_in": 15897600}
            """#
        )
    }

    /// Exchanges a refresh token, or loses the request or the response.
    private func held(_ request: HTTPClient.Request) async -> ScriptedServer.Response {
        let isFirst = counts.withLock { counts in
            guard hold.value != nil, counts["held"] == nil else { return false }
            counts["held"] = 1
            return true
        }
        guard isFirst, let hold = hold.value else { return refresh(request) }
        if hold == .afterExchange { _ = refresh(request) }
        await self.hold.wait { $0 == nil }
        return hold == .delayed ? refresh(request) : .status(502)
    }

    /// Exchanges a refresh token for a new pair, once.
    private func refresh(_ request: HTTPClient.Request) -> ScriptedServer.Response {
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        let pair = accounts.withLock { accounts -> String? in
            guard let old = accounts.tokens.keys.first(where: { body.contains("\($0)-refresh") }) else { return nil }
            accounts.pairs += 1
            let new = "pair-\(accounts.pairs)-token"
            accounts.tokens[new] = accounts.tokens.removeValue(forKey: old)
            return new
        }
        guard let pair else {
            count("rejected")
            return .json(#"{"error": "bad_refresh_token"}"#)
        }
        count("refreshed")
        return .json(
            #"""
            {"access_token": "\#(pair)", "token_type": "bearer", "scope": "public_repo", "expires_in": 28800,
             "refresh_token": "\#(pair)-refresh", "refresh_token_expires_in": 15897600}
            """#
        )
    }

    private func count(_ kind: String) { counts.withLock { $0[kind, default: 0] += 1 } }

    private static func publicURL(of url: URL) -> URL {
        let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        return URL(string: "https://api.github.com" + url.path(percentEncoded: true) + query) ?? url
    }
}
