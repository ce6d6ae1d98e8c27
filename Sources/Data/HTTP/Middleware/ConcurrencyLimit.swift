public import BrowseDomain

/// Bounds how many requests are on the wire at once; the others wait, visible ones before prefetched ones, then by age.
///
/// The last free place is for one that is visible when it begins, unless there is only one.
public struct ConcurrencyLimit: HTTPMiddleware {
    private let lanes: Lanes

    /// Creates the middleware.
    ///
    /// - Parameter count: How many at once; below 1 is raised to that.
    public init(_ count: Int) {
        lanes = Lanes(count: count)
    }

    /// Hands the request on when its turn has come.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        try await lanes.pass(.current(or: request.options.priority)) {
            ExchangeTrace.note(.waiting(.lane))
        } _: { () throws(BrowseError) in
            try await next(request)
        }
    }
}
