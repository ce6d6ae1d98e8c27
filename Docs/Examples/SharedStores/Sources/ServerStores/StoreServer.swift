/// A server that stores data for several processes, to be observed.
public struct StoreServer: Sendable {
    /// The name in logs and metrics: a lowercase word.
    public let name: String
    /// Returns whether it can be used.
    public let isReady: @Sendable () async -> Bool
    /// Returns the number of failed accesses so far.
    public let failureCount: @Sendable () -> Int

    /// Creates the description of a server.
    public init(
        _ name: String,
        isReady: @escaping @Sendable () async -> Bool,
        failureCount: @escaping @Sendable () -> Int
    ) {
        self.name = name
        self.isReady = isReady
        self.failureCount = failureCount
    }
}
