public import BrowseData
import BrowseDomain

extension Container {
    /// Performs the requests of all clients and image loads; selected by ``Configuration/transport``.
    public var transport: Dependency<any HTTPTransport> {
        dependency(.shared) { container in
            let configuration = container.configuration
            return configuration.transport.makeTransport(
                connectionsPerHost: configuration.requestConcurrency,
                clock: configuration.clock
            )
        }
    }

    /// Masks secrets in events and errors; those of ``ServiceSettings/secrets`` and others that you add.
    public var secretRedactor: Dependency<SecretRedactor> {
        dependency(.singleton) { container in
            let redactor = SecretRedactor()
            for secret in container.configuration.serviceSettings.flatMap(\.secrets) { redactor.add(secret) }
            return redactor
        }
    }

    /// The cache of responses.
    public var responseCache: Dependency<ResponseCache> {
        dependency(.shared) { container in
            let configuration = container.configuration
            return ResponseCache(
                folder: configuration.responseFolder,
                byteLimit: configuration.cacheByteLimit,
                now: configuration.now,
                clock: configuration.clock
            )
        }
    }

    /// Creates a gate, which learns the rate limits from responses.
    ///
    /// Declare it with the scope ``Scope/shared``, because the middleware that users share contains it.
    public func gate(of service: HTTPClient.Service) -> RateLimitGate {
        RateLimitGate(service: service, now: configuration.now, clock: configuration.clock)
    }

    /// Creates a client of any service, with all middleware.
    ///
    /// ```swift
    /// extension Container {
    ///     var bookClient: Dependency<HTTPClient> {
    ///         dependency(.singleton) { $0.client(of: .json(baseURL: library, userAgent: "Books (me@example.com)")) }
    ///     }
    /// }
    /// ```
    ///
    /// The client deduplicates requests, caches, retries, waits for rate limits, and limits the number of requests in flight.
    /// Use one client per service: clients with different gates count their requests separately. Declare a client that sends no
    /// user's token with the scope ``Scope/shared``. Declare one with users' tokens as a singleton: the clients of this
    /// dependency in all users' containers share everything but the tokens.
    ///
    /// - Parameters:
    ///   - service: The base URL, the header fields, and the mapping of errors.
    ///   - gate: The rate limits; `nil` creates a gate, which learns them from responses.
    ///   - tokens: Provides the signed-in account's token before each request; `nil` sends none. The base URL must use https or be
    ///     on this device.
    ///   - field: The field of the token.
    ///   - middleware: Runs before the token is added and before the shared middleware. If one adds credentials itself, it must
    ///     set `HTTPRequest.account`; declare its field in `credentialFields`.
    public func client(
        of service: HTTPClient.Service,
        gate: RateLimitGate? = nil,
        tokens: (any AccessTokens)? = nil,
        in field: TokenField = .bearer,
        middleware: [any HTTPMiddleware] = []
    ) -> HTTPClient {
        HTTPClient(
            service: service,
            transport: transport(),
            middleware: middleware,
            tokens: tokens,
            in: field,
            shared: sharedMiddleware(of: service, gate: gate),
            options: clientOptions
        )
    }

    /// Returns the middleware of the client of a slot, which that slot has in the containers of all users.
    ///
    /// It works for any number of accounts: it deduplicates, caches, retries, and limits requests by account.
    private func sharedMiddleware(of service: HTTPClient.Service, gate: RateLimitGate?) -> [any HTTPMiddleware] {
        // Outside of a slot's factory, the client is the only one. What overrides a slot of one user isn't for all.
        guard let slot, user == nil || !storage.isOverridden(slot) else { return middleware(of: service, gate: gate) }
        let shared: Dependency<SharedMiddleware> = dependency(
            .shared,
            name: "\(slot.name) \(service.baseURL)",
            file: slot.file
        ) {
            let gate = gate ?? $0.gate(of: service)
            return SharedMiddleware(headers: service.headers, gate: gate, chain: $0.middleware(of: service, gate: gate))
        }
        let first = shared()
        // The cache tells responses apart by tokens, not by the service's own header fields, such as a key in them.
        let isSame = first.headers == service.headers && (gate == nil || gate === first.gate)
        return isSame ? first.chain : middleware(of: service, gate: gate)
    }

    private func middleware(of service: HTTPClient.Service, gate: RateLimitGate?) -> [any HTTPMiddleware] {
        HTTPClient.standardMiddleware(
            for: service,
            cache: responseCache(),
            gate: gate ?? self.gate(of: service),
            options: clientOptions
        )
    }

    /// Creates a client without middleware.
    ///
    /// It sends each request once, and keeps no response: for requests that carry credentials of their own, such as those of an
    /// OAuth app.
    public func plainClient(of service: HTTPClient.Service) -> HTTPClient {
        HTTPClient(service: service, transport: transport(), options: clientOptions)
    }

    private var clientOptions: HTTPClient.Options {
        HTTPClient.Options {
            $0.limits = configuration.limits
            $0.longestWait = configuration.longestWait
            $0.isOffline = configuration.loadPolicy == .offline
            $0.observers = configuration.observers
            $0.redactor = secretRedactor()
            $0.requestConcurrency = configuration.requestConcurrency
            $0.retries = configuration.retries
            $0.now = configuration.now
            $0.clock = configuration.clock
        }
    }
}

/// The middleware of a slot's first client, with what another client must have in common with it.
private struct SharedMiddleware: Sendable {
    let headers: HTTPHeaders
    let gate: RateLimitGate
    let chain: [any HTTPMiddleware]
}
