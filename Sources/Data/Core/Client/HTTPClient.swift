public import BrowseDomain
public import Foundation

/// Sends the endpoints of a service through a chain of middleware, and decodes responses.
///
/// Requests are created and responses decoded off the main actor, whatever the caller's actor.
public final class HTTPClient: Sendable {
    private let service: Service
    private let options: Options
    private let isUsable: Bool
    private let perform: @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - transport: Performs the requests.
    ///   - middleware: Intercepts requests; the first receives a request first and its response last.
    ///   - options: The limits and observers; those of a standard client have no effect.
    public init(
        service: Service,
        transport: any HTTPTransport,
        middleware: [any HTTPMiddleware] = [],
        options: Options = Options()
    ) {
        self.service = service
        self.options = options
        isUsable = (try? service.validate()) != nil
        let observed = ObservedTransport(
            transport: transport,
            credentialNames: service.credentialNames,
            shownFields: Set(service.shownHeaders.map { $0.lowercased() }),
            shownQueryItems: service.shownQueryItems
        )
        var perform: @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response = {
            [isFromService = service.isFromService] request throws(BrowseError) in
            let response = try await observed.send(request)
            // Before any middleware interprets the status.
            guard isFromService(response) else {
                var info = request.info
                info.status = response.status
                throw .unreachable(.intercepted, info)
            }
            return response
        }
        for middleware in middleware.reversed() {
            let next = perform
            perform = { request throws(BrowseError) in try await middleware.send(request, next: next) }
        }
        self.perform = perform
    }

    /// The base URL of all endpoints.
    public var baseURL: URL { service.baseURL }
    /// Whether requests can contain secrets: the base URL uses https, or is on this device.
    public var isPrivate: Bool { Origin(baseURL)?.isPrivate == true }

    /// Sends an endpoint with the task's `LoadOptions`, and decodes the response.
    ///
    /// - Throws: Any case of `BrowseError`; `.refused(.invalidConfiguration)` if ``Service/validate()`` fails.
    @concurrent
    public func send<Response>(_ endpoint: Endpoint<Response>) async throws(BrowseError) -> Response {
        try await ExchangeTrace.perform(endpoint.name, notifying: options.observers, now: options.now) {
            () throws(BrowseError) in try await load(endpoint)
        }
        .value
    }

    private func load<Response>(_ endpoint: Endpoint<Response>) async throws(BrowseError) -> Loaded<Response> {
        let request = try request(for: endpoint)
        var response = try await perform(request)
        let value: Response
        do throws(BrowseError) {
            value = try decode(response, as: endpoint)
        } catch {
            response.cacheCommit?.discard()
            // Another version of the SDK may have stored the response. Now that it's discarded, the request is unconditional.
            guard response.provenance == .revalidated else { throw error }
            response = try await perform(request)
            value = try decode(response, as: endpoint)
        }
        response.cacheCommit?.commit(isRevalidated: endpoint.isRevalidated(value))
        var provenance = response.provenance
        if options.isOffline, let date = provenance.date { provenance = .offline(since: date) }
        ProvenanceRecord.current?.note(provenance)
        return Loaded(value, provenance)
    }

    private func request<Response>(for endpoint: Endpoint<Response>) throws(BrowseError) -> HTTPClient.Request {
        let info = BrowseError.RequestInfo(endpoint: endpoint.name)
        guard isUsable else { throw .refused(.invalidConfiguration, info) }
        var headers = service.headers
        headers.declareCredentials(service.credentialNames)
        headers.merge(endpoint.headers)
        var loadOptions = LoadOptions.current
        if options.isOffline { loadOptions.source = .cacheOnly }
        let url = try endpoint.url(below: service.baseURL, info: info)
        let credentials = service.credentialQueryItems
        if !credentials.isEmpty, let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems,
            items.contains(where: { credentials.contains($0.name) })
        {
            headers["Cache-Control"] = "no-store"
        }
        return HTTPClient.Request(
            method: endpoint.method,
            url: url,
            headers: headers,
            body: endpoint.body,
            endpoint: endpoint.name,
            limits: options.limits,
            options: loadOptions,
            bucket: endpoint.bucket,
            isSafeToRepeat: endpoint.isSafeToRepeat
        )
    }

    private func decode<Response>(
        _ response: HTTPClient.Response,
        as endpoint: Endpoint<Response>
    ) throws(BrowseError) -> Response {
        // Computed only for errors, since masking takes longer than everything else here.
        var info: BrowseError.RequestInfo {
            BrowseError.RequestInfo(
                endpoint: endpoint.name,
                status: response.status,
                requestID: service.requestIDHeader.flatMap { response.headers[$0] }.map {
                    ShownText.words($0, limit: ShownText.requestIDLimit, joinedBy: ShownText.identifierJoiners)
                },
                hadNoCredentials: response.hadNoToken,
                refusedConfiguredToken: response.refusedGrant?.isConfigured == true,
                retryAt: response.status < 500 ? nil : RetryAfter.date(response.headers, now: options.now())
            )
        }
        guard (200..<300).contains(response.status) else {
            throw service.error(for: response, info: info, now: options.now())
        }
        do {
            // A decoded value may contain the response, but not refer to the cache.
            var received = response
            received.cacheCommit = nil
            return try endpoint.decode(received)
        } catch let error as BrowseError {
            throw error
        } catch let failure as ResponseFailure {
            throw failure.error(info)
        } catch {
            throw .unusableResponse(.decoding(BrowseError.DecodingFailure(error)), info)
        }
    }
}
