@_spi(Services) import BrowseData
import Foundation

/// The stubs of a scripted server, and the requests it received.
struct Script: Sendable {
    /// A matcher, its responses, and the requests that it has answered.
    struct Stub: Sendable {
        let matcher: RequestMatcher
        let count: CallCount
        let responses: [ScriptedServer.Response]
        let position: SourcePosition
        /// The number of requests that came before it was added.
        var earlierCount = 0
        /// The stubs that must have received their requests before this one.
        var predecessors: [Int] = []
        var requests: [HTTPClient.Request] = []

        /// Whether it has received its maximum number of requests.
        var isUsedUp: Bool { count.most.map { requests.count >= $0 } ?? false }

        /// The missing requests, in words; `nil` when there are none.
        var shortfall: String? {
            guard requests.count < count.least else { return nil }
            let received = requests.isEmpty ? "" : ", received \(CallCount.times(requests.count))"
            return "\(matcher): expected \(count)\(received)"
        }

        /// Which of several responses was the last, in words; empty for a single one.
        var ordinal: String { responses.count > 1 ? ", response \(requests.count) of \(responses.count)" : "" }

        mutating func take(_ request: HTTPClient.Request) -> ScriptedServer.Response? {
            requests.append(request)
            return responses.isEmpty ? nil : responses[min(requests.count, responses.count) - 1]
        }
    }

    /// The descriptions of a request without a response.
    struct Rejection: Error {
        /// One line for `verify()`.
        let summary: String
        /// The full report, with the closest stub.
        let report: String
    }

    /// The place of a response in the test.
    struct Place: Hashable {
        let stub: SourcePosition
        let ordinal: String
    }

    /// Returns why no request comes: nothing uses the offline service, or a listener was released.
    var idleHint: @Sendable () -> String = { "" }
    var stubs: [Stub] = []
    var requests: [HTTPClient.Request] = []
    /// The requests that a service answered itself, by their names, in a test that reports unused
    /// stubs.
    var undecided: [String: HTTPClient.Request] = [:]
    var unexpected: [String] = []
    /// The requests that a proxy answered in the service's place, by their names.
    var proxied: Set<String> = []
    /// The requests whose responses can't be decoded on purpose, or were reported, by their names.
    var undecodable: Set<String> = []
    /// The responses that answered requests last, by their names.
    var places: [String: Place] = [:]
    /// The bodies that answered requests last, by their names.
    var bodies: [String: Data] = [:]
    /// The statuses that answered requests last, by their names.
    var statuses: [String: Int] = [:]
    /// The requests that the script answered last in an offline service's place, by their names.
    var decided: Set<String> = []
    /// The names of a request and of its last redirects, by the name of the request.
    ///
    /// A client reports a fault of any of them by the request, which is the first.
    var redirects: [String: [String]] = [:]
    /// The requests whose responses were held, and not released.
    var held: [String] = []
    var isReleased = false
    var isVerified = false

    /// Whether a stub decides the response to a request.
    func decides(_ request: HTTPClient.Request) -> Bool {
        stubs.contains { $0.matcher.matches(request) && (!$0.isUsedUp || $0.count == .never) }
    }

    /// Notes a request as the last one of its redirects, and returns its name.
    @discardableResult
    mutating func enter(_ request: HTTPClient.Request) -> String {
        let (name, original) = (Self.name(of: request), InProcessTransport.original ?? request)
        let key = Self.name(of: original)
        redirects[key] = (request.url == original.url ? [] : redirects[key] ?? []) + [name]
        return name
    }

    /// The names of a request and of those that its redirects led to.
    func hops(of request: HTTPClient.Request) -> [String] {
        let name = Self.name(of: request)
        return redirects[name] ?? [name]
    }

