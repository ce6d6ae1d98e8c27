import BrowseDomain

/// Sends equal concurrent reads once; waiters cancel independently.
///
/// Reads are equal if they differ at most in priority.
struct RequestDeduplication: HTTPMiddleware {
    private let work = TaskCoalescer<HTTPRequest, HTTPResponse>()

    func send(_ request: HTTPRequest, next: @escaping Next) async throws(BrowseError) -> HTTPResponse {
        guard request.method == .get, request.body == nil else { return try await next(request) }
        return try await work.value(for: key(for: request), priority: request.options.priority) {
            ExchangeTrace.note(.joined)
        } _: { () throws(BrowseError) in
            decodedOnce(try await next(request))
        }
    }

    // Not inlined, so that the frame of a waiting request needs no space for their values.

    /// Returns a response that all callers decode together.
    @inline(never)
    private func decodedOnce(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.decoding = response.decoding ?? CoalescedDecoding()
        return response
    }

    /// Returns the request without its priority, to compare it.
    @inline(never)
    private func key(for request: HTTPRequest) -> HTTPRequest {
        var key = request
        key.options.priority = .visible
        return key
    }
}
