public import BrowseData
import BrowseDomain

extension Container {
    /// Performs the requests of all clients and of images; ``Configuration/transport`` selects it.
    public var transport: Dependency<any HTTPTransport> {
        dependency(.singleton) { container in
            let configuration = container.configuration
            return configuration.transport.makeTransport(
                connectionsPerHost: configuration.requestConcurrency,
                clock: configuration.clock
            )
        }
    }

    /// Masks the secrets in use in events and errors; add keys of your own services to it.
    public var secretRedactor: Dependency<SecretRedactor> {
        dependency(.singleton) { container in
            let redactor = SecretRedactor()
            if let secret = container.configuration.gitHubApp?.clientSecret { redactor.add(secret) }
            if let token = container.configuration.gitHubToken { redactor.add(token) }
            return redactor
        }
    }

    /// Where responses are kept.
    public var responseCache: Dependency<ResponseCache> {
        dependency(.singleton) { container in
            let configuration = container.configuration
            return ResponseCache(
                folder: configuration.responseFolder,
                byteLimit: configuration.cacheByteLimit,
                now: configuration.now,
                clock: configuration.clock
            )
        }
    }

    /// The observers of the configuration, each with one queue for the events of all services.
    package var observers: Dependency<[any HTTPObserver]> {
        dependency(.singleton) { ObserverBuffer.buffering($0.configuration.observers) }
    }

    /// Waits until the observers have received every event so far, as before a process exits.
    ///
    /// An observer that blocks is waited for.
    public func flushEvents() async {
        for case let buffer as ObserverBuffer in observers() { await buffer.flush() }
    }

    /// The budgets of GitHub's API.
    public var gitHubGate: Dependency<RateLimitGate> {
        dependency(.singleton) { $0.gate(of: .gitHub($0.configuration)) }
    }

    /// The budgets of the Rick and Morty API.
    public var rickAndMortyGate: Dependency<RateLimitGate> {
        dependency(.singleton) { $0.gate(of: .rickAndMorty($0.configuration)) }
    }

    /// The budgets of the App Store's lookup.
    public var appStoreGate: Dependency<RateLimitGate> {
        dependency(.singleton) { $0.gate(of: .appStore($0.configuration)) }
    }

    private func gate(of service: HTTPClient.Service) -> RateLimitGate {
        RateLimitGate(service: service, now: configuration.now, clock: configuration.clock)
    }

    /// The transport, unless the configuration is invalid: then one that refuses every request.
    var usableTransport: any HTTPTransport {
        (try? configuration.validate()) == nil ? RefusingTransport() : transport()
    }

    /// Creates a client of any service, with the full chain of middleware.
    ///
    /// ```swift
    /// extension Container {
    ///     var bookClient: Dependency<HTTPClient> {
    ///         dependency(.singleton) { $0.client(of: .json(baseURL: library, userAgent: "Books (me@example.com)")) }
    ///     }
    /// }
    /// ```
    ///
    /// The client deduplicates requests, caches, retries, waits for rate limits, and bounds the number of requests in flight.
    /// Keep it in a singleton slot: clients of one service that don't share a gate don't know of each other's requests.
    ///
    /// - Parameters:
    ///   - service: The base URL, the headers, and the meaning of failures.
    ///   - gate: The rate limits; `nil` creates a gate, which learns them from responses.
    ///   - middleware: Comes before the full chain, such as one that adds a token to requests.
    public func client(
        of service: HTTPClient.Service,
        gate: RateLimitGate? = nil,
        middleware: [any HTTPMiddleware] = []
    ) -> HTTPClient {
        let retry = Retry(configuration.retries, service: service, now: configuration.now, clock: configuration.clock)
        // Docs/Architecture.md gives the reasons for the order.
        let shared: [any HTTPMiddleware] = [
            RequestDeduplication(), ConditionalCache(responseCache()), retry, gate ?? self.gate(of: service),
            ConcurrencyLimit(configuration.requestConcurrency, clock: configuration.clock),
        ]
        return client(of: service, chain: middleware + shared)
    }

    /// A client that sends requests as they are.
    func client(of service: HTTPClient.Service, chain: [any HTTPMiddleware]) -> HTTPClient {
        HTTPClient(
            service: service,
            transport: usableTransport,
            middleware: chain,
            limits: configuration.limits,
            patience: configuration.patience,
            isOffline: configuration.loadPolicy == .offline,
            observers: observers(),
            redactor: secretRedactor(),
            now: configuration.now
        )
    }
}

extension HTTPClient.Service {
    static func gitHub(_ configuration: Configuration) -> Self {
        var service = Self.gitHub(
            baseURL: configuration.gitHubURL,
            userAgent: configuration.userAgent,
            now: configuration.now
        )
        service.carriesSecrets = configuration.gitHubApp != nil || configuration.gitHubToken != nil
        return service
    }

    static func gitHubWeb(_ configuration: Configuration) -> Self {
        .gitHubWeb(url: configuration.gitHubWebURL, userAgent: configuration.userAgent, now: configuration.now)
    }

    static func rickAndMorty(_ configuration: Configuration) -> Self {
        .rickAndMorty(
            baseURL: configuration.rickAndMortyURL,
            userAgent: configuration.userAgent,
            now: configuration.now
        )
    }

    static func appStore(_ configuration: Configuration) -> Self {
        .appStore(baseURL: configuration.appStoreURL, userAgent: configuration.userAgent, now: configuration.now)
    }
}
