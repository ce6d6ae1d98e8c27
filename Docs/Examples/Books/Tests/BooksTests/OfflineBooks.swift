import Books
import BrowseCore
import BrowseCoreMocks
import BrowseData
import Foundation

/// Open Library without a network: one search, with two pages of books, and one book.
nonisolated final class OfflineBooks: OfflineService {
    typealias Settings = BooksSettings
    let scenarios: OfflineScenarios

    init(_ scenarios: OfflineScenarios = OfflineScenarios()) { self.scenarios = scenarios }

    func hasEndpoint(for request: HTTPClient.Request) -> Bool {
        request.url.path() == "/search.json" || request.url.path().hasPrefix("/works/")
    }

    func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
        let page = request.url.query()?.contains("page=2") == true ? 2 : 1
        let list = scenario == .empty ? "search-nothing" : "search-tea-\(page)"
        let name = request.url.path() == "/search.json" ? list : "work"
        // The module's bundle is on the main actor if that's the module's default isolation.
        let body = try await MainActor.run { try Fixtures(in: .module)[name] }
        return HTTPClient.Response(status: 200, body: body, url: request.url)
    }
}