    /// Records a request and takes its response.
    mutating func take(_ request: HTTPClient.Request) -> Result<ScriptedServer.Response, Rejection> {
        requests.append(request)
        let fitting = stubs.indices.filter { stubs[$0].matcher.matches(request) }
        let usable = fitting.filter { !stubs[$0].isUsedUp || stubs[$0].count == .never }
        let best = usable.max {
            (stubs[$0].matcher.conditions.count, -$0) < (stubs[$1].matcher.conditions.count, -$1)
        }
        guard let best, stubs[best].count != .never else {
            return .failure(reject(request, fitting: best ?? fitting.last))
        }
        // One that may not come at all comes late if what it precedes has come.
        let next = stubs.first { $0.predecessors.contains(best) && !$0.requests.isEmpty }
        let late = stubs[best].requests.isEmpty ? next.map { "after \($0.matcher)" } : nil
        let early = stubs[best].predecessors.first { stubs[$0].shortfall != nil }
        if let place = early.map({ "before \(stubs[$0].matcher)" }) ?? late {
            let summary = "\(Self.name(of: request)) came \(place)"
            unexpected.append(summary)
            return .failure(Rejection(summary: summary, report: "Request out of order: \(summary)"))
        }
        guard let response = stubs[best].take(request) else {
            return .failure(reject(request, fitting: best))
        }
        let (name, place) = (Self.name(of: request), Place(stub: stubs[best].position, ordinal: stubs[best].ordinal))
        // Marks of another response to the request don't apply to this one.
        if places.updateValue(place, forKey: name) != place {
            proxied.remove(name)
            undecodable.remove(name)
        }
        return .success(response)
    }

    private mutating func reject(_ request: HTTPClient.Request, fitting index: Int?) -> Rejection {
        let summary = Self.name(of: request)
        unexpected.append(summary)
        var lines = ["Unexpected request: \(request.method.rawValue) \(request.url.absoluteString)"]
        if let index {
            let stub = stubs[index]
            let place = "The stub \(stub.matcher) (\(stub.position))"
            lines.append("\(place) matches it, but expects it \(stub.count).\(retryHint(for: request))")
        } else if let closest = closest(to: request) {
            let stub = stubs[closest]
            lines.append("The closest stub is \(stub.matcher) (\(stub.position)):")
            for condition in stub.matcher.conditions where !condition.isMet(request) {
                lines.append("- \(condition.name): \(condition.expected)")
                lines.append("+ \(condition.name): \(condition.actual(request))")
            }
            let others = stubs.indices.filter { $0 != closest }.map { stubs[$0].matcher.description }
            if !others.isEmpty { lines.append("Other stubs: \(others.joined(separator: ", "))") }
        } else {
            let lack = stubs.isEmpty ? "The server has no stubs." : "No stub has its method or path."
            lines.append("\(lack) Add one: server.on(\(Self.hint(for: request)), response: .json(\"{}\"))")
            if !stubs.isEmpty { lines.append("The stubs: \(stubs.map(\.matcher.description).joined(separator: ", "))") }
        }
        return Rejection(summary: summary, report: lines.joined(separator: "\n"))
    }

    /// A sentence about an attempt that the client repeats by itself; empty for a first one.
    private func retryHint(for request: HTTPClient.Request) -> String {
        let name = Self.name(of: request)
        let attempts = requests.filter { $0.isAttempt(with: request) && Self.name(of: $0) == name }
        guard attempts.count > 1 else { return "" }
        let attempt = " It's attempt \(attempts.count) of the request"
        let tokens = attempts.suffix(2).compactMap { $0.headers["Authorization"] }
        let status = statuses[name] ?? 0
        // Whatever the retries, since not all servers may know a new token.
        if tokens.count == 2, let (times, count) = [401: ("three times", "four"), 403: ("twice", "three")][status] {
            guard tokens[0] == tokens[1] else { return "\(attempt), with a newer token. Add a response for each." }
            return """
                \(attempt): the \(status) of a token that is less than ten seconds old is repeated \(times). Pass a single \
                response:, or \(count) of responses:.
                """
        }
        return "\(attempt), a retry. Add a response for each, or set Configuration.retries to .never."
    }

