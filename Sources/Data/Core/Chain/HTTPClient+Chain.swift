import BrowseDomain
public import Foundation

extension HTTPClient {
    /// Creates a client with all middleware.
    ///
    /// It adds the token, deduplicates requests, caches, retries, counts rate limits, and limits
    /// the number of requests in flight. An invalid service makes all requests fail; see
    /// ``Service/validate()``.
    ///
    /// - Parameters:
    ///   - service: The base URL, the header fields, and the mapping of errors.
    ///   - transport: Performs the requests; by default, one of its own. Clients can share one,
    ///     with its connections.
    ///   - cache: The cache of responses; `nil` caches nothing.
    ///   - tokens: Provides the signed-in account's token before each request; `nil` sends none.
    ///   - field: The field of the token.
    ///   - shared: The middleware that other clients of the service use, too; `nil` creates it.
    ///   - middleware: Runs before the token is added. If one adds credentials itself, it must set
    ///     `HTTPClient.Request.account`; declare its field in ``Service/credentialFields``.
    ///   - options: The limits, retries, observers, and clock.
    public static func standard(
        _ service: Service,
        transport: any HTTPTransport = HTTPClient.makeTransport(),
        cache: ResponseCache? = nil,
        tokens: (any AccessTokens)? = nil,
        in field: TokenField = .bearer,
        shared: SharedMiddleware? = nil,
        middleware: [any HTTPMiddleware] = [],
        options: Options = Options()
    ) -> HTTPClient {
        let service = modified(service) { $0.carriesSecrets = $0.carriesSecrets ?? (tokens != nil) }
        let shared = shared ?? SharedMiddleware(of: service, options: options)
        let authorization = tokens.map { Authorization(tokens: $0, in: field) }
        // In the order in which requests pass it. Docs/Architecture.md describes what each one
        // does.
        let chain: [[any HTTPMiddleware]] = [
            // The app's own, which sees what the app requests: each call once, whether it's sent,
            // joined, or cached.
            middleware,
            // Sets the account, by which everything below tells requests apart.
            tokens.map { [RequestAccount(for: service.baseURL, tokens: $0)] } ?? [],
            // Equal requests share the lookup in the cache, too.
            [shared.deduplication],
            // A cached response needs no attempt and counts against no limit.
            cache.map {
                [ConditionalCache($0, serviceHeaders: service.headers, credentialNames: service.credentialNames)]
            } ?? [],
            // Each attempt counts against the limits, and the pause before it occupies no slot.
            [Retry(policy: options.retries, now: options.now, clock: options.clock)],
            // A refresh occupies none, either, nor does the time that a new token needs.
            authorization.map { [TokenRenewal(for: $0)] } ?? [],
            [shared.slots],
            // Requests that waited for a slot aren't sent after a refusal.
            [shared.rateLimits],
            // A request can wait for its slot longer than its token lasts.
            authorization.map { [$0] } ?? [],
        ]
        return HTTPClient(
            service: service,
            transport: transport,
            middleware: chain.flatMap(\.self),
            options: options
        )
    }

    /// The middleware that the clients of one service share, such as those of different accounts.
    ///
    /// Through it, equal requests are sent once, and the requests of all clients count against the
    /// same limits.
    public struct SharedMiddleware: Sendable {
        /// The rate limits of the service, by account.
        package let rateLimits: RateLimitGate
        fileprivate let deduplication: RequestDeduplication
        fileprivate let slots: RequestSlots

        /// Creates the middleware without known rate limits.
        ///
        /// - Parameters:
        ///   - service: Recognizes responses that mean an exhausted rate limit.
        ///   - options: The number of requests in flight, and the clock.
        public init(of service: Service, options: Options = Options()) {
            rateLimits = RateLimitGate(service: service, now: options.now, clock: options.clock)
            slots = RequestSlots(options.requestConcurrency.clamped(to: .requestsInFlight))
            deduplication = RequestDeduplication(didJoin: slots.reconsider)
        }
    }

    /// The limits, observers, and clock of a client.
    public struct Options: Sendable {
        /// The size and time limits of every exchange.
        public var limits: HTTPLimits = HTTPLimits()
        /// Whether to respond only from the cache and send nothing.
        public var isOffline: Bool = false
        /// The observers of all requests.
        public var observers: [any HTTPObserver] = []
        /// Returns the current time.
        public var now: @Sendable () -> Date = { Date() }

        // The middleware of a standard client uses the following; a client with its own middleware
        // ignores them.

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
