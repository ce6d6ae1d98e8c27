import BrowseData
import BrowseKit
import Crypto
import Foundation
import RedisStores
import TestServers
@testable import WebApp

/// The keys that processes of one website share.
struct WebsiteKeys: Sendable {
    let signing = SymmetricKey(size: .bits256)
    let tokens = SymmetricKey(size: .bits256)

    /// Starts a process of the website, which ends with the returned value.
    ///
    /// - Parameters:
    ///   - redis: The Redis server.
    ///   - gitHub: Stands in for GitHub.
    ///   - additions: Environment variables in addition to those that all tests need, or in their place.
    func start(
        _ redis: RedisServer,
        _ gitHub: GitHubServer,
        _ additions: [String: String] = [:]
    ) async throws -> Website {
        let folder = FileManager.default.temporaryDirectory.appending(path: "website-\(UUID().uuidString)")
        // Nothing is shared through files.
        let data = ["WEB_DATA": folder.path(percentEncoded: false), "GITHUB_URL": gitHub.url.absoluteString]
        let process = try spawn(redis, data.merging(additions) { $1 })
        return Website(url: try await process.line { $0.hasPrefix("http://") }, process: process, folder: folder)
    }

    /// Starts a process of the website, without waiting for its address.
    func spawn(
        _ redis: RedisServer,
        _ additions: [String: String],
        mergesErrors: Bool = false
    ) throws -> SpawnedProcess {
        func base64(_ key: SymmetricKey) -> String { key.withUnsafeBytes { Data($0) }.base64EncodedString() }
        return try SpawnedProcess(
            try product("browse-web"),
            ["--live"],
            environment: [
                "WEB_SIGNING_KEY": base64(signing), "WEB_TOKEN_KEY": base64(tokens), "PORT": "0",
                "WEB_REDIS_URL": "redis://\(redis.address)",
                "GITHUB_CLIENT_ID": "client", "GITHUB_CLIENT_SECRET": "client-secret", "WEB_LONGEST_WAIT": "60",
                "WEB_LOG_LEVEL": "warning",
            ].merging(additions) { $1 },
            mergesErrors: mergesErrors
        )
    }
}

/// A process of the website.
final class Website: Sendable {
    let url: String
    private let process: SpawnedProcess
    private let folder: URL

    init(url: String, process: SpawnedProcess, folder: URL) {
        self.url = url
        self.process = process
        self.folder = folder
    }

    deinit {
        process.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Kills the process with SIGKILL.
    func kill() { process.stop() }
}

/// A visitor of the website, who uses all of its processes with one cookie.
struct WebVisitor: Sendable {
    private let id = VisitorID()
    private let cookie: String
    private let transport: any HTTPTransport

    /// Creates a visitor with a valid cookie.
    init(_ keys: WebsiteKeys, _ transport: any HTTPTransport) {
        self.transport = transport
        let value = VisitorCookie(signer: Signer(key: keys.signing)).value(of: id)
        // Under the names over http on this machine, and over https.
        cookie = "visitor=\(value); __Host-visitor=\(value)"
    }

    /// The key of the visitor's stores.
    var key: String { id.key }

    /// Loads a page.
    ///
    /// - Parameter isComplete: Whether to load it again until its content has loaded, which a process waits for only briefly.
    func open(_ address: String, at site: Website, isComplete: Bool = true) async throws -> WebPage {
        while true {
            let request = try request("\(site.url)\(address)", "GET page")
            let page = try await load(request, address, site)
            if !isComplete || page.contentStatus != "loading" { return page }
        }
    }

    /// Presses a button of a page, as a browser without scripts does.
    ///
    /// - Returns: The page afterward.
    @discardableResult
    func press(_ action: String, on page: WebPage) async throws -> WebPage {
        try await load(form(action, on: page, at: page.site), page.address, page.site)
    }

    /// Presses a button of a page as its script does, at a process; returns the status of the response.
    func send(_ action: String, on page: WebPage, at site: Website) async throws -> Int {
        var request = try form(action, on: page, at: site)
        request.headers["Accept"] = "application/json"
        return try await transport.send(request).status
    }

    private func form(_ action: String, on page: WebPage, at site: Website) throws -> HTTPClient.Request {
        var request = try request("\(site.url)/actions", "POST actions")
        var form = URLComponents()
        form.queryItems = ["csrf": page.token, "page": page.id, "address": page.address, "do": action].map {
            URLQueryItem(name: $0.key, value: $0.value)
        }
        request.method = .post
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.body = Data((form.percentEncodedQuery ?? "").replacing("+", with: "%2B").utf8)
        return request
    }

    /// Returns the lines of a page's event stream.
    func events(of page: WebPage) throws -> SpawnedProcess {
        try events(of: page, at: page.site)
    }

    /// Returns the lines of a page's event stream at a process.
    func events(of page: WebPage, at site: Website) throws -> SpawnedProcess {
        let query = ["page": page.id, "shown": page.shown, "address": page.address]
        let arguments = query.flatMap { ["--data-urlencode", "\($0)=\($1)"] }
        return try SpawnedProcess(
            "/usr/bin/curl",
            ["-sNG", "-H", "Cookie: \(cookie)", "\(site.url)/events"] + arguments
        )
    }

    private func request(_ address: String, _ endpoint: String) throws -> HTTPClient.Request {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        let headers: HTTPHeaders = ["Cookie": cookie, "Accept": "text/html", "Accept-Language": "en"]
        // The response waits for the page's content.
        return HTTPClient.Request(
            url: url,
            headers: headers,
            endpoint: endpoint,
            limits: HTTPLimits(duration: .seconds(300))
        )
    }

    private func load(_ request: HTTPClient.Request, _ address: String, _ site: Website) async throws -> WebPage {
        let response = try await transport.send(request)
        let text = String(decoding: response.body, as: UTF8.self)
        return WebPage(address: address, site: site, status: response.status, text: text)
    }
}

/// A page that a visitor has loaded.
struct WebPage: Sendable {
    let address: String
    let site: Website
    let status: Int
    let text: String

    var id: String { values(between: "data-page=\"", "\"").first ?? "" }
    var shown: String { values(between: "data-shown=\"", "\"").first ?? "" }
    var token: String { values(between: "name=\"csrf\" value=\"", "\"").first ?? "" }
    /// The status of the content, such as `ready` or `failed`.
    var contentStatus: String { values(between: "data-status=\"", "\"").first ?? "" }
    /// The keys of the rows.
    var rows: [String] { values(between: "data-row=\"", "\"") }

    /// Whether the page shows a message beside its content, such as an error.
    var hasNotice: Bool { text.contains("<div class=\"notice\"") }

    /// Whether the page has a button for an action.
    func offers(_ action: String) -> Bool { text.contains("value=\"\(action)\"") }

    /// Returns the texts between two others.
    func values(between start: String, _ end: Character) -> [String] {
        text.components(separatedBy: start).dropFirst().map { String($0.prefix { $0 != end }) }
    }
}
