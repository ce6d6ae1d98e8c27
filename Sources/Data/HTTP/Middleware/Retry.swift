public import BrowseDomain
public import Foundation

/// How often and how soon a request that came to nothing is sent again.
public struct RetryPolicy: Hashable, Sendable {
    /// The most times a request is sent; 1 never sends it again.
    public var attempts: Int
    /// The longest wait before the second time; it doubles for each further one, up to ``longestDelay``.
    public var firstDelay: Duration
    /// The longest wait of all that are not the server's wish.
    public var longestDelay: Duration
    /// The total time limit of a request, from its first attempt to the end of its last one, with all waits.
    ///
    /// A wait that would go beyond it isn't begun. The ``RateLimitGate``'s waits aren't counted: the patience of the request
    /// bounds them.
    public var deadline: Duration

    /// Creates a policy; fewer attempts than 1 are raised to that, negative times to none.
    public init(
        attempts: Int = 3,
        firstDelay: Duration = .milliseconds(500),
        longestDelay: Duration = .seconds(8),
        deadline: Duration = .seconds(60)
    ) {
        self.attempts = max(1, attempts)
        self.firstDelay = max(.zero, firstDelay)
        self.longestDelay = max(.zero, longestDelay)
        self.deadline = max(.zero, deadline)
    }

    /// Nothing is sent again.
    public static let never: RetryPolicy = RetryPolicy(attempts: 1)

    /// The wait before an attempt.
    ///
    /// - Parameters:
    ///   - attempt: Which, from 2.
    ///   - fraction: Where in the range it lies, 0 to 1: "full jitter", so that those who failed together do not come back
    ///     together (Brooker, "Exponential Backoff And Jitter").
    func delay(before attempt: Int, fraction: Double) -> Duration {
        var longest = firstDelay
        for _ in 2..<max(2, attempt) where longest < longestDelay { longest *= 2 }
        return min(longest, longestDelay) * min(max(0, fraction), 1)
    }
}

/// Sends a request again that came to nothing for a reason that may pass, when that is safe.
///
/// Reasons that may pass are a lost or refused connection, a time limit, and the statuses 408, 500, 502, 503 and 504. A
/// `Retry-After` is waited for when it is longer. A response that says that a budget is used up is tried again when the
/// options have the patience; the ``RateLimitGate`` after this one does the waiting. The policy's deadline bounds every
/// attempt, also of requests that aren't sent again.
public final class Retry: HTTPMiddleware {
    private let policy: RetryPolicy
    private let service: HTTPClient.Service
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> Double

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - policy: How often and how soon.
    ///   - service: Tells which responses mean that a budget is used up.
    ///   - now: The current time, for a `Retry-After` that is a date.
    ///   - clock: Measures waits and the deadline.
    ///   - random: Numbers from 0 to 1.
    public init(
        _ policy: RetryPolicy = RetryPolicy(),
        service: HTTPClient.Service,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.policy = policy
        self.service = service
        self.now = now
        self.clock = clock
        self.random = random
    }

    /// Hands the request on, and again while it comes to nothing.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let request = request.starting(RequestDeadline(policy.deadline, by: clock))
        let first = await attempt(request, next)
        guard let delay = delay(after: first, before: 2, of: request) else { return try first.get() }
        return try await sendAgain(request, after: delay, next)
    }

    private func attempt(
        _ request: HTTPRequest,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async -> Result<HTTPResponse, BrowseError> {
        do throws(BrowseError) {
            let response = try await next(request.deadline.map(request.limited) ?? request)
            return .success(response)
        } catch {
            return .failure(error)
        }
    }

    // These aren't inlined, so that the frame of a request that waits has no room for what they use.

    @inline(never)
    private func sendAgain(
        _ request: HTTPRequest,
        after delay: Duration,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        var delay = delay
        for number in 2... {
            ExchangeTrace.note(.retrying(attempt: number, after: delay))
            guard (try? await clock.sleep(for: delay)) != nil else { throw .cancelled }
            let result = await attempt(request, next)
            guard let further = self.delay(after: result, before: number + 1, of: request) else {
                return try result.get()
            }
            delay = further
        }
        throw .cancelled
    }

    /// How long to wait before another attempt; `nil` when there is to be none.
    @inline(never)
    private func delay(
        after result: Result<HTTPResponse, BrowseError>,
        before attempt: Int,
        of request: HTTPRequest
    ) -> Duration? {
        guard request.isSafeToRepeat, attempt <= policy.attempts,
            let delay = wish(after: result, before: attempt, of: request),
            delay < request.deadline?.remaining ?? .zero
        else { return nil }
        return delay
    }

    private func wish(
        after result: Result<HTTPResponse, BrowseError>,
        before attempt: Int,
        of request: HTTPRequest
    ) -> Duration? {
        let own = policy.delay(before: attempt, fraction: random())
        switch result {
        case .failure(.timedOut), .failure(.unreachable(.connectionLost, _)),
            .failure(.unreachable(.connectionRefused, _)):
            return own
        case .failure:
            return nil
        case .success(let response):
            if let limit = service.rateLimit(of: response, now: now()) {
                let wait = Duration.seconds(max(0, limit.retryAt.timeIntervalSince(now())))
                guard wait <= request.patience - (request.deadline?.waitedForRateLimit ?? .zero) else { return nil }
                // Where there is a budget, the gate waits; but no gate waits for a time that has passed.
                return request.bucket == nil || wait == .zero ? max(own, wait) : .zero
            }
            guard [408, 500, 502, 503, 504].contains(response.status) else { return nil }
            let wish = RetryAfter.date(response.headers, now: now())
            return max(own, .seconds(wish?.timeIntervalSince(now()) ?? 0))
        }
    }
}
