import BrowseData
import BrowseKit
import Crypto
import Foundation
import RedisStores
import TestProcesses
import WebSupport

/// The keys that processes of one website share.
struct WebsiteKeys: Sendable {
    let signing = SymmetricKey(size: .bits256)
    let tokens = SymmetricKey(size: .bits256)

    /// Starts a process of the website, which ends with the returned value.
    func start(_ redis: RedisServer, _ gitHub: GitHubServer) async throws -> Website {
        func base64(_ key: SymmetricKey) -> String { key.withUnsafeBytes { Data($0) }.base64EncodedString() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "website-\(UUID().uuidString)")
        let process = try SpawnedProcess(
            try product("browse-web"),
            [
                "--live", "--port", "0", "--redis", redis.address.description, "--github", gitHub.url.absoluteString,
                "--longest-wait", "60",
            ],
            environment: [
                "WEB_SIGNING_KEY": base64(signing), "WEB_TOKEN_KEY": base64(tokens), "PORT": "",
                "GITHUB_CLIENT_ID": "client", "GITHUB_CLIENT_SECRET": "client-secret",
                // Nothing is shared through files.
                "HOME": folder.path(percentEncoded: false), "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "",
            ]
        )
        return Website(url: try await process.line { $0.hasPrefix("http://") }, process: process, folder: folder)
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

    /// Creates a visitor; the key is stored if the website's server is given.
    init(_ keys: WebsiteKeys, _ transport: any HTTPTransport, _ redis: RedisServer? = nil) async throws {
        self.transport = transport
        key = VisitorID().rawValue
        if let redis { _ = try await RedisVisitorKeys(redis.client()).key(of: id.digest, orAdd: key) }
        cookie = String(VisitorCookie(signer: Signer(key: keys.signing)).setting(id).prefix { $0 != ";" })
    }

    /// The key of the visitor's stores.
    let key: String

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
        var request = try request("\(page.site.url)/actions", "POST actions")
        var form = URLComponents()
        form.queryItems = ["csrf": page.token, "page": page.id, "address": page.address, "do": action].map {
            URLQueryItem(name: $0.key, value: $0.value)
        }
        request.method = .post
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.body = Data((form.percentEncodedQuery ?? "").replacing("+", with: "%2B").utf8)
        return try await load(request, page.address, page.site)
    }

    /// Returns the lines of a page's event stream.
    func events(of page: WebPage) throws -> SpawnedProcess {
        let address = "\(page.site.url)/events?page=\(page.id)&after=\(page.event)"
        return try SpawnedProcess("/usr/bin/curl", ["-sN", "-H", "Cookie: \(cookie)", address])
    }

    private func request(_ address: String, _ endpoint: String) throws -> HTTPRequest {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        let headers: HTTPHeaders = ["Cookie": cookie, "Accept": "text/html", "Accept-Language": "en"]
        // The response waits for the page's content.
        return HTTPRequest(url: url, headers: headers, endpoint: endpoint, limits: HTTPLimits(duration: .seconds(300)))
    }

    private func load(_ request: HTTPRequest, _ address: String, _ site: Website) async throws -> WebPage {
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
    var event: String { values(between: "data-event=\"", "\"").first ?? "" }
    var token: String { values(between: "name=\"csrf\" value=\"", "\"").first ?? "" }
    /// The status of the content, such as `ready` or `failed`.
    var contentStatus: String { values(between: "data-status=\"", "\"").first ?? "" }
    /// The keys of the rows.
    var rows: [String] { values(between: "data-row=\"", "\"") }

    /// Whether the page shows a message beside its content, such as an error.
    var hasNotice: Bool { text.contains("role=\"alert\"") }

    /// Whether the page has a button for an action.
    func offers(_ action: String) -> Bool { text.contains("value=\"\(action)\"") }

    /// Returns the texts between two others.
    func values(between start: String, _ end: Character) -> [String] {
        text.components(separatedBy: start).dropFirst().map { String($0.prefix { $0 != end }) }
    }
}
