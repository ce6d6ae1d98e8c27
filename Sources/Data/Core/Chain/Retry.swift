import BrowseDomain
import Foundation
import Synchronization

/// Retries requests after temporary failures, if they are safe to repeat.
///
/// Temporary failures are lost or refused connections, time-outs, and the statuses 408 and 5xx
/// except 501 and 505, also of a proxy. A longer `Retry-After` replaces the delay. The policy's
/// deadline also limits requests that aren't retried.
struct Retry: HTTPMiddleware {
    var policy: RetryPolicy = .standard
    var now: @Sendable () -> Date = { Date() }
    var clock: any Clock<Duration> = ContinuousClock()
    /// Returns numbers from 0 to 1.
    var random: @Sendable () -> Double = { .random(in: 0...1) }

    func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError) -> HTTPClient.Response {
        // A request that isn't sent needs no token, slot, or limit.
        guard request.options.source != .cacheOnly else { throw .unreachable(.notCached, request.info) }
        var request = request
        request.deadline = Deadline(policy.deadline, by: clock)
        var attempt = 1
        var lost: Result<HTTPClient.Response, BrowseError>?
        while true {
            let result = await Result.of { [request] () throws(BrowseError) in
                try await next(request.limitedToDeadline())
            }
            attempt += 1
            // A later failure, rate limit, or conflict must not hide that the server may have made
            // the change, although its response didn't arrive or reports its own failure.
            switch result {
            case _ where request.isRead: break
            case .failure(.timedOut), .failure(.unreachable(.connectionLost, _)): lost = result
            case .success(let response) where Self.isOutage(response.status) && lost?.failure == nil: lost = result
            default: break
            }
            guard let delay = delay(after: result, before: attempt, of: request) else {
                // An earlier attempt may have succeeded if the server failed, or refused to look. A
                // conflict can be with that attempt (RFC 9110, section 13.1.1).
                let status = (try? result.get())?.status ?? 500
                if let lost, result.failure != .cancelled, status >= 500 || [403, 409, 412, 429].contains(status) {
                    return try lost.get()
                }
                return try result.get()
            }
            ExchangeTrace.note(.retrying(attempt: attempt, after: delay))
            guard await clock.pause(delay, before: "a retry of \(request.endpoint)") else { throw .cancelled }
        }
    }

    /// Whether a status reports that the server, rather than a network, fails for a while.
    ///
    /// An unknown 5xx, such as a gateway's 522, counts as 500 (RFC 9110, section 15).
    static func isOutage(_ status: Int?) -> Bool { status.map { $0 >= 500 && ![501, 505, 511].contains($0) } ?? false }

    /// Returns the delay before another attempt; `nil` if there is none.
    private func delay(
        after result: Result<HTTPClient.Response, BrowseError>,
        before attempt: Int,
        of request: HTTPClient.Request
    ) -> Duration? {
        guard request.isSafeToRepeat, attempt <= policy.attempts else { return nil }
        var delay = policy.delay(before: attempt, fraction: random())
        switch result {
        case .failure(.timedOut), .failure(.unreachable(.connectionLost, _)),
            .failure(.unreachable(.connectionRefused, _)):
            break
        case .failure(.unreachable(.intercepted, let info)) where info.status == 408: break
        case .failure:
            return nil
        case .success(let response):
            guard response.status == 408 || Self.isOutage(response.status) else { return nil }
            let retryAt = RetryAfter.date(response.headers, now: now())
            delay = max(delay, .clampedSeconds(retryAt?.timeIntervalSince(now()) ?? 0))
        }
        return delay < request.deadline?.remaining ?? .zero ? delay : nil
    }

    /// The total time limit of a request and its retries.
    final class Deadline: Hashable, Sendable {
        private let limit: Mutex<Duration>
        private let elapsed: @Sendable () -> Duration

        init(_ limit: Duration, by clock: any Clock<Duration>) {
            self.limit = Mutex(limit)
            elapsed = clock.stopwatch()
        }

        /// The time left; zero or negative after the limit.
        var remaining: Duration { limit.withLock { $0 } - elapsed() }

        /// Sets the time left.
        func restore(_ time: Duration) { limit.withLock { $0 = elapsed() + time } }

        static func == (one: Deadline, other: Deadline) -> Bool { one === other }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension HTTPClient.Request {
    /// Returns the request with its exchange limited to the time until its deadline.
    ///
    /// - Throws: `.timedOut` if no time is left.
    func limitedToDeadline() throws(BrowseError) -> HTTPClient.Request {
        guard let deadline else { return self }
        let remaining = deadline.remaining
        guard remaining > .zero else { throw .timedOut(info) }
        guard remaining < limits.duration else { return self }
        return modified(self) { $0.limits.duration = remaining }
    }
}
