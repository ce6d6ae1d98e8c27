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
    ///   - transport: Performs the requests; by default, one of its own. Clients can share one, with its connections.
    ///   - cache: The cache of responses; `nil` caches nothing.
    ///   - tokens: Provides the signed-in account's token before each request; `nil` sends none.
    ///   - field: The field of the token.
    ///   - gate: The rate limits; `nil` creates a gate, which learns them from responses.
    ///   - middleware: Runs before the token is added. If one adds credentials itself, it must set `HTTPRequest.account`;
    ///     declare its field in ``Service/credentialFields``.
    ///   - options: The limits, retries, observers, and clock.
    public static func standard(
        _ service: Service,
        transport: any HTTPTransport = TransportKind.platformDefault.makeTransport(),
        cache: ResponseCache? = nil,
        tokens: (any AccessTokens)? = nil,
        in field: TokenField = .bearer,
        gate: RateLimitGate? = nil,
        middleware: [any HTTPMiddleware] = [],
        options: Options = Options()
    ) -> HTTPClient {
        let gate = gate ?? RateLimitGate(service: service, now: options.now, clock: options.clock)
        return HTTPClient(
            service: service,
            transport: transport,
            middleware: middleware,
            tokens: tokens,
            in: field,
            shared: standardMiddleware(for: service, cache: cache, gate: gate, options: options),
            options: options
        )
    }

    /// Creates a client whose shared middleware is between those that add and check the token.
    package convenience init(
        service: Service,
        transport: any HTTPTransport,
        middleware: [any HTTPMiddleware],
        tokens: (any AccessTokens)?,
        in field: TokenField,
        shared: [any HTTPMiddleware],
        options: Options
    ) {
        var (service, middleware) = (service, middleware)
        service.carriesSecrets = service.carriesSecrets ?? (tokens != nil)
        if let tokens { middleware.append(Authorization(for: service.baseURL, tokens: tokens, in: field)) }
        middleware += shared
        if let tokens { middleware.append(TokenCheck(tokens: tokens, in: field)) }
        self.init(service: service, transport: transport, middleware: middleware, options: options)
    }

    /// Creates the middleware that several clients can share; Docs/Architecture.md explains the order.
    package static func standardMiddleware(
        for service: Service,
        cache: ResponseCache?,
        gate: RateLimitGate,
        options: Options
    ) -> [any HTTPMiddleware] {
        [RequestDeduplication()] + (cache.map { [ConditionalCache($0, serviceHeaders: service.headers)] } ?? []) + [
            Retry(options.retries, service: service, now: options.now, clock: options.clock), gate,
            ConcurrencyLimit(options.requestConcurrency.clamped(to: .requestsInFlight), clock: options.clock),
        ]
    }

    /// The limits, observers, and clock of a client.
    public struct Options: Sendable {
        /// The size and time limits of every exchange.
        public var limits: HTTPLimits = HTTPLimits()
        /// The maximum total wait of a request for rate limits, unless its `LoadOptions` have another.
        public var longestWait: Duration = .zero
        /// Whether to respond only from the cache and send nothing.
        public var isOffline: Bool = false
        /// The observers of all requests.
        public var observers: [any HTTPObserver] = []
        /// Masks secrets in events and errors; clients that send the same secrets share one.
        public var redactor: SecretRedactor = SecretRedactor()
        /// Returns the current time.
        public var now: @Sendable () -> Date = { Date() }

        // The middleware of a standard client uses the following; a client with its own middleware ignores them.

        /// The maximum number of requests of a standard client in flight, 1 to 100.
        public var requestConcurrency: Int = 8
        /// The number and timing of a standard client's retries.
        public var retries: RetryPolicy = .standard
        /// Measures the time limits and waits of a standard client.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Creates the default options, and changes them.
        public init(_ change: (inout Options) -> Void = { _ in }) { change(&self) }
    }
}
