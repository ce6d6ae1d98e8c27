package import BrowseAppStoreDomain
package import BrowseData
package import BrowseDomain

/// A repository of apps from the iTunes Search API.
package struct RemoteAppRepository: AppStore.AppRepository {
    private let client: HTTPClient

    /// Creates a repository with a client of `HTTPClient.Service.appStore(baseURL:userAgent:now:)`.
    package init(client: HTTPClient) { self.client = client }

    package func lookUp(
        _ reference: AppStore.AppReference,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        switch reference {
        case .id(let id): try await client.send(.app(id, in: storefront))
        case .bundleID(let bundleID): try await client.send(.app(bundleID, in: storefront))
        }
    }

    package func search(
        for term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront,
        limit: Int
    ) async throws(BrowseError) -> Page<AppStore.App> {
        try await client.send(.apps(matching: term, in: storefront, limit: limit))
    }
}

extension Endpoint<AppStore.App> {
    /// `GET /lookup?id=`.
    static func app(_ id: AppStore.AppID, in storefront: AppStore.Storefront) -> Self {
        lookup(QueryItem("id", String(id.number)), in: storefront) { $0.id.number == id.number }
    }

    /// `GET /lookup?bundleId=`.
    static func app(_ bundleID: AppStore.BundleID, in storefront: AppStore.Storefront) -> Self {
        let key = bundleID.rawValue.lowercased()
        return lookup(QueryItem("bundleId", bundleID.rawValue), in: storefront) {
            ($0.bundleID?.rawValue.lowercased() ?? key) == key
        }
    }

    /// - Parameter isMatch: Whether an app is the requested one; others are ignored.
    private static func lookup(
        _ item: QueryItem,
        in storefront: AppStore.Storefront,
        isMatch: @escaping @Sendable (AppStore.App) -> Bool
    ) -> Self {
        Endpoint(.path("/lookup"), query: [item] + QueryItem.storefront(storefront)) { response in
            let rows = try response.appStoreRows(AppStoreRowDTO.self)
            let apps = rows.rows.compactMap { row in
                if case .app(let dto) = row { AppStore.App(dto, in: storefront.country) } else { nil }
            }
            if let app = storefront.preferred(of: apps.filter(isMatch)) { return app }
            // A skipped row could be the requested app, so this isn't a 404.
            if let failure = rows.skipped.first { throw ResponseFailure(.decoding(failure)) }
            throw ResponseFailure { .notFound($0) }
        }
    }
}

extension Endpoint<Page<AppStore.App>> {
    /// `GET /search`.
    static func apps(matching term: AppStore.SearchTerm, in storefront: AppStore.Storefront, limit: Int) -> Self {
        let limit = min(max(limit, AppStore.searchResultLimits.lowerBound), AppStore.searchResultLimits.upperBound)
        let items = [
            QueryItem("term", term.text), QueryItem("media", "software"),
            QueryItem("entity", storefront.platform == .mac ? "macSoftware" : "software"),
            QueryItem("limit", String(limit)),
        ]
        let query = items + QueryItem.storefront(storefront)
        return Endpoint(.path("/search"), query: query) { response in
            let rows = try response.appStoreRows(AppStoreAppRowDTO.self)
            return Page(items: rows.rows.map { AppStore.App($0.app, in: storefront.country) }, skipped: rows.skipped)
        }
    }
}

extension Endpoint.QueryItem {
    /// The country and language of a storefront.
    fileprivate static func storefront(_ storefront: AppStore.Storefront) -> [Self] {
        [Self("country", storefront.country.code)] + (storefront.language.map { [Self("lang", $0.code)] } ?? [])
    }
}
