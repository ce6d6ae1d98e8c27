import BrowseData
import BrowseDomain
import Foundation

/// Loads followers with a client of its own endpoint.
@main
struct Client {
    struct User: Decodable, Sendable {
        let login: String
    }

    static func main() async throws {
        guard let url = URL(string: "https://api.github.com") else { return }
        let client = HTTPClient.standard(.json(baseURL: url, userAgent: "Footprint"))
        let followers = Endpoint(.path("/users/octocat/followers")) { try $0.json(LossyArray<User>.self).rows }
        for user in try await client.send(followers) { print(user.login) }
    }
}
