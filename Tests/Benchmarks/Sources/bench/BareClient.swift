import BrowseDomain
import BrowseGitHubDomain
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Minimal code with the repository's results, without limits, error mapping, and redirect policy.
struct BareClient: Sendable {
    let baseURL: URL
    private let send: @Sendable (URL) async throws -> Exchange
    private let decoder = JSONDecoder()

    /// The header fields of each request.
    static let fields = [
        "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28", "User-Agent": "Bench",
    ]

    struct Exchange: Sendable {
        var status: Int
        var body: Data
        var link: String?
    }

    struct Response: Sendable {
        var users: [GitHub.User]
        var next: URL?
        var last: URL?
    }

    private struct User: Decodable {
        let id: Int64
        let login: String
        let avatarURL: String?
        let htmlURL: String?
        let type: String?

        private enum CodingKeys: String, CodingKey {
            case id, login, type
            case avatarURL = "avatar_url"
            case htmlURL = "html_url"
        }
    }

    /// Creates a client that sends requests by other means than `URLSession`.
    init(baseURL: URL, send: @escaping @Sendable (URL) async throws -> Exchange) {
        self.baseURL = baseURL
        self.send = send
    }

    init(baseURL: URL, connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = connections
        let session = URLSession(configuration: configuration)
        self.init(baseURL: baseURL) { url in
            var request = URLRequest(url: url)
            for (name, value) in Self.fields { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await session.data(for: request)
            let http = response as? HTTPURLResponse
            return Exchange(
                status: http?.statusCode ?? 0,
                body: data,
                link: http?.value(forHTTPHeaderField: "Link")
            )
        }
    }

    func firstPage(of login: String) throws -> URL {
        let address = "\(baseURL.absoluteString)/users/\(login)/followers?per_page=100"
        guard let url = URL(string: address) else { throw BenchFailure("no address: \(address)") }
        return url
    }

    @concurrent
    func page(at url: URL) async throws -> Response {
        let response = try await send(url)
        guard response.status == 200 else { throw BenchFailure("no page at \(url)") }
        let users = try decoder.decode([User].self, from: response.body).map { user in
            GitHub.User(
                id: GitHub.User.ID(rawValue: user.id),
                login: GitHub.Login(user.login),
                avatar: user.avatarURL.map(WebAddress.init(rawValue:)),
                webPage: user.htmlURL.map(WebAddress.init(rawValue:)),
                kind: user.type.map(GitHub.User.Kind.init(rawValue:)) ?? .user
            )
        }
        var page = Response(users: users)
        for link in response.link?.components(separatedBy: ", ") ?? [] {
            let parts = link.components(separatedBy: "; ")
            guard parts.count == 2 else { continue }
            if parts[1] == "rel=\"next\"" { page.next = URL(string: String(parts[0].dropFirst().dropLast())) }
            if parts[1] == "rel=\"last\"" { page.last = URL(string: String(parts[0].dropFirst().dropLast())) }
        }
        return page
    }

    /// Loads all pages sequentially.
    @concurrent
    func walk(pages: Int) async throws -> [GitHub.User] {
        var users: [GitHub.User] = []
        var url: URL? = try firstPage(of: "octocat")
        for _ in 0..<pages {
            guard let current = url else { break }
            let page = try await page(at: current)
            users += page.users
            url = page.next
        }
        return users
    }

    /// Loads the first page, and then the others in a task group.
    @concurrent
    func all(concurrency: Int) async throws -> [GitHub.User] {
        let first = try await page(at: firstPage(of: "octocat"))
        guard let last = first.last?.absoluteString, let equals = last.lastIndex(of: "="),
            let count = Int(last[equals...].dropFirst())
        else { throw BenchFailure("the first page has no last") }
        let urls = (2...count).compactMap { URL(string: last[...equals] + String($0)) }
        return try await first.users + group(urls, concurrency: concurrency)
    }

    /// Loads a known number of pages in a task group, which saves one round trip.
    @concurrent
    func all(count: Int, concurrency: Int) async throws -> [GitHub.User] {
        let first = try firstPage(of: "octocat").absoluteString
        let urls = (1...count).compactMap { URL(string: "\(first)&page=\($0)") }
        return try await group(urls, concurrency: concurrency)
    }

    private func group(_ urls: [URL], concurrency: Int) async throws -> [GitHub.User] {
        try await withThrowingTaskGroup(of: (Int, [GitHub.User]).self) { group in
            var pages = [[GitHub.User]](repeating: [], count: urls.count)
            var nextIndex = 0
            func addRequest() {
                guard nextIndex < urls.count else { return }
                group.addTask { [nextIndex] in
                    let users = try await page(at: urls[nextIndex]).users
                    return (nextIndex, users)
                }
                nextIndex += 1
            }
            for _ in 0..<concurrency { addRequest() }
            while let (index, users) = try await group.next() {
                pages[index] = users
                addRequest()
            }
            return pages.flatMap { $0 }
        }
    }
}
