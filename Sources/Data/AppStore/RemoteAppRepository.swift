package import BrowseAppStoreDomain
package import BrowseData
package import BrowseDomain

/// A repository of apps from the iTunes Search API.
package struct RemoteAppRepository: AppStore.AppRepository {
    private let client: HTTPClient

    /// Creates a repository with a client of `HTTPClient.Service.appStore(baseURL:userAgent:)`.
    package init(client: HTTPClient) { self.client = client }

    package func lookUp(
        _ reference: AppStore.AppReference,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        let app =
            switch reference {
            case .id(let id): try await client.send(.app(id, in: storefront))
            case .bundleID(let bundleID): try await client.send(.app(bundleID, in: storefront))
            }
        if let app { return app }
        let other = AppStore.Storefront(country: storefront.country, language: storefront.language)
        return try await lookUp(reference, in: other)
    }

    package func search(
        for term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront,
        limit: Int
    ) async throws(BrowseError) -> Page<AppStore.App> {
        try await client.send(.apps(matching: term, in: storefront, limit: limit))
    }
}

extension Endpoint<AppStore.App?> {
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
        // Versions for several systems can share a number; by default, it's the one for iOS.
        let entity = storefront.platform == .mac ? [QueryItem("entity", "desktopSoftware")] : []
        return Endpoint(.path("/lookup"), query: [item] + entity + QueryItem.storefront(storefront)) { response in
            let rows = try response.appStoreRows()
            if let app = storefront.preferred(of: rows.apps(in: storefront).filter(isMatch)) { return app }
            // A skipped row could be the requested app, so this isn't a 404.
            if let failure = rows.skipped.first { throw ResponseFailure(.decoding(failure)) }
            // It can be another system's app. A response is cached, unlike an error.
            if storefront.platform == .mac { return nil }
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
            // The older `macSoftware` also stands for apps for iOS, and `software` for none that
            // needs an iPad.
            QueryItem("entity", storefront.platform == .mac ? "desktopSoftware" : "software,iPadSoftware"),
            QueryItem("limit", String(limit)),
        ]
        let query = items + QueryItem.storefront(storefront)
        return Endpoint(.path("/search"), query: query) { response in
            let rows = try response.appStoreRows()
            var page = Page(items: rows.apps(in: storefront), skipped: rows.skipped)
            guard let other = rows.rows.firstIndex(where: { $0.app == nil }) else { return page }
            let failure = BrowseError.DecodingFailure(codingPath: "results[\(other)].wrapperType", reason: "not an app")
            // Rows of another kind only mean another format, which must not look like no results.
            guard !page.items.isEmpty else { throw ResponseFailure(.decoding(rows.skipped.first ?? failure)) }
            let count = rows.skipped.count + rows.rows.count - page.items.count
            page.skipped = SkippedRows(count: count, first: rows.skipped.first ?? failure)
            return page
        }
    }
}

extension LossyArray<AppStoreRowsDTO.Row> {
    /// Returns the apps among the rows.
    fileprivate func apps(in storefront: AppStore.Storefront) -> [AppStore.App] {
        rows.compactMap(\.app).map { app in
            var app = app
            app.id.country = storefront.country
            return app
        }
    }
}

extension Endpoint.QueryItem {
    /// The country and language of a storefront.
    fileprivate static func storefront(_ storefront: AppStore.Storefront) -> [Self] {
        [Self("country", storefront.country.code)] + (storefront.language.map { [Self("lang", $0.code)] } ?? [])
    }
}
