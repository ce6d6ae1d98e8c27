public import BrowseDomain
public import Foundation

/// Sends endpoints of one service through a chain of middleware, and turns responses into answers or errors.
///
/// It is the boundary to the caller's actor: whoever calls it, requests are made and responses decoded off the main actor.
public final class HTTPClient: Sendable {
    /// A service: where it is, what it wants to be told, and what its refusals mean.
    public struct Service: Sendable {
        /// The address below which its endpoints are, such as `https://api.github.com`.
        public var baseURL: URL
        /// Header fields of every request.
        public var headers: HTTPHeaders
        /// Whether requests carry secrets, so that the base URL must be https or on this computer.
        public var carriesSecrets: Bool
        /// Reads the secrets that a response issues, such as a new token; they are masked before anything observes the response.
        public var issuedSecrets: @Sendable (HTTPResponse) -> [Secret]
        /// The error for a response whose status is outside 200 to 299; `nil` for the usual meaning of statuses.
        public var failure: (@Sendable (HTTPResponse, BrowseError.RequestInfo) -> BrowseError)?

        /// Describes a service of JSON without authorization.
        ///
        /// - Parameters:
        ///   - baseURL: The address below which its endpoints are.
        ///   - userAgent: The name of the app; many services ask for a contact too.
        public static func json(baseURL: URL, userAgent: String) -> Service {
            Service(baseURL: baseURL, headers: ["Accept": "application/json", "User-Agent": userAgent])
        }

        /// Creates a description of a service; by default, its requests and responses carry no secrets.
        public init(
            baseURL: URL,
            headers: HTTPHeaders,
            carriesSecrets: Bool = false,
            issuedSecrets: @escaping @Sendable (HTTPResponse) -> [Secret] = { _ in [] },
            failure: (@Sendable (HTTPResponse, BrowseError.RequestInfo) -> BrowseError)? = nil
        ) {
            self.baseURL = baseURL
            self.headers = headers
            self.carriesSecrets = carriesSecrets
            self.issuedSecrets = issuedSecrets
            self.failure = failure
        }
    }

