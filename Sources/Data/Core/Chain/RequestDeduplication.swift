import BrowseDomain
import Synchronization

/// Sends equal concurrent reads once; waiters cancel independently.
///
/// Reads are equal if they differ at most in priority. A response knows only changes that ended
/// before its request was sent, so the begin and the end of an account's change both end the
/// joining of its reads in flight, and of the loads of screens that sent them.
final class RequestDeduplication: HTTPMiddleware {
    /// Called when a read joins another, which can raise the priority of a request that waits.
    private let didJoin: @Sendable () -> Void
    private let work = TaskCoalescer<HTTPClient.Request, HTTPClient.Response>()
    /// The loads of screens that have sent reads, once for each account.
    let loads = Mutex<[(account: String?, load: CoalescedLoad)]>([])

    init(didJoin: @escaping @Sendable () -> Void = {}) { self.didJoin = didJoin }

    func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError) -> HTTPClient.Response {
        guard request.isRead else {
            endJoining(of: request.account)
            defer { endJoining(of: request.account) }
            return try await next(request)
        }
        for load in CoalescedLoad.current {
            loads.withLock { loads in
                loads.removeAll { !$0.load.isCurrent || $0.load === load && $0.account == request.account }
                loads.append((request.account, load))
            }
        }
        // Requests of an unknown account could be anybody's.
        guard !request.isAuthorized || request.account?.isEmpty == false else { return try await next(request) }
        var key = request
        key.options.priority = .visible
        key.options.sharedPriority = nil
        return try await work.value(for: key, request.options) { [didJoin] in
            ExchangeTrace.note(.joined)
            didJoin()
        } _: { priority throws(BrowseError) in
            try await next(modified(request) { $0.options.sharedPriority = priority })
        }
    }

    private func endJoining(of account: String?) {
        work.endJoining { $0.account == account }
        loads.withLock { for entry in $0 where entry.account == account { entry.load.setOutdated() } }
    }
}
