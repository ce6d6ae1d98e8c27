public import BrowseAppStoreDomain
public import BrowseCoreMocks
public import BrowseDomain

/// An app repository in memory, for tests and previews.
///
/// All countries have the same apps, except for those of `national`.
public struct InMemoryAppRepository: AppStore.AppRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// A lookup by ID or bundle identifier.
        case lookUp(AppStore.AppReference, in: AppStore.Storefront)
        /// A search.
        case search(AppStore.SearchTerm, in: AppStore.Storefront, limit: Int)
    }

    private let apps: [AppStore.App]
    private let national: [AppStore.Country: [AppStore.App]]
    private let onCall: CallHook<Call, Page<AppStore.App>>?

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - apps: The apps of all countries, in the order of search results.
    ///   - national: The apps of single countries; they replace apps with the same number.
    ///   - onCall: Runs before each call. A lookup returns the first row of its answer.
    public init(
        apps: [AppStore.App] = [],
        only national: [AppStore.Country: [AppStore.App]] = [:],
        onCall: CallHook<Call, Page<AppStore.App>>? = nil
    ) {
        self.apps = apps
        self.national = national
        self.onCall = onCall
    }

    /// Returns an app by its ID or its bundle identifier, in any case.
    ///
    /// - Throws: `.notFound` if the country doesn't have it, or `.cancelled`.
    public func lookUp(
        _ reference: AppStore.AppReference,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        let endpoint = "InMemoryAppRepository.lookUp(_:in:)"
        if let answer = try await onCall?(.lookUp(reference, in: storefront)) { return try answer.first(for: endpoint) }
        guard !Task.isCancelled else { throw .cancelled }
        let apps = shop(of: storefront).filter { app in
            switch reference {
            case .id(let id): app.id.number == id.number
            case .bundleID(let bundleID): app.bundleID?.rawValue.lowercased() == bundleID.rawValue.lowercased()
            }
        }
        guard let app = storefront.preferred(of: apps) else {
            throw .notFound(BrowseError.RequestInfo(endpoint: endpoint))
        }
        return app
    }

    /// Returns the apps of the platform with the text in their name or developer, in any case.
    ///
    /// An app without a platform is one of any.
    ///
    /// - Throws: `.cancelled`.
    public func search(
        for term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront,
        limit: Int
    ) async throws(BrowseError) -> Page<AppStore.App> {
        if let answer = try await onCall?(.search(term, in: storefront, limit: limit)) { return answer }
        guard !Task.isCancelled else { throw .cancelled }
        let text = term.text.lowercased()
        let found = shop(of: storefront).filter { app in
            (app.platform ?? storefront.platform) == storefront.platform
                && [app.name, app.developer?.name ?? ""].contains { $0.lowercased().contains(text) }
        }
        return Page(items: Array(found.prefix(limit.clamped(to: AppStore.searchResultLimits))))
    }

    private func shop(of storefront: AppStore.Storefront) -> [AppStore.App] {
        let own = national[storefront.country] ?? []
        let numbers = Set(own.map(\.id.number))
        let shop = own + apps.filter { !numbers.contains($0.id.number) }
        return shop.map { app in
            var app = app
            app.id.country = storefront.country
            return app
        }
    }
}
