public import BrowseDomain
public import Foundation

/// Sends the endpoints of a service through a chain of middleware, and decodes responses.
///
/// Requests are created and responses decoded off the main actor, whatever the caller's actor.
public final class HTTPClient: Sendable {
    /// Whether a page behind the first one is decoded.
    @TaskLocal static var decodesLaterPage = false

    private let service: Service
    private let options: Options
    private let isUsable: Bool
    private let scripted: (any ScriptedTransport)?
    private let perform: @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - transport: Performs the requests.
    ///   - middleware: Intercepts requests; the first receives a request first and its response
    ///     last.
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
        scripted = transport as? any ScriptedTransport
        let observed = ObservedTransport(
            transport: transport,
            credentialNames: service.credentialNames,
            shownFields: Set(service.shownHeaders.map { $0.lowercased() }),
            shownQueryItems: service.shownQueryItems,
            status: service.status
        )
        var perform: @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response = {
            [evidence = service.evidence, now = options.now, scripted] request throws(BrowseError) in
            let response = try await Result.of { () throws(BrowseError) in try await observed.send(request) }
                .mapError { $0.naming(request.url) }.get()
            // Before any middleware interprets the status.
            let checked = Result { () throws(BrowseError) in try evidence.checked(response, to: request, at: now()) }
            if checked.failure != nil || (try? checked.get())?.doubt != nil {
                scripted?.didFind(.unproven(status: response.status, problem: nil), inResponseTo: request)
            }
            return try checked.get()
        }
        for middleware in middleware.reversed() {
            let next = perform
            perform = { request throws(BrowseError) in try await middleware.send(request, next: next) }
        }
        self.perform = perform
    }

    /// The base URL of all endpoints.
    public var baseURL: URL { service.baseURL }
    /// Returns the current time.
    var now: @Sendable () -> Date { options.now }
    /// Whether requests can contain secrets: the base URL uses https, or is on this device.
    public var isPrivate: Bool { Origin(baseURL)?.isPrivate == true }

    /// Sends an endpoint with the task's `LoadOptions`, and decodes the response.
    ///
    /// - Throws: Any case of `BrowseError`; `.refused(.invalidConfiguration)` if
    ///   ``Service/validate()`` fails.
    @concurrent
    public func send<Response>(_ endpoint: Endpoint<Response>) async throws(BrowseError) -> Response {
        try await ExchangeTrace.perform(endpoint.name, notifying: options.observers, now: options.now) {
            () throws(BrowseError) in try await load(endpoint)
        }
        .value
    }

    /// Returns a cached response that may be shown while the server can't be reached.
    @_spi(Services) public func cached<Response>(_ endpoint: Endpoint<Response>) async -> Response? {
        guard LoadOptions.current.source == .networkElseCache else { return nil }
        let options = modified(LoadOptions(source: .cacheOnly)) { $0.isPreview = true }
        return try? await options.load { () throws(BrowseError) in try await self.send(endpoint) }.value
    }

    /// Removes a cached response that may be shown while the server can't be reached.
    @_spi(Services) public func discard<Response>(_ endpoint: Endpoint<Response>) async {
        _ = await cached(modified(endpoint) { $0.decode = { _ in throw ResponseFailure(.empty) } })
    }

    private func load<Response>(_ endpoint: Endpoint<Response>) async throws(BrowseError) -> Loaded<Response> {
        var request = try request(for: endpoint)
        var response = try await perform(request)
        let value: Response
        do throws(BrowseError) {
            value = try decode(response, to: request, as: endpoint)
        } catch {
            // A response that isn't from the cache says nothing about a cached one, except that the
            // resource doesn't exist.
            if response.provenance != .fresh || error.isNotFound { await response.cacheCommit?.discard() }
            // Another version of the SDK may have stored the response. Now that it's discarded, the
            // request is unconditional, and fails as if nothing had been stored.
            guard response.provenance != .fresh else { throw error }
            // The server was asked in vain a moment ago.
            if case .offline = response.provenance { request.options.source = .cacheOnly }
            response = try await perform(request)
            value = try decode(response, to: request, as: endpoint)
        }
        await response.cacheCommit?.commit(isRevalidated: endpoint.isRevalidated(value))
        var provenance = response.provenance
        if options.isOffline, let date = provenance.date { provenance = .offline(since: date) }
        ProvenanceRecord.current?.note(provenance)
        return Loaded(value, provenance)
    }

    private func request<Response>(for endpoint: Endpoint<Response>) throws(BrowseError) -> HTTPClient.Request {
        let info = BrowseError.RequestInfo(endpoint: endpoint.name)
        guard isUsable else { throw .refused(.invalidConfiguration, info) }
        var headers = service.headers
        headers.merge(endpoint.headers)
        var loadOptions = LoadOptions.current
        if options.isOffline { loadOptions.source = .cacheOnly }
        let url = try endpoint.url(below: service.baseURL, info: info)
        let names = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.map(\.name) ?? []
        if !service.credentialQueryItems.isDisjoint(with: names) { headers["Cache-Control"] = "no-store" }
        let request = HTTPClient.Request(
            method: endpoint.method,
            url: url,
            headers: headers,
            body: endpoint.body,
            endpoint: endpoint.name,
            limits: options.limits,
            options: loadOptions,
            bucket: endpoint.bucket,
            isSafeToRepeat: endpoint.isSafeToRepeat || endpoint.onlyReads
        )
        return modified(request) { $0.onlyReads = endpoint.onlyReads }
    }

    private func decode<Response>(
        _ response: HTTPClient.Response,
        to request: HTTPClient.Request,
        as endpoint: Endpoint<Response>
    ) throws(BrowseError) -> Response {
        // Computed only for errors, since masking takes longer than everything else here.
        var info: BrowseError.RequestInfo {
            BrowseError.RequestInfo(endpoint: endpoint.name, status: response.status) {
                $0.requestID = service.requestIDHeader.flatMap { response.headers[$0] }.map {
                    ShownText.words($0, limit: 64, joinedBy: ShownText.identifierJoiners)
                }
                $0.hadNoCredentials = response.hadNoToken
                // Without a provider of tokens, the service's own key was refused.
                let isKey = !response.hadNoToken && service.hasKey
                $0.refusedConfiguredToken = response.status == 401 && (response.refusedGrant?.isConfigured ?? isKey)
                $0.isUnproven = response.doubt != nil
                $0.retryAt = response.status < 500 ? nil : RetryAfter.date(response.headers, now: options.now())
            }
        }
        func interception(_ problem: BrowseError.UnusableResponse? = nil) -> BrowseError {
            // A page is meant to be a portal's. For other statuses, it has been called already.
            if let problem, !response.isPage {
                scripted?.didFind(.unproven(status: response.status, problem: problem), inResponseTo: request)
            }
            return .unreachable(.intercepted, modified(info) { $0.host = response.host(insteadOf: service.baseURL) })
        }
        guard (200..<300).contains(response.status) else {
            guard response.doubt != .foreign else { throw interception() }
            throw service.error(for: response, info: info, now: options.now())
        }
        // The shape decides whether a response is used, and evidence whose fault another one is.
        var isForeign: Bool { response.provenance == .fresh && !service.evidence.isProven(response) }
        // An endpoint without a value expects no body, and an answer of its own server, which gets
        // the token.
        let isMoved = response.host(insteadOf: service.baseURL) != nil
        if Response.self == Void.self, isMoved || !response.body.isEmpty && isForeign { throw interception(.status) }
        if Response.self == Void.self, response.isChangeLost { throw .unusableResponse(.status, info) }
        do {
            // A decoded value may contain the response, but not refer to the cache.
            let received = modified(response) { $0.cacheCommit = nil }
            let isLaterPage = if case .page = endpoint.location { true } else { false }
            let value = try Self.$decodesLaterPage.withValue(isLaterPage) { try endpoint.decode(received) }
            if let scripted, response.provenance == .fresh, let rows = (value as? any PartialRows)?.skipped,
                let first = rows.first
            {
                scripted.didFind(.undecodable(.decoding(first), rowCount: rows.count), inResponseTo: request)
            }
            return value
        } catch let error as BrowseError {
            throw error
        } catch {
            let failure =
                (error as? ResponseFailure)?.error(info)
                ?? .unusableResponse(.decoding(BrowseError.DecodingFailure(error)), info)
            if case .unusableResponse(let problem, _) = failure, response.provenance == .fresh {
                guard !isForeign else { throw interception(problem) }
                scripted?.didFind(.undecodable(problem, rowCount: nil), inResponseTo: request)
            }
            throw failure
        }
    }
}

/// Rows of which some may have been skipped.
private protocol PartialRows {
    var skipped: SkippedRows { get }
}

extension Page: PartialRows {}
