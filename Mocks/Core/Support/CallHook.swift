public import BrowseDomain

/// Runs before each call of an in-memory repository.
///
/// It throws to fail the call, suspends to delay it, and returns `nil` for the repository's own
/// result. A value that it returns replaces the result of a read, even of a canceled one; writes
/// ignore it.
///
/// ``ControlledResponses/response(to:)`` is a hook, with which a test decides when each call goes
/// on, and with which result:
///
/// ```swift
/// let held = ControlledResponses<InMemoryFavoriteRepository.Call, Page<Favorite>>()
/// let favorites = InMemoryFavoriteRepository(onCall: held.response)
/// ```
public typealias CallHook<Call, Answer> = @Sendable (_ call: Call) async throws(BrowseError) -> Answer?

extension Page {
    /// Returns the first row, for a call that reads one.
    package func first(for endpoint: String) throws(BrowseError) -> Element {
        guard let first = items.first else { throw .notFound(BrowseError.RequestInfo(endpoint: endpoint)) }
        return first
    }
}
