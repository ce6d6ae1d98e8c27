import BrowseDomain
public import Foundation

extension HTTPClient {
    /// Creates a client with all middleware.
    ///
    /// It adds the token, deduplicates requests, caches, retries, waits for rate limits, and limits the number of requests in
    /// flight. Use one client per service: clients with different gates count their requests separately. An invalid service
    /// makes all requests fail; see ``Service/validate()``.
    ///
    /// - Parameters:
    ///   - service: The base URL, the header fields, and the mapping of errors.
    ///   - transport: Performs the requests.
    ///   - cache: The cache of responses; `nil` caches nothing.
    ///   - tokens: Provides the signed-in account's token before each request; `nil` sends none.
    ///   - field: The field of the token.
    ///   - gate: The rate limits; `nil` creates a gate, which learns them from responses.
    ///   - middleware: Runs before the token is added. If one adds credentials itself, it must set `HTTPRequest.account`, or
    ///     responses aren't cached.
    ///   - requestConcurrency: The maximum number of requests in flight, 1 to 100.
    ///   - retries: The number and timing of retries.
    ///   - limits: The size and time limits of every exchange.
    ///   - longestWait: The maximum total wait of a request for rate limits, unless its `LoadOptions` have another.
    ///   - isOffline: Whether to respond only from the cache and send nothing.
    ///   - observers: The observers of all requests.
    ///   - redactor: Masks secrets in events and errors.
    ///   - now: Returns the current time.
    ///   - clock: Measures time limits and waits.
    public static func standard(
        _ service: Service,
        transport: any HTTPTransport,
        cache: ResponseCache?,
        tokens: (any AccessTokens)? = nil,
        in field: TokenField = .bearer,
        gate: RateLimitGate? = nil,
        middleware: [any HTTPMiddleware] = [],
        requestConcurrency: Int = 8,
        retries: RetryPolicy = RetryPolicy(),
        limits: HTTPLimits = HTTPLimits(),
        longestWait: Duration = .zero,
        isOffline: Bool = false,
        observers: [any HTTPObserver] = [],
        redactor: SecretRedactor = SecretRedactor(),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) -> HTTPClient {
        var service = service
        if tokens != nil { service.carriesSecrets = true }
        let authorization = tokens.map { [Authorization(for: service.baseURL, tokens: $0, in: field)] } ?? []
        let check = (tokens as? StoredTokenRepository).map { [TokenCheck(tokens: $0, in: field)] } ?? []
        return HTTPClient(
            service: service,
            transport: transport,
            middleware: middleware + authorization
                + standardMiddleware(
                    for: service,
                    cache: cache,
                    gate: gate ?? RateLimitGate(service: service, now: now, clock: clock),
                    requestConcurrency: requestConcurrency,
                    retries: retries,
                    now: now,
                    clock: clock
                ) + check,
            limits: limits,
            longestWait: longestWait,
            isOffline: isOffline,
            observers: observers,
            redactor: redactor,
            now: now
        )
    }

    /// Creates the middleware that several clients can share; Docs/Architecture.md explains the order.
    package static func standardMiddleware(
        for service: Service,
        cache: ResponseCache?,
        gate: RateLimitGate,
        requestConcurrency: Int,
        retries: RetryPolicy,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>
    ) -> [any HTTPMiddleware] {
        [RequestDeduplication()] + (cache.map { [ConditionalCache($0, serviceHeaders: service.headers)] } ?? []) + [
            Retry(retries, service: service, now: now, clock: clock), gate,
            ConcurrencyLimit(min(max(1, requestConcurrency), 100), clock: clock),
        ]
    }
}
