import BrowseCore
import BrowseData
import Foundation

/// Shows the favorites, and sends an endpoint, without any of the three services.
@main
struct Core {
    static func main() async throws {
        guard let url = URL(string: "https://api.github.com") else { return }
        let container = Container(services: [])
        let favorites = container.favoriteListViewModel()
        await favorites.show()
        for row in favorites.state.content.rows { print(row.favorite.title) }
        let client = container.client(of: .json(baseURL: url, userAgent: "Footprint"))
        print(try await client.send(Endpoint(.path("/zen")) { String(decoding: $0.body, as: UTF8.self) }))
    }
}
