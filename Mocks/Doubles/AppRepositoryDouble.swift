public import BrowseDomain

/// An app repository whose results a test sets as closures.
///
/// Use it for failures, delays, and to inspect calls; for data, use ``InMemoryAppRepository``. If a closure isn't set, its calls
/// fail with a hint, and are issues in tests with the trait `.verifiesMocks`.
public struct AppRepositoryDouble: AppStore.AppRepository {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A lookup by ID or bundle identifier.
        case lookUp(AppStore.AppReference, in: AppStore.Storefront)
        /// A search.
        case search(AppStore.SearchTerm, in: AppStore.Storefront, limit: Int)
    }

    /// Performs both kinds of lookup.
    public var onLookUp:
        @Sendable (AppStore.AppReference, AppStore.Storefront) async throws(BrowseError) -> AppStore.App
    /// Performs ``search(for:in:limit:)``.
    public var onSearch:
        @Sendable (AppStore.SearchTerm, AppStore.Storefront, Int) async throws(BrowseError) -> Page<AppStore.App>

    /// Creates a double; calls of closures that aren't set fail.
    public init(
        onLookUp:
            @escaping @Sendable (AppStore.AppReference, AppStore.Storefront) async throws(BrowseError) -> AppStore.App =
            {
                _,
                _ throws(BrowseError) in throw .notSetUp("onLookUp", of: "AppRepositoryDouble", parameters: 2)
            },
        onSearch:
            @escaping @Sendable (AppStore.SearchTerm, AppStore.Storefront, Int) async throws(BrowseError) ->
            Page<AppStore.App> = { _, _, _ throws(BrowseError) in
                throw .notSetUp("onSearch", of: "AppRepositoryDouble", parameters: 3)
            }
    ) {
        self.onLookUp = onLookUp
        self.onSearch = onSearch
    }

    /// Returns a double whose calls fail.
    public static func failing(with error: BrowseError) -> AppRepositoryDouble {
        AppRepositoryDouble(
            onLookUp: { _, _ throws(BrowseError) in throw error },
            onSearch: { _, _, _ throws(BrowseError) in throw error }
        )
    }

    /// A double whose calls suspend until their task is canceled, and then throw `.cancelled`.
    public static var never: AppRepositoryDouble {
        AppRepositoryDouble(
            onLookUp: { _, _ throws(BrowseError) in throw await .whenCancelled() },
            onSearch: { _, _, _ throws(BrowseError) in throw await .whenCancelled() }
        )
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// A lookup returns the first app of the response, or throws `.notFound`.
    public static func controlled(by responses: ControlledResponses<Request, Page<AppStore.App>>) -> AppRepositoryDouble
    {
        AppRepositoryDouble(
            onLookUp: { reference, storefront throws(BrowseError) in
                let page = try await responses.response(to: .lookUp(reference, in: storefront))
                guard let app = page.items.first else {
                    throw .notFound(BrowseError.RequestInfo(endpoint: "AppRepositoryDouble.controlled(by: _:)"))
                }
                return app
            },
            onSearch: { term, storefront, limit throws(BrowseError) in
                try await responses.response(to: .search(term, in: storefront, limit: limit))
            }
        )
    }

    /// Calls ``onLookUp``.
    public func lookUp(
        _ id: AppStore.AppID,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        try await onLookUp(.id(id), storefront)
    }

    /// Calls ``onLookUp``.
    public func lookUp(
        _ bundleID: AppStore.BundleID,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        try await onLookUp(.bundleID(bundleID), storefront)
    }

    /// Calls ``onSearch``.
    public func search(
        for term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront,
        limit: Int
    ) async throws(BrowseError) -> Page<AppStore.App> {
        try await onSearch(term, storefront, limit)
    }
}
