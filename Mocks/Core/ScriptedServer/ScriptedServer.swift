public import BrowseData
import BrowseDomain
import Foundation
import Synchronization

/// A server that responds according to a test's script, and rejects all other requests.
///
/// ```swift
/// let server = ScriptedServer()
/// server.on(.get, "/works/OL1W.json", response: .json("{}"))
/// server.on(.get, "/search.json", query: ["page": "2"], responses: [.status(500), .json("[]")])
///
/// let client = HTTPClient(service: .json(baseURL: baseURL, userAgent: "Tests"), transport: server.transport())
/// // Let the code under test use the client, then `try server.verify()`.
/// ```
///
/// A script is available in process (``transport(clock:)``), in an app's own sessions
/// (``sessionConfiguration(_:)``), and on a local port (``listen()``), for UI tests and other
/// processes.
///
/// If several stubs match a request, the one with the most conditions responds; among equals, the
/// first. A stub that has received its maximum number of requests no longer matches, so later stubs
/// can respond.
///
/// An unexpected request gets status 400 with a report as its JSON `message`. ``verify()`` reports
/// it too. With the trait `.verifiesMocks` of BrowseCoreTesting, it immediately becomes an issue of
/// the test, and `verify()` isn't needed. Elsewhere, it's a line on standard error.
///
/// A server is safe to use from any number of tasks.
public final class ScriptedServer: Sendable {
    let script: Monitor<Script>
    let clock: any Clock<Duration>
    private let scope = TestScope.current
    /// The registrations of the app's own sessions.
    let registrations = Mutex<[MockURLProtocol.Registration]>([])