    private let service: Service
    private let limits: HTTPLimits
    private let patience: Duration
    private let isOffline: Bool
    private let isUsable: Bool
    private let observers: [any HTTPObserver]
    /// Masks the secrets in use; every part that comes by a secret adds it before it is sent.
    let redactor: SecretRedactor
    private let now: @Sendable () -> Date
    private let perform: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - service: Whom to talk to.
    ///   - transport: What carries the requests.
    ///   - middleware: What changes how they are sent; the first sees a request first and its response last.
    ///   - limits: The bounds of every exchange.
    ///   - patience: The longest total wait of a request for rate limits, unless its `LoadOptions` say otherwise.
    ///   - isOffline: Whether nothing is ever sent: reads are answered from what is kept, or not at all.
    ///   - observers: Who hears of everything that happens to requests.
    ///   - redactor: Masks secrets in events and errors; clients that send the same secrets share one.
    ///   - now: The current time, for observers.
    public init(
        service: Service,
        transport: any HTTPTransport,
        middleware: [any HTTPMiddleware] = [],
        limits: HTTPLimits = HTTPLimits(),
        patience: Duration = .zero,
        isOffline: Bool = false,
        observers: [any HTTPObserver] = [],
        redactor: SecretRedactor = SecretRedactor(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.service = service
        self.limits = limits
        self.patience = patience
        self.isOffline = isOffline
        self.observers = ObserverBuffer.buffering(observers)
        self.redactor = redactor
        self.now = now
        isUsable = (try? service.validate()) != nil
        let observed = ObservedTransport(transport: transport, redactor: redactor, issuedSecrets: service.issuedSecrets)
        var perform: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse = {
            request throws(BrowseError) in
            try await observed.send(request)
        }
        for middleware in middleware.reversed() {
            let next = perform
            perform = { request throws(BrowseError) in try await middleware.send(request, next: next) }
        }
        self.perform = perform
    }

    /// Where the service is.
    var baseURL: URL { service.baseURL }

    /// Asks a service for something, as the options of the current task say.
    ///
    /// - Throws: Any case of `BrowseError`; `.refused(.invalidConfiguration)` for every request to a service that can't be used
    ///   (``Service/validate()``).
    @concurrent
    public func send<Response>(_ endpoint: Endpoint<Response>) async throws(BrowseError) -> Response {
        guard observers.isEmpty else { return try await observed(endpoint) }
        do throws(BrowseError) {
            return try await answer(to: endpoint).value
        } catch {
            throw redactor.error(error)
        }
    }

    private func answer<Response>(to endpoint: Endpoint<Response>) async throws(BrowseError) -> Loaded<Response> {
        let request = try request(for: endpoint)
        return try await answer(in: try await perform(request), to: request, of: endpoint)
    }

    @inline(never)
    private func observed<Response>(_ endpoint: Endpoint<Response>) async throws(BrowseError) -> Response {
        try await ExchangeTrace.tell(observers, of: endpoint.name, now: now) { () throws(BrowseError) in
            do throws(BrowseError) {
                return try await answer(to: endpoint)
            } catch {
                throw redactor.error(error)
            }
        }
        .value
    }

    // These aren't inlined, since they are called before and after a request is sent: their frames are gone while it waits.

    @inline(never)
    private func answer<Response>(
        in response: HTTPResponse,
        to request: HTTPRequest,
        of endpoint: Endpoint<Response>
    ) async throws(BrowseError) -> Loaded<Response> {
        var (request, response) = (request, response)
        // A caller that is canceled while another one decodes leaves the cache alone.
        guard var answer = await read(response, as: endpoint) else { throw .cancelled }
        if case .failure = answer {
            response.cacheCommit?.discard()
            // What is kept may be of a version of the SDK that read it otherwise, and a 304 would bring it again for ever.
            if response.provenance == .revalidated {
                request.ignoresCache = true
                response = try await perform(request)
                guard let fresh = await read(response, as: endpoint) else { throw .cancelled }
                answer = fresh
            }
        }
        let value = try answer.get()
        await commit(response)
        return noted(value, response)
    }

    /// Stores a response that could be read, unless the server has put a secret into it.
    private func commit(_ response: HTTPResponse) async {
        await response.cacheCommit?.commit { response.provenance == .fresh && redactor.finds(in: response) }
    }

    private func noted<Response>(_ answer: Response, _ response: HTTPResponse) -> Loaded<Response> {
        var provenance = response.provenance
        if isOffline, let date = provenance.date { provenance = .offline(since: date) }
        ProvenanceRecord.current?.note(provenance)
        return Loaded(answer, provenance)
    }

    @inline(never)
    private func request<Response>(for endpoint: Endpoint<Response>) throws(BrowseError) -> HTTPRequest {
        guard isUsable else {
            throw .refused(.invalidConfiguration, BrowseError.RequestInfo(endpoint: endpoint.name))
        }
        var headers = service.headers
        headers.merge(endpoint.headers)
        var options = LoadOptions.current
        options.patience = options.patience ?? patience
        if isOffline { options.source = .cacheOnly }
        return HTTPRequest(
            method: endpoint.method,
            url: try endpoint.url(
                below: service.baseURL,
                info: BrowseError.RequestInfo(endpoint: endpoint.name)
            ),
            headers: headers,
            body: endpoint.body,
            endpoint: endpoint.name,
            limits: limits,
            options: options,
            bucket: endpoint.bucket,
            isSafeToRepeat: endpoint.isSafeToRepeat
        )
    }

    /// Decodes a response; `nil` when the task is canceled while another caller decodes it.
    private func read<Response>(
        _ response: HTTPResponse,
        as endpoint: Endpoint<Response>
    ) async -> Result<Response, BrowseError>? {
        guard let decoding = response.decoding else {
            return await Result.of { () throws(BrowseError) in try decode(response, as: endpoint) }
        }
        return await decoding.value(for: endpoint.decodingID) { () throws(BrowseError) in
            try decode(response, as: endpoint)
        }
    }

    private func decode<Response>(
        _ response: HTTPResponse,
        as endpoint: Endpoint<Response>
    ) throws(BrowseError) -> Response {
        // Only errors tell of it, and looking for secrets takes longer than all else here.
        var info: BrowseError.RequestInfo {
            BrowseError.RequestInfo(
                endpoint: endpoint.name,
                status: response.status,
                requestID: response.headers["X-GitHub-Request-Id"].map { Excerpt.masking($0, limit: 64) },
                isAnonymous: response.isAnonymous
            )
        }
        guard (200..<300).contains(response.status) else { throw service.error(for: response, info: info, now: now()) }
        do {
            return try endpoint.decode(response)
        } catch let error as BrowseError {
            throw error
        } catch let error as UnusableResponse {
            throw .unusableResponse(error.reason, info)
        } catch let refusal as RefusedResponse {
            throw refusal.error(info)
        } catch {
            throw .unusableResponse(.decoding(BrowseError.DecodingFailure(error, body: response.body)), info)
        }
    }
}
