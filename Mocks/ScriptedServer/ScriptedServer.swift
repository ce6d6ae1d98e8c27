public import BrowseData
import Foundation

/// A server that answers by a test's script, and fails loudly at anything that the script does not say.
///
/// The client above it is the real one, `URLSession` included; only the network is missing. A request that was not scripted
/// is never sent: it fails with an error that says what was asked and what was expected, and ``verify()`` reports it.
///
/// ```swift
/// let server = ScriptedServer()
/// server.on(.get, "/users/octocat", response: .fixture("GitHub/user-octocat"))
/// server.on(.get, "/users/octocat/followers", query: ["page": "2"], responses: [.status(500), .json("[]")])
///
/// let client = HTTPClient(service: .gitHub(baseURL: baseURL, userAgent: "Tests"), transport: server.transport())
/// // Let the code under test use the client, then `try server.verify()`.
/// ```
///
/// A rule fits a request of its method and path whose query has at least the rule's items. The host does not matter; the
/// path is the whole path, with the base address's (`/api/v3/users/octocat`). Of several rules that fit and have a response
/// left, the one with the most query items answers; among equals, the one that was set up first. So a sequence can be
/// followed by a rule that takes over when it is used up.
///
/// Any number of servers work side by side, and each may be used from any number of tasks at once.
public final class ScriptedServer: Sendable {
    let script: Monitor<Script>
    private let clock: any Clock<Duration>

    /// Creates a server without a script, which fails at every request.
    ///
    /// - Parameter clock: Measures ``Response/after(_:_:)``; give a ``TestClock`` to be in charge of the time.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.script = Monitor(Script())
        self.clock = clock
    }

    /// Answers every request that fits with the same response; ``verify()`` demands at least one.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: The request's whole path, percent-encoded or not.
    ///   - query: Items that the request's query must have among others; names and values are not percent-encoded.
    ///   - response: What comes back.
    public func on(_ method: HTTPMethod, _ path: String, query: [String: String] = [:], response: Response) {
        add(Script.Rule(method: method, path: path, query: query, responses: [response], lastStays: true))
    }

    /// Answers the requests that fit with one response after the other; ``verify()`` demands that all are used.
    ///
    /// When they are used up, another request is unexpected, unless another rule fits it.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: The request's whole path, percent-encoded or not.
    ///   - query: Items that the request's query must have among others; names and values are not percent-encoded.
    ///   - responses: What comes back, in order; each is used once.
    public func on(_ method: HTTPMethod, _ path: String, query: [String: String] = [:], responses: [Response]) {
        add(Script.Rule(method: method, path: path, query: query, responses: responses, lastStays: false))
    }

    /// Every request that came, in order, expected or not.
    public var requests: [HTTPRequest] { script.value.requests }

    /// Waits until at least so many requests have come in all, or until the calling task is canceled.
    ///
    /// A test that waits for a request that never comes waits for ever; the trait `.timeLimit` ends it.
    ///
    /// - Returns: Every request so far.
    @discardableResult
    public func waitForRequests(_ count: Int) async -> [HTTPRequest] {
        await script.wait { $0.requests.count >= count }
        return requests
    }

    /// Lets every response go that is ``Response/held(_:)``, those to come included.
    ///
    /// To let responses go one by one, in an order of your own, answer by ``Response/computed(_:)`` with ``ControlledResponses``.
    public func release() {
        script.withLock { $0.isReleased = true }
    }

    /// Checks that everything that was scripted was asked for, and nothing else.
    ///
    /// - Throws: ``Mismatch``, which prints as a list of what is wrong.
    public func verify() throws(Mismatch) {
        let script = script.value
        let mismatch = Mismatch(missing: script.rules.compactMap(\.shortfall), unexpected: script.unexpected)
        guard mismatch.missing.isEmpty, mismatch.unexpected.isEmpty else { throw mismatch }
    }

    /// A real transport whose every request comes to this server, which it keeps alive.
    ///
    /// - Parameter clock: Measures `HTTPLimits.duration`, the time limit of a request; the clock of this server unless given.
    public func transport(clock: (any Clock<Duration>)? = nil) -> any HTTPTransport {
        MockedTransport(clock: clock ?? self.clock) { [self] request in await answer(to: request) }
    }

    private func add(_ rule: Script.Rule) {
        script.withLock { $0.rules.append(rule) }
    }

    private func answer(to request: HTTPRequest) async -> Result<HTTPResponse, URLError> {
        switch script.withLock({ $0.take(request) }) {
        case .success(let response):
            return await perform(response, for: request)
        case .failure(let complaint):
            return .failure(URLError(.resourceUnavailable, saying: complaint.text))
        }
    }

    private func perform(_ response: Response, for request: HTTPRequest) async -> Result<HTTPResponse, URLError> {
        switch response.content {
        case .response(let status, let headers, let body):
            return .success(HTTPResponse(status: status, headers: headers, body: body, url: request.url))
        case .fixture(let name, let status, let headers):
            do throws(Fixture.Missing) {
                let fixture = try Fixture(name)
                return .success(HTTPResponse(status: status, headers: headers, body: fixture.data, url: request.url))
            } catch {
                script.withLock { $0.unexpected.append("\(Script.name(of: request)): \(error)") }
                return .failure(URLError(.resourceUnavailable, saying: "\(error)"))
            }
        case .failure(let code):
            return .failure(URLError(code))
        case .after(let delay, let response):
            guard (try? await clock.sleep(for: delay)) != nil else { return .failure(URLError(.cancelled)) }
            return await perform(response, for: request)
        case .held(let response):
            await script.wait { $0.isReleased }
            guard !Task.isCancelled else { return .failure(URLError(.cancelled)) }
            return await perform(response, for: request)
        case .computed(let compute):
            return await perform(await compute(request), for: request)
        }
    }
}

extension ScriptedServer {
    /// How what was asked differs from what was scripted.
    public struct Mismatch: Error, Hashable, CustomStringConvertible {
        /// What was scripted and not asked for, or not as often.
        public let missing: [String]
        /// What was asked for and not scripted, or more often; also scripted responses that could not be made.
        public let unexpected: [String]

        /// Creates a list, to compare with.
        public init(missing: [String] = [], unexpected: [String] = []) {
            self.missing = missing
            self.unexpected = unexpected
        }

        /// One line for each thing that is wrong.
        public var description: String {
            (missing.map { "not asked for: \($0)" } + unexpected.map { "not expected: \($0)" }).joined(separator: "\n")
        }
    }
}