    /// The stub with the fewest unmet conditions, preferably with the request's path.
    ///
    /// - Returns: The index; `nil` if all stubs are for other requests.
    private func closest(to request: HTTPClient.Request) -> Int? {
        stubs.indices.filter { stubs[$0].matcher.isClose(to: request) }.min { score($0, request) < score($1, request) }
    }

    private func score(_ index: Int, _ request: HTTPClient.Request) -> (Int, Int, Int) {
        let unmet = stubs[index].matcher.conditions.filter { !$0.isMet(request) }
        return (unmet.count, unmet.contains { $0.name == "path" } ? 1 : 0, index)
    }

    /// The problem of a stub whose requests an equal one without a limit answered; `nil` if there
    /// is none.
    func shadow(of index: Int) -> String? {
        let stub = stubs[index]
        guard stub.requests.isEmpty else { return nil }
        let rival = stubs[..<index].first { other in
            other.matcher.conditions.count == stub.matcher.conditions.count && other.count.most == nil
                && other.requests.contains(where: stub.matcher.matches)
        }
        guard let rival else { return nil }
        let remedy = "Pass all responses in one call, as responses: […], or limit that stub with times:."
        return "Unused stub: \(rival.matcher) (\(rival.position)) came first, and answers before it. \(remedy)"
    }

    /// Whether a stub has no requests, since all that match it came before it was added.
    func isLate(_ index: Int) -> Bool {
        let stub = stubs[index]
        let earlier = requests.prefix(stub.earlierCount) + undecided.values
        return earlier.contains(where: stub.matcher.matches)
            && !requests.dropFirst(stub.earlierCount).contains(where: stub.matcher.matches)
    }

    /// The requests that came instead of a stub's, one in a line, the closest first.
    func others(than stub: Int) -> String {
        var others = undecided
        for request in requests { others[Self.name(of: request)] = request }
        for request in stubs[stub].requests { others[Self.name(of: request)] = nil }
        let names = others.map { (score: score(stub, $1), name: $0) }
            .sorted { ($0.score.0, $0.score.1, $0.name) < ($1.score.0, $1.score.1, $1.name) }.map(\.name)
        guard !names.isEmpty else { return "" }
        let more = names.count > 5 ? "\n… (\(names.count - 5) others)" : ""
        return ", but there were:" + names.prefix(5).map { "\n- \($0)" }.joined() + more
    }

    /// Why a stub has no requests, if nothing came at all; otherwise empty.
    var unusedHint: String {
        let hint = idleHint()
        guard hint.isEmpty, requests.isEmpty, undecided.isEmpty else { return hint }
        return ": no request came before the test ended. Await the call that sends it."
    }

    /// A sentence about a held response; `nil` if there is none.
    var reminder: String? {
        held.first.map { "the response to \($0) was held. Call release() of the server before awaiting the work." }
    }

    /// The requests that came, one in a line, with advice for a wait for others.
    var arrivals: String {
        let names = requests.map { "\n- \(Self.name(of: $0))" }.joined()
        return "Send the requests in a task before it. " + (names.isEmpty ? "No request came." : "These came:\(names)")
    }

    /// Code that creates a matcher of a request.
    static func hint(for request: HTTPClient.Request) -> String {
        var path = request.path.removingPercentEncoding ?? request.path
        // Another address without the escapes, or another literal.
        let isLiteral = !path.unicodeScalars.contains { $0 == "\\" || $0.value < 0x20 }
        if !isLiteral || !RequestMatcher(request.method, path).matches(request) { path = request.path }
        return ".\(request.method.rawValue.lowercased())(\"\(path.replacing("\"", with: "\\\""))\")"
    }

    /// A request in one line, without its host.
    static func name(of request: HTTPClient.Request) -> String {
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        return "\(request.method.rawValue) \(request.path)\(query)"
    }
}