    /// Creates a server without stubs.
    ///
    /// - Parameter clock: Measures delays; in this process, the clock of a container's
    ///   configuration replaces a real one.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.script = Monitor(Script())
        self.clock = clock
        scope?.remind { [script] in script.value.reminder }
    }

    /// Answers matching requests with one response.
    ///
    /// - Parameters:
    ///   - matcher: The requests to answer.
    ///   - times: The number of requests to expect.
    ///   - response: The response to each.
    ///   - fileID: The file to name in issues.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in issues.
    ///   - column: The column to name in issues.
    /// - Returns: The stub, to inspect its requests.
    @discardableResult
    public func on(
        _ matcher: RequestMatcher,
        times: CallCount = .atLeast(1),
        response: Response,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let position = SourcePosition(fileID: fileID, filePath: filePath, line: line, column: column)
        return add(Script.Stub(matcher: matcher, count: times, responses: [response], position: position))
    }

    /// Answers matching requests with responses in order, and expects a request for each.
    ///
    /// - Parameters:
    ///   - matcher: The requests to answer.
    ///   - responses: The responses in order; each is used once.
    ///   - fileID: The file to name in issues.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in issues.
    ///   - column: The column to name in issues.
    /// - Returns: The stub, to inspect its requests.
    @discardableResult
    public func on(
        _ matcher: RequestMatcher,
        responses: [Response],
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let position = SourcePosition(fileID: fileID, filePath: filePath, line: line, column: column)
        let count = CallCount.exactly(responses.count)
        return add(Script.Stub(matcher: matcher, count: count, responses: responses, position: position))
    }

    /// Answers requests to an address with one response; shorthand for a ``RequestMatcher`` with a
    /// query.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - address: A path or URL, as ``RequestMatcher`` takes it.
    ///   - query: Required query items, not percent-encoded; others may be present.
    ///   - times: The number of requests to expect.
    ///   - response: The response to each.
    ///   - fileID: The file to name in issues.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in issues.
    ///   - column: The column to name in issues.
    /// - Returns: The stub, to inspect its requests.
    @discardableResult
    public func on(
        _ method: HTTPMethod,
        _ address: String,
        query: [String: String] = [:],
        times: CallCount = .atLeast(1),
        response: Response,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let matcher = RequestMatcher(method, address).query(query)
        return on(
            matcher,
            times: times,
            response: response,
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// Answers requests to an address with responses in order, and expects a request for each.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - address: A path or URL, as ``RequestMatcher`` takes it.
    ///   - query: Required query items, not percent-encoded; others may be present.
    ///   - responses: The responses in order; each is used once.
    ///   - fileID: The file to name in issues.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in issues.
    ///   - column: The column to name in issues.
    /// - Returns: The stub, to inspect its requests.
    @discardableResult
    public func on(
        _ method: HTTPMethod,
        _ address: String,
        query: [String: String] = [:],
        responses: [Response],
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let matcher = RequestMatcher(method, address).query(query)
        return on(matcher, responses: responses, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Requires each stub to receive all requests that it expects before the next stub receives
    /// any.
    ///
    /// A request that is too early is unexpected, as is the first one of a stub that needs none, if
    /// the next stub has received one.
    public func expectOrder(_ stubs: Stub...) {
        guard stubs.allSatisfy({ $0.server === self }) else {
            let problem = "expectOrder(_:) knows no requests to another server. Pass stubs of one server."
            return report(problem, problem)
        }
        script.withLock { script in
            for (stub, next) in zip(stubs, stubs.dropFirst()) {
                script.stubs[next.index].predecessors.append(stub.index)
            }
        }
    }

    /// All requests in order of arrival, expected or not.
    public var requests: [HTTPClient.Request] { script.value.requests }

    /// Waits until the server has received a total number of requests, or the task is canceled.
    ///
    /// The wait has no time limit; use the trait `.timeLimit`.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - fileID: The file to name in issues.
    ///   - line: The line to name in issues.
    /// - Returns: All requests so far.
    @discardableResult
    public func waitForRequests(
        _ count: Int,
        fileID: String = #fileID,
        line: Int = #line
    ) async -> [HTTPClient.Request] {
        await script.wait(
            reminding: { "waitForRequests(\(count)) at \(fileID):\(line) waited. \($0.arrivals)" },
            until: { $0.requests.count >= count }
        )
        return requests
    }

    /// Releases all held responses, including those to later requests.
    ///
    /// To release responses one by one, use ``Response/computed(_:)`` with ``ControlledResponses``.
    public func release() {
        script.withLock { $0.isReleased = true }
    }

    /// Checks that every stub received the requests it expects, and that there were no others.
    ///
    /// - Throws: ``Mismatch``, whose description is a list.
    public func verify() throws(Mismatch) {
        let script = script.withLock { script in
            script.isVerified = true
            return script
        }
        let mismatch = Mismatch(missing: script.stubs.compactMap(\.shortfall), unexpected: script.unexpected)
        guard mismatch.missing.isEmpty, mismatch.unexpected.isEmpty else { throw mismatch }
    }

    /// Reports the unmet expectation of a stub, unless the test has verified the server itself.
    ///
    /// - Parameters:
    ///   - index: The index of the stub.
    ///   - end: How the test ended. It can have thrown an error before it sent the requests. Then
    ///     only a stub that other requests came instead of can be the cause, unless it had waited.
    private func reportShortfall(of index: Int, at end: TestScope.End, _ report: TestScope.Report) {
        let script = script.value
        let stub = script.stubs[index]
        guard !script.isVerified, let shortfall = stub.shortfall else { return }
        if let shadow = script.shadow(of: index) { return report(shadow, stub.position) }
        // An offline service answered them, or an earlier stub, or nothing did.
        if script.isLate(index) {
            let remedy = "Add it first, or repeat the call that sends one, such as refresh()."
            let problem = "Unused stub: requests matched \(stub.matcher) only before it was added."
            return report("\(problem) \(remedy)", stub.position)
        }
        let others = script.others(than: index)
        if end != .returned, others.isEmpty && end == .thrown || !stub.requests.isEmpty { return }
        let problem = end == .returned ? "Missing request" : "Unused stub, when the test threw an error"
        report("\(problem): \(shortfall)\(others)\(script.unusedHint)", stub.position)
    }

    private func add(_ stub: Script.Stub) -> Stub {
        let index = script.withLock { script in
            script.stubs.append(stub)
            script.stubs[script.stubs.count - 1].earlierCount = script.requests.count
            // Earlier verifications say nothing about it.
            script.isVerified = false
            return script.stubs.count - 1
        }
        // Tests that share a server verify their own stubs.
        let scope = TestScope.current ?? scope
        for end in TestScope.End.allCases { scope?.atEnd(end) { [self] in reportShortfall(of: index, at: end, $0) } }
        return Stub(server: self, index: index)
    }

    /// Records a problem other than a stub's number of requests.
    func report(_ summary: String, _ message: String, at position: SourcePosition? = nil) {
        script.withLock { $0.unexpected.append(summary) }
        TestScope.reportUnanswered(message, at: position, in: scope)
    }

    /// Records a request that neither the script nor its service answers.
    func reportUnanswered(_ request: HTTPClient.Request, _ message: String) {
        script.withLock { $0.unexpected.append(Script.name(of: request)) }
        TestScope.reportUnanswered(message, in: scope)
    }

    /// Reports the fault of a response, unless the test means it.
    ///
    /// - Parameter service: The offline service that has the script, and responds if no stub does.
    func report(_ fault: ScriptedFault, inResponseTo request: HTTPClient.Request, of service: String? = nil) {
        let state = script.value
        let names = state.hops(of: request)
        // The response to an unexpected request isn't scripted, and was reported.
        guard let name = names.last,
            names.allSatisfy({ !state.proxied.contains($0) && !state.unexpected.contains($0) })
        else { return }
        let service = state.decided.contains(name) ? nil : service
        let place = service == nil ? state.places[name] : nil
        switch fault {
        case .unproven(let status, let problem):
            let advice = Self.advice(onUnproven: status, problem: problem, body: state.bodies[name], of: service)
            TestScope.reportUnanswered("\(name)\(place?.ordinal ?? ""): \(advice)", at: place?.stub, in: scope)
        case .undecodable(let problem, let rowCount):
            // One report is enough for all attempts.
            guard !names.contains(where: state.undecodable.contains),
                script.withLock({ $0.undecodable.insert(name).inserted })
            else { return }
            let part = rowCount.map { $0 == 1 ? "1 row of the" : "\($0) rows of the" } ?? "The"
            let reason =
                switch problem {
                case .decoding(let failure): failure.description(in: state.bodies[name])
                case .empty: "it's empty. \(Self.adviceOnEmpty)"
                default: "\(problem)"
                }
            let body = part + (service.map { " body of \($0)" } ?? " scripted body")
            let remedy = service == nil ? "call undecodable() on it" : "script one with undecodable()"
            let text = "\(body) can't be decoded: \(reason). Correct it, or \(remedy)."
            let report = "\(name)\(place?.ordinal ?? ""): \(text)"
            // Elsewhere, apps and previews show the error.
            let scope = TestScope.current ?? scope
            // The data of a service can have such rows on purpose, and serves all tests.
            if service != nil, rowCount != nil {
                scope?.remind(.hint) { report }
            } else {
                scope?.record(report, at: place?.stub)
            }
        }
    }

    private static let adviceOnEmpty = "If the response has no value, make the endpoint an Endpoint<Void>"

    /// The report of an error without the evidence of its service.
    private static func advice(
        onUnproven status: Int,
        problem: BrowseError.UnusableResponse?,
        body: Data?,
        of service: String?
    ) -> String {
        let cause = problem == nil ? "Nothing" : "The body can't be decoded, and nothing"
        let detail =
            switch problem {
            case .decoding(let failure)?: " The problem of the body is \(failure.description(in: body))."
            case .empty?: " It's empty. \(adviceOnEmpty)."
            case .status?: " The endpoint expects another status, or no body."
            case let problem?: " The problem of the body is \(problem)."
            case nil: ""
            }
        // Each service has a form of its own.
        let mock = status == 429 ? "use its own mock of a rate limit, " : ""
        let scripted = "the header fields of its fixtures, \(mock)or call ofProxy() on the response"
        let own = "Content-Type: application/json, also in failure(of:in:), or script a proxy's with ofProxy()"
        let response = service.map { "\(status) of \($0)" } ?? "scripted \(status)"
        return """
            \(cause) proves that the \(response) is the service's, so the client takes it for a proxy's. Add the \
            evidence that the service declares, such as \(service == nil ? scripted : own).\(detail)
            """
    }

    /// Whether a request arrived, to which the script or its offline service responded.
    func hasReceived(_ request: HTTPClient.Request) -> Bool { script.value.redirects[Script.name(of: request)] != nil }

    /// Notes the body of an offline service's own response, which reports of its fault compare.
    func note(_ body: Data, inResponseTo request: HTTPClient.Request) {
        guard (TestScope.current ?? scope) != nil else { return }
        script.withLock { $0.bodies[Script.name(of: request)] = body }
    }

    /// Records a request with a method that stubs can't have.
    func reportUnsupported(_ name: String) {
        report(name, HTTPMethod.unsupported(name))
    }

    /// Whether a stub decides the response to a request.
    func decides(_ request: HTTPClient.Request) -> Bool { script.value.decides(request) }

    /// Takes the response to a request from the script; `nil` if no stub decides it.
    func takeIfDecided(_ request: HTTPClient.Request) -> Response? {
        let result = script.withLock { script in
            let name = script.enter(request)
            if script.decides(request) {
                script.decided.insert(name)
                return script.take(request) as Result?
            }
            // Marks of a scripted response to the request don't apply to the service's.
            if script.decided.remove(name) != nil {
                script.proxied.remove(name)
                script.undecodable.remove(name)
            }
            if scope != nil { script.undecided[name] = request }
            return nil
        }
        return result.map { response(of: $0, to: request.url) }
    }

    /// Takes the response to a request from the script.
    func take(_ request: HTTPClient.Request) -> Response {
        let result = script.withLock { script in
            script.enter(request)
            return script.take(request)
        }
        return response(of: result, to: request.url)
    }

    private func response(of result: Result<Response, Script.Rejection>, to url: URL) -> Response {
        switch result {
        case .success(let response): return response
        case .failure(let rejection):
            TestScope.reportUnanswered(rejection.report, in: scope)
            return .unexpected(rejection.report, to: url)
        }
    }
}

extension ScriptedServer {
    /// The stub that a call of `on` adds.
    public struct Stub: Sendable {
        let server: ScriptedServer
        let index: Int

        /// The requests that the stub answered, in order of arrival.
        public var requests: [HTTPClient.Request] { server.script.value.stubs[index].requests }

        /// Waits until the stub has answered a number of requests, or until the task is canceled.
        ///
        /// - Parameters:
        ///   - count: The number of requests.
        ///   - fileID: The file to name in issues.
        ///   - line: The line to name in issues.
        /// - Returns: Its requests so far.
        @discardableResult
        public func waitForRequests(
            _ count: Int,
            fileID: String = #fileID,
            line: Int = #line
        ) async -> [HTTPClient.Request] {
            let index = index
            await server.script.wait(
                reminding: { script in
                    let name = "waitForRequests(\(count)) of the stub \(script.stubs[index].matcher)"
                    return "\(name) at \(fileID):\(line) waited. \(script.arrivals)"
                },
                until: { $0.stubs[index].requests.count >= count }
            )
            return requests
        }
    }

    /// The differences between the script and the received requests.
    public struct Mismatch: Error, Hashable, CustomStringConvertible {
        /// The stubs that received fewer requests than they expect.
        public let missing: [String]
        /// The requests that no stub answered, and the responses that couldn't be created.
        public let unexpected: [String]

        /// Creates a mismatch, to compare with one that was thrown.
        public init(missing: [String] = [], unexpected: [String] = []) {
            self.missing = missing
            self.unexpected = unexpected
        }

        /// One line for each difference.
        public var description: String {
            (missing.map { "missing: \($0)" } + unexpected.map { "unexpected: \($0)" }).joined(separator: "\n")
        }
    }
}
