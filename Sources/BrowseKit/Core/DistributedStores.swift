public import BrowseData

/// The stores that the processes of a server share, in addition to those of tokens and favorites.
///
/// Tokens and favorites belong to one user, so each user's container has its own. The containers of a process share the
/// middleware of their clients, so that each process has one queue for each rate limit.
public struct DistributedStores: Sendable {
    /// The responses; `nil` uses a file in the container's cache folder.
    public var responses: (any ResponseStore)?

    /// Creates a set of stores.
    public init(responses: (any ResponseStore)? = nil) {
        self.responses = responses
    }
}
