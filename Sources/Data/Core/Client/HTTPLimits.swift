/// The limits of an exchange.
public struct HTTPLimits: Hashable, Sendable {
    /// The maximum size of a response body in bytes after decompression.
    public var bodyBytes: Int
    /// The maximum time until the response is complete, including redirects; at most 1,000,000
    /// seconds.
    public var duration: Duration
    /// The maximum number of redirects, 5 by default; 0 refuses them.
    public var redirects: Int = 5

    /// Creates limits; by default 8 MiB and 15 seconds.
    ///
    /// For comparison, a page of 100 followers has 0.1 MB.
    public init(bodyBytes: Int = 8 << 20, duration: Duration = .seconds(15)) {
        self.bodyBytes = bodyBytes
        self.duration = duration
    }
}
