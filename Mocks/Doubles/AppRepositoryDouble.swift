public import BrowseDomain

/// A repository of apps whose answers a test writes as closures.
///
/// Use ``InMemoryAppRepository`` when the apps are what matters; use this one to fail, to come late, or to look at what is
/// asked for. A closure that was not set throws an error that says which one to set.
public struct AppRepositoryDouble: AppStore.AppRepository {
    /// What was asked for.
    public enum Request: Hashable, Sendable {
        /// An app, by its number or its bundle identifier.
        case lookUp(AppStore.AppReference, in: AppStore.Storefront)
        /// A search.
        case search(AppStore.SearchTerm, in: AppStore.Storefront, limit: Int)
    }

    /// Answers both ways to look an app up.
    public var onLookUp:
        @Sendable (AppStore.AppReference, AppStore.Storefront) async throws(BrowseError) -> AppStore.App
    /// Answers ``search(for:in:limit:)``.
    public var onSearch:
        @Sendable (AppStore.SearchTerm, AppStore.Storefront, Int) async throws(BrowseError) -> Page<AppStore.App>

    /// Creates a double from its closures; those that are not given throw until they are set.
    public init(
        onLookUp:
            @escaping @Sendable (AppStore.AppReference, AppStore.Storefront) async throws(BrowseError) -> AppStore.App =
            {
                _,
                _ throws(BrowseError) in throw .notSetUp("onLookUp", of: "AppRepositoryDouble")
            },
        onSearch:
            @escaping @Sendable (AppStore.SearchTerm, AppStore.Storefront, Int) async throws(BrowseError) ->
            Page<AppStore.App> = { _, _, _ throws(BrowseError) in
                throw .notSetUp("onSearch", of: "AppRepositoryDouble")
            }
    ) {
        self.onLookUp = onLookUp
        self.onSearch = onSearch
    }

    /// Answers every call with an error.
    public static func failing(with error: BrowseError) -> AppRepositoryDouble {
        AppRepositoryDouble(
            onLookUp: { _, _ throws(BrowseError) in throw error },
            onSearch: { _, _, _ throws(BrowseError) in throw error }
        )
    }

    /// Never answers; a call ends with `.cancelled` when its task is cancelled.
    public static var never: AppRepositoryDouble {
        AppRepositoryDouble(
            onLookUp: { _, _ throws(BrowseError) in throw await .whenCancelled() },
            onSearch: { _, _, _ throws(BrowseError) in throw await .whenCancelled() }
        )
    }

    /// Answers when the test lets the response go; a lookup gets the first app of the response, or `.notFound`.
    public static func held(_ responses: ControlledResponses<Request, Page<AppStore.App>>) -> AppRepositoryDouble {
        AppRepositoryDouble(
            onLookUp: { reference, storefront throws(BrowseError) in
                let page = try await responses.response(to: .lookUp(reference, in: storefront))
                guard let app = page.items.first else {
                    throw .notFound(BrowseError.RequestInfo(endpoint: "AppRepositoryDouble.held(_:)"))
                }
                return app
            },
            onSearch: { term, storefront, limit throws(BrowseError) in
                try await responses.response(to: .search(term, in: storefront, limit: limit))
            }
        )
    }

    /// What ``onLookUp`` answers.
    public func lookUp(
        _ id: AppStore.AppID,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        try await onLookUp(.id(id), storefront)
    }

    /// What ``onLookUp`` answers.
    public func lookUp(
        _ bundleID: AppStore.BundleID,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        try await onLookUp(.bundleID(bundleID), storefront)
    }

    /// What ``onSearch`` answers.
    public func search(
        for term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront,
        limit: Int
    ) async throws(BrowseError) -> Page<AppStore.App> {
        try await onSearch(term, storefront, limit)
    }
}
