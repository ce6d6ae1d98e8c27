public import BrowseDomain
public import Foundation

/// Sends endpoints of one service through a chain of middleware, and turns replies into answers or errors.
///
/// It is the boundary to the caller's actor: whoever calls it, requests are made and replies decoded off the main actor.
public struct HTTPClient: Sendable {
    /// A service: where it is, what it wants to be told, and what its refusals mean.
    public struct Service: Sendable {
        /// The address below which its endpoints are, such as `https://api.github.com`.
        public var baseURL: URL
        /// Header fields of every request.
        public var headers: HTTPHeaders
        /// What a status outside 200 to 299 means.
        public var failure: @Sendable (HTTPResponse, BrowseError.RequestInfo) -> BrowseError

        /// Creates a description of a service.
        public init(
            baseURL: URL,
            headers: HTTPHeaders,
            failure: @escaping @Sendable (HTTPResponse, BrowseError.RequestInfo) -> BrowseError
        ) {
            self.baseURL = baseURL
            self.headers = headers
            self.failure = failure
        }
    }

    private let service: Service
    private let limits: HTTPLimits
    private let perform: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - service: Whom to talk to.
    ///   - transport: What carries the requests.
    ///   - middleware: What changes how they are sent; the first sees a request first and its reply last.
    ///   - limits: The bounds of every exchange.
    public init(
        service: Service,
        transport: any HTTPTransport,
        middleware: [any HTTPMiddleware] = [],
        limits: HTTPLimits = HTTPLimits()
    ) {
        self.service = service
        self.limits = limits
        var perform: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse = {
            request throws(BrowseError) in
            try await transport.send(request)
        }
        for middleware in middleware.reversed() {
            let next = perform
            perform = { request throws(BrowseError) in try await middleware.send(request, next: next) }
        }
        self.perform = perform
    }

    /// Where the service is.
    var baseURL: URL { service.baseURL }

    /// Asks a service for something.
    ///
    /// - Throws: Any case of `BrowseError`.
    @concurrent
    public func send<Response>(_ endpoint: Endpoint<Response>) async throws(BrowseError) -> Response {
        var info = BrowseError.RequestInfo(endpoint: endpoint.name)
        var headers = service.headers
        headers.merge(endpoint.headers)
        let request = HTTPRequest(
            method: endpoint.method,
            url: try endpoint.url(below: service.baseURL, info: info),
            headers: headers,
            body: endpoint.body,
            endpoint: endpoint.name,
            limits: limits
        )
        let response = try await perform(request)
        info.status = response.status
        info.requestID = response.headers["X-GitHub-Request-Id"].map { Excerpt.masking($0, limit: 64) }
        guard (200..<300).contains(response.status) else { throw service.failure(response, info) }
        do {
            return try endpoint.decode(response)
        } catch let error as BrowseError {
            throw error
        } catch let error as UnusableReply {
            throw .unusableReply(error.reason, info)
        } catch let refusal as RefusedReply {
            throw refusal.error(info)
        } catch {
            throw .unusableReply(.decoding(BrowseError.DecodingFailure(error, body: response.body)), info)
        }
    }
}
