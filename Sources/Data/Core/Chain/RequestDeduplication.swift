import BrowseDomain

/// Sends equal concurrent reads once; waiters cancel independently.
///
/// Reads are equal if they differ at most in priority.
struct RequestDeduplication: HTTPMiddleware {
    /// Called when a read joins another, which can raise the priority of a request that waits.
    var didJoin: @Sendable () -> Void = {}
    private let work = TaskCoalescer<HTTPClient.Request, HTTPClient.Response>()

    func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError) -> HTTPClient.Response {
        // Requests of an unknown account could be anybody's.
        guard request.method == .get, request.body == nil, !request.isAuthorized || request.account?.isEmpty == false
        else { return try await next(request) }
        var key = request
        key.options.priority = .visible
        key.options.sharedPriority = nil
        return try await work.value(for: key, request.options) {
            ExchangeTrace.note(.joined)
            didJoin()
        } _: { priority throws(BrowseError) in
            var shared = request
            shared.options.sharedPriority = priority
            return try await next(shared)
        }
    }
}
