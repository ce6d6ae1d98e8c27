public import BrowseDomain

/// Apps from the App Store's public lookup.
public struct RemoteAppRepository: AppStore.AppRepository {
    private let client: HTTPClient

    /// Creates a repository that asks through a client of ``HTTPClient/Service/appStore(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        self.client = client
    }

    /// One app by its number.
    public func lookUp(
        _ id: AppStore.AppID,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        try await client.send(.app(id, in: storefront))
    }

    /// One app by its bundle identifier, whose case does not count.
    public func lookUp(
        _ bundleID: AppStore.BundleID,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        try await client.send(.app(bundleID, in: storefront))
    }

    /// What a search finds, on one page.
    public func search(
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
        lookup(QueryItem("id", id.description), in: storefront) { $0.id == id }
    }

    /// `GET /lookup?bundleId=`.
    static func app(_ bundleID: AppStore.BundleID, in storefront: AppStore.Storefront) -> Self {
        let key = bundleID.rawValue.lowercased()
        return lookup(QueryItem("bundleId", bundleID.rawValue), in: storefront) {
            ($0.bundleID?.rawValue.lowercased() ?? key) == key
        }
    }

    /// - Parameter isWanted: Whether an app is the one that was asked for; another one is no answer.
    private static func lookup(
        _ item: QueryItem,
        in storefront: AppStore.Storefront,
        isWanted: @escaping @Sendable (AppStore.App) -> Bool
    ) -> Self {
        // The query names the app that is wanted.
        Endpoint(
            .path("/lookup"),
            query: [item] + QueryItem.storefront(storefront),
            decodingID: "lookup"
        ) { response in
            let rows = try response.appStoreRows(AppStoreRowDTO.self)
            let apps = rows.rows.compactMap { row in
                if case .app(let dto) = row { AppStore.App(dto) } else { nil }
            }
            if let app = apps.first(where: isWanted) { return app }
            // It may be the one that could not be read; that is not to say that there is none.
            if let bad = rows.skipped.first { throw UnusableResponse(reason: .decoding(bad.failure(in: response))) }
            throw RefusedResponse { .notFound($0) }
        }
    }
}

extension Endpoint<Page<AppStore.App>> {
    /// `GET /search`.
    static func apps(
        matching term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront,
        limit: Int
    ) -> Self {
        let limit = min(max(limit, 1), AppStore.searchResultLimit)
        let items = [
            QueryItem("term", term.text), QueryItem("media", "software"), QueryItem("entity", "software"),
            QueryItem("limit", String(limit)),
        ]
        return Endpoint(
            .path("/search"),
            query: items + QueryItem.storefront(storefront),
            decodingID: "apps"
        ) { response in
            let rows = try response.appStoreRows(AppStoreAppRowDTO.self)
            return Page(items: rows.rows.map { AppStore.App($0.app) }, skipped: rows.skipped)
        }
    }
}

extension Endpoint.QueryItem {
    /// Whose shop, and in which language.
    fileprivate static func storefront(_ storefront: AppStore.Storefront) -> [Self] {
        [Self("country", storefront.country.code)] + (storefront.language.map { [Self("lang", $0.code)] } ?? [])
    }
}

extension SkippedRow {
    /// The row as what is wrong with a response.
    fileprivate func failure(in response: HTTPResponse) -> BrowseError.DecodingFailure {
        let parts = reason.split(separator: ": ", maxSplits: 1)
        return BrowseError.DecodingFailure(
            codingPath: parts.count == 2 ? String(parts[0]) : "results[\(index)]",
            reason: parts.last.map(String.init) ?? reason,
            excerpt: Excerpt.make(of: response.body)
        )
    }
}
