public import BrowseDomain

/// Sends equal reads that are wanted at the same time once; each who waits may be canceled for themselves.
///
/// Reads are equal when everything about them is but for their priority: address, header fields, account, options.
public struct RequestDeduplication: HTTPMiddleware {
    private let work = TaskCoalescer<HTTPRequest, HTTPResponse>()

    /// Creates the middleware.
    public init() {}

    /// Hands the request on, or waits for an equal one that is on its way.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        guard request.method == .get, request.body == nil else { return try await next(request) }
        return try await work.value(for: key(for: request), priority: request.options.priority) {
            ExchangeTrace.note(.joined)
        } _: { () throws(BrowseError) in
            var response = try await next(request)
            response.decoding = SharedDecoding()
            return response
        }
    }

    /// The request as it is compared.
    ///
    /// Not inlined, so that the frame of a request that waits has no room for what it uses.
    @inline(never)
    private func key(for request: HTTPRequest) -> HTTPRequest {
        var key = request
        key.options.priority = .visible
        return key
    }
}
