import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads the pages of `cold-sdk` with `URLSession` and a `JSONDecoder` alone, and ends.
@main
struct ColdBare {
    private struct User: Decodable, Sendable {
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

    private struct Page: Sendable {
        var users: [User]
        var links: [String: URL] = [:]
    }

    @concurrent
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let concurrency = Int(arguments[1]),
            let first = URL(string: arguments[2] + "/users/octocat/followers?per_page=100")
        else { exit(2) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = concurrency
        let session = URLSession(configuration: configuration)
        var page = try await page(at: first, session)
        var rows = page.users
        if concurrency > 1 {
            rows += try await rest(upTo: page.links["last"], session, concurrency: concurrency)
        } else {
            while let next = page.links["next"] {
                page = try await Self.page(at: next, session)
                rows += page.users
            }
        }
        guard rows.count == 10_000 else { exit(1) }
    }

    private static func page(at url: URL, _ session: URLSession) async throws -> Page {
        var request = URLRequest(url: url)
        request.setValue("application/vnd.github+json", forHTTPHeaderField: "Accept")
        request.setValue("2022-11-28", forHTTPHeaderField: "X-GitHub-Api-Version")
        request.setValue("Bench", forHTTPHeaderField: "User-Agent")
        let (data, response) = try await session.data(for: request)
        guard let http = response as? HTTPURLResponse, http.statusCode == 200 else { exit(1) }
        var page = Page(users: try JSONDecoder().decode([User].self, from: data))
        for link in http.value(forHTTPHeaderField: "Link")?.components(separatedBy: ", ") ?? [] {
            let parts = link.components(separatedBy: "; rel=\"")
            guard parts.count == 2 else { continue }
            page.links[String(parts[1].dropLast())] = URL(string: String(parts[0].dropFirst().dropLast()))
        }
        return page
    }

    private static func rest(upTo last: URL?, _ session: URLSession, concurrency: Int) async throws -> [User] {
        guard let last = last?.absoluteString, let equals = last.lastIndex(of: "="),
            let count = Int(last[equals...].dropFirst())
        else { exit(1) }
        let urls = (2...count).compactMap { URL(string: last[...equals] + String($0)) }
        return try await withThrowingTaskGroup(of: (Int, [User]).self) { group in
            var pages = [[User]](repeating: [], count: urls.count)
            var waiting = urls.indices.makeIterator()
            func addRequest() {
                guard let index = waiting.next() else { return }
                group.addTask {
                    let users = try await page(at: urls[index], session).users
                    return (index, users)
                }
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
