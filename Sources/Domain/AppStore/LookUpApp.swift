extension AppStore {
    /// Looks up one app by its reference.
    ///
    /// Text is validated when it becomes an ``AppReference``, so invalid text causes no request. ``BrowseError/notFound(_:)``
    /// always means that the store responded and doesn't have the app.
    public struct LookUpApp: Sendable {
        private let repository: any AppRepository

        /// Creates a use case.
        public init(repository: any AppRepository) {
            self.repository = repository
        }

        /// Returns the app in the store of one country.
        ///
        /// - Throws: ``BrowseError``: `.notFound` if the store doesn't have the app, or returns another one; other errors of
        ///   ``AppRepository``.
        public func callAsFunction(
            _ reference: AppReference,
            in storefront: Storefront = Storefront()
        ) async throws(BrowseError) -> App {
            switch reference {
            case .id(let id): try await repository.lookUp(id, in: storefront)
            case .bundleID(let bundleID): try await repository.lookUp(bundleID, in: storefront)
            }
        }
    }
}
