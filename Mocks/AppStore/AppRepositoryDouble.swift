public import BrowseAppStoreDomain
public import BrowseCoreMocks
public import BrowseDomain

/// An app repository whose results a test sets as closures; see `RepositoryDouble`.
public struct AppRepositoryDouble: AppStore.AppRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A lookup by ID or bundle identifier.
        case lookUp(AppStore.AppReference, in: AppStore.Storefront)
        /// A search.
        case search(AppStore.SearchTerm, in: AppStore.Storefront, limit: Int)
    }

    /// Performs ``lookUp(_:in:)``.
    public var onLookUp:
        @Sendable (AppStore.AppReference, AppStore.Storefront) async throws(BrowseError) -> AppStore.App
    /// Performs ``search(for:in:limit:)``.
    public var onSearch:
        @Sendable (AppStore.SearchTerm, AppStore.Storefront, Int) async throws(BrowseError) -> Page<AppStore.App>

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onLookUp = { _, _ throws(BrowseError) in throw await error("onLookUp", 2) }
        onSearch = { _, _, _ throws(BrowseError) in throw await error("onSearch", 3) }
    }

    /// Creates a double; closures that are `nil` aren't set.
    public init(
        onLookUp: (
            @Sendable (AppStore.AppReference, AppStore.Storefront) async throws(BrowseError) -> AppStore.App
        )? = nil,
        onSearch: (
            @Sendable (AppStore.SearchTerm, AppStore.Storefront, Int) async throws(BrowseError) -> Page<AppStore.App>
        )? = nil
    ) {
        self.init(throwing: Self.notSet)
        if let onLookUp { self.onLookUp = onLookUp }
        if let onSearch { self.onSearch = onSearch }
    }

    /// Creates a double that forwards calls.
    public init(over repository: any AppStore.AppRepository) {
        onLookUp = { reference, storefront throws(BrowseError) in
            try await repository.lookUp(reference, in: storefront)
        }
        onSearch = { term, storefront, limit throws(BrowseError) in
            try await repository.search(for: term, in: storefront, limit: limit)
        }
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// A lookup returns the first app of the response, or throws `.notFound`.
    public static func controlled(by responses: ControlledResponses<Request, Page<AppStore.App>>) -> Self {
        Self(
            onLookUp: { reference, storefront throws(BrowseError) in
                try await responses.response(to: .lookUp(reference, in: storefront)).first(for: reportedName)
            },
            onSearch: { term, storefront, limit throws(BrowseError) in
                try await responses.response(to: .search(term, in: storefront, limit: limit))
            }
        )
    }

    /// Calls ``onLookUp``.
    public func lookUp(
        _ reference: AppStore.AppReference,
        in storefront: AppStore.Storefront
    ) async throws(BrowseError) -> AppStore.App {
        try await onLookUp(reference, storefront)
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
