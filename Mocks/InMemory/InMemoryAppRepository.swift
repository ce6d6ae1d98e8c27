public import BrowseDomain

/// Apps that a test or a preview brings along.
///
/// They are in the shops of all countries, but for those that are given to one country alone.
public struct InMemoryAppRepository: AppStore.AppRepository {
    private let apps: [AppStore.App]
    private let national: [AppStore.Country: [AppStore.App]]

    /// Creates a repository of these apps.
    ///
    /// - Parameters:
    ///   - apps: Those of every country, in the order in which a search finds them.
    ///   - national: Those of one country alone; one that has the id of another app takes its place there.
    public init(apps: [AppStore.App] = [], only national: [AppStore.Country: [AppStore.App]] = [:]) {
        self.apps = apps
        self.national = national
    }

    /// One app by its number.
    ///
    /// - Throws: `.notFound` when that country has none, `.cancelled` when the calling task is cancelled.
    public func lookUp(
        _ id: AppStore.AppID,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        try find(in: storefront) { $0.id == id }
    }

    /// One app by its bundle identifier, whose case does not count.
    ///
    /// - Throws: `.notFound` when that country has none, `.cancelled` when the calling task is cancelled.
    public func lookUp(
        _ bundleID: AppStore.BundleID,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        let key = bundleID.rawValue.lowercased()
        return try find(in: storefront) { $0.bundleID?.rawValue.lowercased() == key }
    }

    /// What has the text in its name or its developer's, in any case.
    ///
    /// - Throws: `.cancelled` when the calling task is cancelled.
    public func search(
        for term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront,
        limit: Int
    ) async throws(BrowseError) -> Page<AppStore.App> {
        guard !Task.isCancelled else { throw .cancelled }
        let text = term.text.lowercased()
        let found = shop(of: storefront).filter { app in
            [app.name, app.developer?.name ?? ""].contains { $0.lowercased().contains(text) }
        }
        return Page(items: Array(found.prefix(min(max(limit, 1), AppStore.searchResultLimit))))
    }

    private func find(
        in storefront: AppStore.Storefront,
        _ isWanted: (AppStore.App) -> Bool
    ) throws(BrowseError) -> AppStore.App {
        guard !Task.isCancelled else { throw .cancelled }
        guard let app = shop(of: storefront).first(where: isWanted) else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryAppRepository.lookUp(_:in:)"))
        }
        return app
    }

    private func shop(of storefront: AppStore.Storefront) -> [AppStore.App] {
        let own = national[storefront.country] ?? []
        let ids = Set(own.map(\.id))
        return own + apps.filter { !ids.contains($0.id) }
    }
}
