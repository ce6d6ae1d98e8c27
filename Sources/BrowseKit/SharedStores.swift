public import BrowseData

/// The stores that the processes of a server share, in addition to those of tokens and favorites.
///
/// Tokens and favorites belong to one user, so each user's container has its own.
public struct SharedStores: Sendable {
    /// The rate limits; `nil` counts only the container's own requests.
    public var rateLimits: (any RateLimitStore)?

    /// Creates a set of stores.
    public init(rateLimits: (any RateLimitStore)? = nil) {
        self.rateLimits = rateLimits
    }
}
