import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads followers with Foundation alone.
@main
struct Bare {
    struct User: Decodable {
        let login: String
    }

    static func main() async throws {
        guard let url = URL(string: "https://api.github.com/users/octocat/followers?per_page=100") else { return }
        let (data, _) = try await URLSession.shared.data(from: url)
        for user in try JSONDecoder().decode([User].self, from: data) { print(user.login) }
    }
}
