extension AppStore {
    /// Finds the one app that a person named.
    ///
    /// A text is checked when it becomes an ``AppReference``, so that one which names no app never gets here and nothing is
    /// sent for it. What may go wrong afterwards stays apart: ``BrowseError/notFound(_:)`` means that the shop answered and
    /// has no such app, and no other error does.
    public struct LookUpApp: Sendable {
        private let repository: any AppRepository

        /// Creates the rule.
        public init(repository: any AppRepository) {
            self.repository = repository
        }

        /// The app in the shop of one country.
        ///
        /// - Throws: ``BrowseError``: `.notFound` when the shop of that country has no such app, or hands out another one;
        ///   `.rateLimited`, `.unreachable`, `.unusableResponse` and the others as they are; `.cancelled` when the caller was
        ///   canceled.
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
