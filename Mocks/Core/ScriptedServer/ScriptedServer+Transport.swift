public import BrowseData
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension ScriptedServer {
    /// Returns a transport that answers in this process, without a `URLSession`; it retains the
    /// server.
    ///
    /// - Parameter clock: Measures `HTTPLimits.duration`, the time limit of a request; `nil` for
    ///   the clock of the container's configuration, and outside of a container for the server's.
    public func transport(clock: (any Clock<Duration>)? = nil) -> any HTTPTransport {
        let reportFault: InProcessTransport.FaultReport = { [self] in report($0, inResponseTo: $1) }
        return InProcessTransport(clock: clock, default: self.clock, reportFault: reportFault) { [self] request in
            await response(to: request)
        }
    }

    /// Returns a configuration for sessions of an app's own, whose requests to all hosts go to the
    /// server.
    ///
    /// ```swift
    /// let server = ScriptedServer()
    /// server.on(.get, "https://api.example.com/greeting", response: .json(#""Hello""#))
    /// let session = URLSession(configuration: server.sessionConfiguration())
    /// ```
    ///
    /// Retain the server as long as you use the sessions. Nothing is sent or cached, and tests with
    /// sessions of their own run in parallel. On Linux, add `httpAdditionalHeaders` of the
    /// configuration to each request. Use ``listen()`` for what a `URLProtocol` can't do:
    /// redirects, which arrive as responses with status 302 and the like, parts of bodies, cookies,
    /// which no session stores, the time limit of a request, and, on Linux, the bodies of upload
    /// tasks.
    ///
    /// - Parameter base: The configuration to copy, with the header fields that the server
    ///   receives.
    public func sessionConfiguration(_ base: URLSessionConfiguration = .ephemeral) -> URLSessionConfiguration {
        // Weak, because the server retains the registration.
        let registration = MockURLProtocol.Registration(
            { [weak self] request in await self?.response(to: request) ?? .failure(URLError(.cancelled)) },
            reportUnsupported: { [weak self] name in self?.reportUnsupported(name) }
        )
        registrations.withLock { $0.append(registration) }
        return registration.sessionConfiguration(base)
    }

    /// Responds to a request after the delays of the script.
    func response(to request: HTTPClient.Request) async -> Result<HTTPClient.Response, URLError> {
        await result(of: take(request), for: request)
    }

    /// Performs a response with its delays and the transfer of its body.
    func result(of response: Response, for request: HTTPClient.Request) async -> Result<HTTPClient.Response, URLError> {
        let answer = await perform(response, for: request, Transfer())
        guard case .success(let response) = answer.result else { return answer.result }
        if let rate = answer.transfer.bytesPerSecond {
            let count = min(response.body.count, answer.transfer.truncation ?? .max)
            guard await clock.delay(request, by: .seconds(Double(count) / Double(rate))) else {
                return .failure(URLError(.cancelled))
            }
        }
        if let limit = answer.transfer.truncation, limit < response.body.count {
            return .failure(URLError(.networkConnectionLost))
        }
        return answer.result
    }

    /// A response or failure, and the settings for the transfer of its body.
    struct Answer: Sendable {
        let result: Result<HTTPClient.Response, URLError>
        var transfer = Transfer()
    }

    /// Takes the answer to a request from the script, and waits for its delays and holds.
    func answer(to request: HTTPClient.Request) async -> Answer {
        await perform(take(request), for: request, Transfer())
    }

    private func perform(_ response: Response, for request: HTTPClient.Request, _ outer: Transfer) async -> Answer {
        let transfer = outer.merging(response.transfer)
        if response.isOfProxy { script.withLock { _ = $0.proxied.insert(Script.name(of: request)) } }
        if response.isUndecodable { script.withLock { _ = $0.undecodable.insert(Script.name(of: request)) } }
        switch response.content {
        case .response(let status, let headers, var body):
            let name = Script.name(of: request)
            // It ends with its head (RFC 9112, section 6.3), so an app never receives a body.
            if [204, 304].contains(status), !body.isEmpty {
                let problem = "\(name): A response with status \(status) has no body, so clients ignore this one."
                report(problem, "\(problem) Remove it, or use another status.", at: script.value.places[name]?.stub)
                body = Data()
            }
            script.withLock { $0.bodies[name] = body }
            script.withLock { $0.statuses[name] = status }
            let response = HTTPClient.Response(status: status, headers: headers, body: body, url: request.url)
            return Answer(result: .success(response), transfer: transfer)
        case .missing(let missing, let position):
            report("\(Script.name(of: request)): \(missing)", "\(missing)", at: position)
            return await perform(.unexpected("\(missing)", to: request.url), for: request, Transfer())
        case .failure(let code):
            return Answer(result: .failure(URLError(code)))
        case .delayed(let response, let delay):
            guard await clock.delay(request, by: delay) else {
                return Answer(result: .failure(URLError(.cancelled)))
            }
            return await perform(response, for: request, transfer)
        case .held(let response):
            let name = Script.name(of: request)
            script.withLock { $0.held.append(name) }
            await script.suspend { $0.isReleased }
            // Another request can have the same name.
            script.withLock { script in _ = script.held.firstIndex(of: name).map { script.held.remove(at: $0) } }
            guard !Task.isCancelled else { return Answer(result: .failure(URLError(.cancelled))) }
            return await perform(response, for: request, transfer)
        case .computed(let compute):
            return await perform(await compute(request), for: request, transfer)
        }
    }
}

extension ScriptedServer.Response {
    /// The response to a request that no stub answers.
    ///
    /// Status 400 rather than a failed connection: it isn't retried, replaced by a cached response,
    /// or shown as a lost network.
    static func unexpected(_ report: String, to url: URL) -> ScriptedServer.Response {
        .body(.report(report, to: url), status: 400, headers: .json(and: [:]))
    }
}

extension Data {
    /// Returns the body of an error of the mocks, in JSON.
    ///
    /// It names the server's own host, so that no service takes it for a proxy's.
    static func report(_ text: String, to url: URL) -> Data {
        let page = URL(string: "/", relativeTo: url)?.absoluteString ?? ""
        return (try? JSONEncoder().encode(["message": text, "documentation_url": page])) ?? Data()
    }
}
