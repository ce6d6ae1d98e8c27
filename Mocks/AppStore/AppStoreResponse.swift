import BrowseAppStoreDomain
import BrowseCoreMocks
import BrowseData
@_spi(Services) import BrowseDomain
import Foundation

/// The App Store's response to a request.
struct AppStoreResponse {
    var status = 200
    var contentType = "text/javascript; charset=utf-8"
    var body: Data

    init(to request: HTTPClient.Request, in scenario: Scenario, fixtures: AppStoreFixtures) throws {
        switch scenario {
        case .serverError:
            self.init(page: "Service Unavailable", status: 503)
        case .rateLimited:
            self.init(rows: [])
            status = 403
        case .normal, .empty, .slow, .offline:
            try self.init(to: request, isEmpty: scenario == .empty, fixtures: fixtures)
        }
    }

    private init(body: Data) {
        self.body = body
    }

    private init(page title: String, status: Int) {
        self.status = status
        contentType = "text/html;charset=utf-8"
        body = Data("<!DOCTYPE html>\n<html><head><title>\(title)</title></head><body></body></html>\n".utf8)
    }

    private init(rows: [Data]) {
        body =
            Data("\n\n\n{\n \"resultCount\":\(rows.count),\n \"results\": ".utf8) + Data(jsonRows: rows)
            + Data("}\n\n\n".utf8)
    }

    private init(to request: HTTPClient.Request, isEmpty: Bool, fixtures: AppStoreFixtures) throws {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        let query = Query(items: parts?.queryItems ?? [])
        let apps = fixtures.apps(in: query["country"] ?? "us")
        switch (request.method, request.url.lastPathComponent) {
        case (.get, "lookup"):
            guard let rows = Self.lookUp(query, in: apps) else {
                self.init(body: try Fixtures.appStore["error-invalid"])
                status = 400
                return
            }
            self.init(rows: isEmpty ? try rows.map(Self.emptied) : rows)
        case (.get, "search"):
            self.init(rows: isEmpty ? [] : Self.search(query, in: apps))
        default:
            self.init(page: "Not Found", status: 404)
        }
    }

    /// The rows with the IDs or the bundle identifier; `nil` for an invalid ID.
    private static func lookUp(_ query: Query, in apps: [AppStoreFixtures.App]) -> [Data]? {
        if let bundleID = query["bundleId"]?.lowercased(), !bundleID.isEmpty {
            return apps.filter { $0.bundleID?.lowercased() == bundleID }.map(\.row)
        }
        let texts = (query["id"] ?? "").split(separator: ",")
        let ids = texts.compactMap { Int64($0) }
        guard ids.count == texts.count else { return nil }
        return ids.compactMap { id in apps.first { $0.id == id }?.row }
    }

    private static func search(_ query: Query, in apps: [AppStoreFixtures.App]) -> [Data] {
        let term = (query["term"] ?? "").trimmed.lowercased()
        guard !term.isEmpty, ["software", "all", nil].contains(query["media"]) else { return [] }
        let isForMac = ["macSoftware", "desktopSoftware"].contains(query["entity"])
        let limit = query["limit"].flatMap { Int($0) } ?? 50
        return apps.filter { app in app.isForMac == isForMac && app.texts.contains { $0.contains(term) } }
            .prefix(limit.clamped(to: AppStore.searchResultLimits))
            .map(\.row)
    }

    /// The row of an app without ratings, screenshots, and languages.
    private static func emptied(_ row: Data) throws -> Data {
        guard var fields = try JSONSerialization.jsonObject(with: row) as? [String: Any] else { return row }
        for (key, value) in fields where value is [Any] { fields[key] = [Any]() }
        for key in ["averageUserRating", "userRatingCount"] where fields[key] != nil { fields[key] = 0 }
        return try JSONSerialization.data(withJSONObject: fields)
    }

    private struct Query {
        let items: [URLQueryItem]

        subscript(name: String) -> String? {
            items.first { $0.name == name }?.value
        }
    }
}
