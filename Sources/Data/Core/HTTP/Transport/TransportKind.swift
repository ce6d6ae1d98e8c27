/// The implementation that performs requests.
public enum TransportKind: Hashable, Sendable {
    /// `CurlTransport` on Linux with glibc, ``URLSessionTransport`` on all other platforms.
    case platformDefault
    /// ``URLSessionTransport``; on Linux, some responses crash the process (see Docs/Decisions/0021).
    case urlSession

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: The maximum number of connections to one host, 1 to 100.
    ///   - clock: Measures ``HTTPLimits/duration``.
    public func makeTransport(
        connectionsPerHost: Int = 8,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> any HTTPTransport {
        #if canImport(Glibc) && canImport(CBrowseCurl)
        if self == .platformDefault { return CurlTransport(connectionsPerHost: connectionsPerHost, clock: clock) }
        #endif
        return URLSessionTransport(connectionsPerHost: connectionsPerHost, clock: clock)
    }
}
