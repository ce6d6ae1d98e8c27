public import BrowseData
import BrowseDomain

extension Container {
    /// Performs the requests of all clients and image loads.
    public var transport: Dependency<any HTTPTransport> {
        dependency(.shared) { container in
            let configuration = container.configuration
            return HTTPClient.makeTransport(
                connectionsPerHost: configuration.requestConcurrency,
                clock: configuration.clock
            )
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

    /// Creates the middleware that the clients of a service share.
    ///
    /// Declare it with the scope ``Scope/shared``, so that the requests of all users count against
    /// the same limits.
    public func sharedMiddleware(of service: HTTPClient.Service) -> HTTPClient.SharedMiddleware {
        HTTPClient.SharedMiddleware(of: service, options: clientOptions)
    }

    /// Creates a client of any service, with all middleware.
    ///
    /// ```swift
    /// nonisolated extension Container {
    ///     var bookClient: Dependency<HTTPClient> {
    ///         dependency(.shared) { $0.client(of: .json(baseURL: library, userAgent: "Books (me@example.com)")) }
    ///     }
    /// }
    /// ```
    ///
    /// The client deduplicates requests, caches, retries, counts rate limits, and limits the number
    /// of requests in flight. Declare one that sends no user's token with the scope
    /// ``Scope/shared``, and one with users' tokens as a singleton. If there are several users,
    /// also pass it the ``sharedMiddleware(of:)``.
    ///
    /// - Parameters:
    ///   - service: The base URL, the header fields, and the mapping of errors.
    ///   - shared: The middleware that other clients of the service use, too; `nil` creates it.
    ///   - tokens: Provides the signed-in account's token before each request; `nil` sends none.
    ///     The base URL must use https or be on this device.
    ///   - field: The field of the token.
    ///   - middleware: Runs before the token is added and before the shared middleware. If one adds
    ///     credentials itself, it must set `HTTPClient.Request.account`; declare its field in
    ///     `credentialFields`.
    public func client(
        of service: HTTPClient.Service,
        shared: HTTPClient.SharedMiddleware? = nil,
        tokens: (any AccessTokens)? = nil,
        in field: TokenField = .bearer,
        middleware: [any HTTPMiddleware] = []
    ) -> HTTPClient {
        .standard(
            service,
            transport: transport(),
            cache: responseCache(),
            tokens: tokens,
            in: field,
            shared: shared,
            middleware: middleware,
            options: clientOptions
        )
    }

    /// Creates a client without middleware of the SDK.
    ///
    /// It sends each request once, and keeps no response: for requests that carry credentials of
    /// their own, such as those of an OAuth app.
    ///
    /// - Parameters:
    ///   - service: The base URL, the header fields, and the mapping of errors.
    ///   - middleware: Changes requests and responses, such as to the format of an OAuth server.
    public func plainClient(of service: HTTPClient.Service, middleware: [any HTTPMiddleware] = []) -> HTTPClient {
        HTTPClient(service: service, transport: transport(), middleware: middleware, options: clientOptions)
    }

    var clientOptions: HTTPClient.Options {
        HTTPClient.Options {
            $0.limits = configuration.limits
            $0.isOffline = configuration.loadPolicy == .offline
            $0.observers = configuration.observers
            $0.requestConcurrency = configuration.requestConcurrency
            $0.retries = configuration.retries
            $0.now = configuration.now
            $0.clock = configuration.clock
        }
    }
}
