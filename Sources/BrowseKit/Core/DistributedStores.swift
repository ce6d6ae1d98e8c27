public import BrowseData

/// The stores that the processes of a server share, in addition to those of tokens and favorites.
///
/// Tokens and favorites belong to one user, so each user's container has its own. The containers of a process share the
/// middleware of their clients, so that each process has one queue for each rate limit.
public struct DistributedStores: Sendable {
    /// The responses; `nil` uses a file in the container's cache folder.
    public var responses: (any ResponseStore)?
    /// The rate limits; `nil` counts only the container's own requests.
    public var rateLimits: (any RateLimitStore)?
    /// The longest wait of a request for the rate limits, by default a quarter of a second.
    ///
    /// Afterward, each process counts only its own requests, so that together they can exceed a limit.
    public var rateLimitTimeout: Duration

    /// Creates a set of stores.
    public init(
        responses: (any ResponseStore)? = nil,
        rateLimits: (any RateLimitStore)? = nil,
        rateLimitTimeout: Duration = .milliseconds(250)
    ) {
        self.responses = responses
        self.rateLimits = rateLimits
        self.rateLimitTimeout = rateLimitTimeout
    }
}
