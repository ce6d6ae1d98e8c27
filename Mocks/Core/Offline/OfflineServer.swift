public import BrowseData
public import Foundation

/// A server in this process, without a network.
public protocol OfflineServer: Sendable {
    /// The scenarios that apply to its requests, and the responses that a test adds.
    var scenarios: OfflineScenarios { get }

    /// Whether the server has an endpoint for a request.
    ///
    /// The path of the request's URL begins with that of the base URL, such as `/api`.
    func hasEndpoint(for request: HTTPClient.Request) -> Bool

    /// Returns the response of a server that fails or is rate limited; `nil` leaves it to
    /// ``response(to:in:)``.
    ///
    /// The default is status 502 in ``Scenario/serverError``, and 429 with `Retry-After` in
    /// ``Scenario/rateLimited(until:)``.
    func failure(of request: HTTPClient.Request, in scenario: Scenario) -> HTTPClient.Response?

    /// Responds to a request to one of its endpoints.
    ///
    /// An error needs the evidence of the service, such as the content type of
    /// `HTTPClient.Response.json(_:status:headers:to:)`. Without it, or with a body that can't be
    /// decoded, the response is an issue of a test with the trait `.verifiesMocks`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - scenario: The scenario that applies. Delays, a missing network, and failures are applied
    ///     already, so a service need only distinguish ``Scenario/empty``.
    /// - Throws: Any error, such as of a missing fixture. It's reported as a missing endpoint is,
    ///   and fails the request.
    @concurrent
    func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response
}

extension OfflineServer {
    /// The default scenario, for requests without one of their own.
    ///
    /// See ``OfflineScenarios/set(_:for:probability:seed:fileID:filePath:line:column:)``.
    public var scenario: Scenario {
        get { scenarios.all }
        nonmutating set { scenarios.all = newValue }
    }

    /// The responses that a test adds, which come before those of the service, whatever the
    /// scenario.
    ///
    /// A request that no stub matches, or that comes after the last expected one, goes to the
    /// service.
    ///
    /// ```swift
    /// books.script.on(.get, "/editions.json", response: .json("[]"))
    /// ```
    public var script: ScriptedServer { scenarios.script }

    /// Status 502, or 429 with `Retry-After`; the default.
    public func failure(of request: HTTPClient.Request, in scenario: Scenario) -> HTTPClient.Response? {
        switch scenario {
        case .serverError: return HTTPClient.Response(status: 502, url: request.url)
        case .rateLimited(let end):
            let wait = end.secondsLeft(from: scenarios.date.date)
            // JSON, which proves that it's the service's, unless that declares other evidence.
            return HTTPClient.Response(
                status: 429,
                headers: .json(and: ["Retry-After": "\(wait)"]),
                body: Data("{}".utf8),
                url: request.url
            )
        case .normal, .empty, .slow, .offline: return nil
        }
    }

    /// Responds to a request.
    ///
    /// A request without a response is reported: as an issue of a test with the trait
    /// `.verifiesMocks`, otherwise on standard error. Its status is 400, or it fails if
    /// ``response(to:in:)`` throws.
    ///
    /// - Returns: The response, or a network error, such as in ``Scenario/offline``.
    @concurrent
    public func respond(to request: HTTPClient.Request) async -> Result<HTTPClient.Response, URLError> {
        if let response = script.takeIfDecided(request) { return await script.result(of: response, for: request) }
        guard hasEndpoint(for: request) else {
            let report = """
                \(Self.self) has no answer to \(Script.name(of: request)). Add one to it: \
                .script.on(\(Script.hint(for: request)), response: .json("{}"))
                """
            script.reportUnanswered(request, report)
            return await script.result(of: .unexpected(report, to: request.url), for: request)
        }
        let scenario: Scenario
        switch await scenarios.enter(request) {
        case .success(let found): scenario = found
        case .failure(let error): return .failure(error)
        }
        if let failure = failure(of: request, in: scenario) { return .success(failure) }
        do {
            let response = try await response(to: request, in: scenario)
            script.note(response.body, inResponseTo: request)
            return .success(response)
        } catch {
            guard !Task.isCancelled else { return .failure(URLError(.cancelled)) }
            let report = "\(Self.self) couldn't answer \(Script.name(of: request)): \(error)"
            script.reportUnanswered(request, report)
            return .failure(URLError(.resourceUnavailable, saying: report))
        }
    }

    /// Returns an in-process transport without a `URLSession`; it retains the server.
    ///
    /// - Parameter clock: Measures the time limit of a request, `HTTPLimits.duration`; `nil` uses
    ///   the clock of the container's configuration, and outside of a container the server's.
    public func transport(clock: (any Clock<Duration>)? = nil) -> any HTTPTransport {
        scenarios.use()
        let reportFault: InProcessTransport.FaultReport = { [script, name = "\(Self.self)"] fault, request in
            script.report(fault, inResponseTo: request, of: name)
        }
        return InProcessTransport(
            clock: clock,
            default: scenarios.clock,
            now: scenarios.now,
            reportFault: reportFault
        ) { [self] request in await respond(to: request) }
    }
}
