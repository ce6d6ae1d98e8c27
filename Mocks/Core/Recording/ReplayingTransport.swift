public import BrowseData
public import BrowseDomain
import Foundation

/// A transport that answers requests from a recording, without a network.
///
/// ```swift
/// let replay = ReplayingTransport(try Recording(contentsOf: folder))
/// let container = Container.production(on: replay, services: services)
/// ```
///
/// Requests match recorded ones by method, URL, and body, in any order of query items, form fields,
/// and members of JSON, and however addresses and forms are escaped. Secrets match if their digests
/// do, except those in ``RecordingRules/ignoredParameters``.
/// Equal requests get their responses in recorded order.
///
/// A request without a recorded response gets status 400 with a report as its JSON `message`. In a
/// test with the trait `.verifiesMocks` or `.replay` of BrowseCoreTesting, it's also an issue, as
/// are missing requests at the end of the test. Elsewhere, it's a line on standard error.
public final class ReplayingTransport: HTTPTransport {
    /// The matching of requests with recorded responses.
    public enum Mode: Sendable {
        /// Each recorded response is used for one equal request.
        ///
        /// ``ReplayingTransport/verify()`` requires the use of all responses.
        case strict
        /// Ignores bodies, and repeats the last of the matching responses when all are used.
        case loose
        /// Like `strict`, but requests without a response go to a transport and are recorded.
        case recordMissing(from: any HTTPTransport)
    }

    /// The differences between the recorded and the received requests.
    public struct Mismatch: Error, Hashable, CustomStringConvertible {
        /// The recorded requests that weren't received.
        public let missing: [String]
        /// The requests without a recorded response.
        public let unexpected: [String]

        /// One line for each difference, and a line of advice.
        public var description: String {
            (missing.map { "not requested: \($0)" } + unexpected.map { "not recorded: \($0)" } + [
                ReplayingTransport.advice
            ])
            .joined(separator: "\n")
        }
    }

    struct State: Sendable {
        /// The indices of the unused recorded responses.
        var unused: [Int]
        var released: Set<Int> = []
        var unexpected: [String] = []
        /// Whether a request isn't recorded, so that the recorded order can't be restored.
        var isOutdated = false
        var isVerified = false
    }

    private let original: Recording
    private let identities: [RequestIdentity]
    private let mode: Mode
    private let releasesInRecordedOrder: Bool
    private let rules: RecordingRules
    private let key: String
    private let recorder: RecordingTransport?
    private let state: Monitor<State>
    private let scope = TestScope.current
    private let clock: any Clock<Duration>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - recording: The exchanges to replay.
    ///   - mode: The matching of requests with recorded responses.
    ///   - releasesInRecordedOrder: Whether responses complete in the recorded order. If so, all
    ///     recorded requests must be sent, because a response waits for earlier ones, at most for
    ///     `HTTPLimits.duration`. A request that isn't recorded ends all waits.
    ///   - rules: The rules of the recording, which identify the secrets in requests.
    ///   - clock: Measures the time limits of requests.
    public init(
        _ recording: Recording,
        mode: Mode = .strict,
        releasesInRecordedOrder: Bool = false,
        rules: RecordingRules = RecordingRules(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        original = recording
        let key = RecordingSecrets.key(of: recording) ?? RecordingSecrets.randomKey()
        self.key = key
        identities = recording.exchanges.map { rules.identity(method: $0.method, url: $0.url, body: $0.body, key: key) }
        self.mode = mode
        self.releasesInRecordedOrder = releasesInRecordedOrder
        self.rules = rules
        self.clock = clock
        if case .recordMissing(let transport) = mode {
            recorder = RecordingTransport(over: transport, rules: rules, key: key)
        } else {
            recorder = nil
        }
        state = Monitor(State(unused: Array(recording.exchanges.indices)))
        scope?.atEnd { [self] report in reportMissing(report) }
        let bodies = recording.exchanges.compactMap { exchange in
            if case .response(let response) = exchange.outcome { response.body } else { nil }
        }
        let corpus = FixtureKeys.Corpus(name: "\(ObjectIdentifier(self))") { bodies }
        for body in bodies { scope?.keys.add(body, of: corpus) }
    }

    /// The recording and newly recorded exchanges; write it to complete the original.
    public var recording: Recording {
        var recording = original
        let count = recording.exchanges.map(\.completion).max() ?? 0
        recording.exchanges += (recorder?.recording.exchanges ?? []).map { exchange in
            var exchange = exchange
            exchange.completion += count
            return exchange
        }
        return recording
    }

    /// Checks that all recorded requests were sent, and no others.
    ///
    /// With ``Mode/loose``, recorded requests can be missing.
    ///
    /// - Throws: ``Mismatch``, whose description is a list.
    public func verify() throws(Mismatch) {
        let state = state.withLock { state in
            state.isVerified = true
            return state
        }
        let missing = missing(in: state)
        guard missing.isEmpty, state.unexpected.isEmpty else {
            throw Mismatch(missing: missing, unexpected: state.unexpected)
        }
    }

    private func missing(in state: State) -> [String] {
        if case .loose = mode { return [] }
        return state.unused.map { Self.name(of: original.exchanges[$0]) }
    }

    /// Reports the missing requests, unless the test has verified the transport itself.
    private func reportMissing(_ report: TestScope.Report) {
        let state = state.value
        let missing = missing(in: state)
        guard !state.isVerified, !missing.isEmpty else { return }
        let isUsed = state.unused.count < identities.count || !state.unexpected.isEmpty
        let unused = "No request came. Is this the container's transport?"
        let advice = isUsed ? "\(Self.advice) Or delete these exchanges." : unused
        report((missing.map { "Recorded, but not requested: \($0)" } + [advice]).joined(separator: "\n"), nil)
    }

    /// Answers a request with its recorded response.
    ///
    /// A browser records redirects, too, which are followed to other recorded responses.
    public func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        try await RedirectPolicy.follow(request) { hop async throws(BrowseError) in try await answer(to: hop) }
    }

    private func answer(to request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        guard let index = take(request) else {
            if let recorder { return try await recorder.send(request) }
            let response = reject(request)
            return try await respond(to: request) { .success(response) }
        }
        // Also after a failure, so that a canceled request doesn't block the others.
        defer { state.withLock { _ = $0.released.insert(index) } }
        let exchange = original.exchanges[index]
        if case .response(let response) = exchange.outcome, response.status == 304,
            request.headers["If-None-Match"] == nil, request.headers["If-Modified-Since"] == nil
        {
            let reason = "is a 304, whose body was in a cache. Record again with an empty cache folder."
            TestScope.reportUnanswered("The recorded response to \(Self.name(of: exchange)) \(reason)", in: scope)
        }
        let earlier = releasesInRecordedOrder ? exchanges(before: exchange) : []
        do throws(BrowseError) {
            var response = try await respond(to: request) { [state] in
                await state.suspend { $0.isOutdated || earlier.isSubset(of: $0.released) }
                // Without the field, this one isn't followed with the same answer.
                return Self.answer(exchange, to: request).map { answer in
                    var answer = answer
                    answer.headers["Location"] = nil
                    return answer
                }
            }
            response.headers["Location"] = Self.location(in: exchange)
            return response
        } catch {
            reportBlocked(exchange, by: earlier)
            throw error
        }
    }

    private func exchanges(before exchange: Recording.Exchange) -> Set<Int> {
        Set(original.exchanges.indices.filter { original.exchanges[$0].completion < exchange.completion })
    }

    /// Applies the time limit and other rules that all transports share.
    private func respond(
        to request: HTTPClient.Request,
        answer: @escaping @Sendable () async -> Result<HTTPClient.Response, URLError>
    ) async throws(BrowseError) -> HTTPClient.Response {
        var request = request
        request.limits.redirects = 0
        return try await InProcessTransport(clock: clock) { _ in await answer() }.send(request)
    }

    private func take(_ request: HTTPClient.Request) -> Int? {
        // A key in the query identifies a request no more than one in a header field.
        let keys = request.headers.declaredCredentials
        // A token is in the recorded URL as it is, unless a header field named it.
        let wanted = [request.headers, [:]].map { headers in
            rules.identity(method: request.method, url: request.url, headers: headers, body: request.body, key: key)
                .ignoringValues(of: keys)
        }
        return state.withLock { state in
            let isLoose = if case .loose = mode { true } else { false }
            func fits(_ index: Int) -> Bool {
                let recorded = identities[index].ignoringValues(of: keys)
                return wanted.contains { isLoose ? recorded.isSimilar(to: $0) : recorded == $0 }
            }
            if let place = state.unused.firstIndex(where: fits) { return state.unused.remove(at: place) }
            let last = isLoose ? identities.indices.last(where: fits) : nil
            if last == nil { state.isOutdated = true }
            return last
        }
    }

    /// Records why a failed response was waiting: earlier responses, to requests that weren't sent.
    private func reportBlocked(_ exchange: Recording.Exchange, by earlier: Set<Int>) {
        let state = state.value
        let missing = earlier.intersection(state.unused).sorted().map { Self.name(of: original.exchanges[$0]) }
        guard !missing.isEmpty, !state.isOutdated else { return }
        TestScope.reportUnanswered(
            "The response to \(Self.name(of: exchange)) waited for earlier responses, to requests that "
                + "weren't sent: \(missing.joined(separator: ", ")).\n\(Self.advice)",
            in: scope
        )
    }

    private func reject(_ request: HTTPClient.Request) -> HTTPClient.Response {
        let name = name(of: request)
        // As they are compared.
        let keys = request.headers.declaredCredentials
        let identity = rules.identity(method: request.method, url: request.url, body: request.body, key: key)
            .ignoringValues(of: keys)
        let identities = identities.map { $0.ignoringValues(of: keys) }
        let closeness = identities.map { $0.closeness(to: identity) }
        var lines = ["Request without a recorded response: \(name)"]
        if identities.contains(identity) {
            lines.append("All recorded responses to it are used.")
        } else if let closest = identities.indices.max(by: { closeness[$0] < closeness[$1] }) {
            let (name, recorded) = (Self.name(of: original.exchanges[closest]), identities[closest])
            let isOther = recorded.isSimilar(to: identity)
            lines.append("The closest recorded request is \(name)\(isOther ? ", with another body:" : ".")")
            // Without secrets.
            if isOther { lines += ["- \(recorded.body.prefix(500))", "+ \(identity.body.prefix(500))"] }
        }
        if let source = original.source { lines.append("Recording: \(source.path(percentEncoded: false))") }
        lines.append(Self.advice)
        let report = lines.joined(separator: "\n")
        state.withLock { $0.unexpected.append(name) }
        TestScope.reportUnanswered(report, in: scope)
        return HTTPClient.Response(
            status: 400,
            headers: .json(and: [:]),
            body: .report(report, to: request.url),
            url: request.url
        )
    }

    private static func answer(
        _ exchange: Recording.Exchange,
        to request: HTTPClient.Request
    ) -> Result<HTTPClient.Response, URLError> {
        switch exchange.outcome {
        case .failure(let code): .failure(URLError(code))
        case .response(let response):
            .success(
                HTTPClient.Response(
                    status: response.status,
                    headers: response.headers,
                    body: response.body,
                    url: response.url ?? request.url
                )
            )
        }
    }

    private static func location(in exchange: Recording.Exchange) -> String? {
        if case .response(let response) = exchange.outcome { response.headers["Location"] } else { nil }
    }

    private static func name(of exchange: Recording.Exchange) -> String {
        "\(exchange.method.rawValue) \(exchange.url.absoluteString)"
    }

    /// Returns the name of a request without secrets, which logs of tests would show.
    private func name(of request: HTTPClient.Request) -> String {
        let exchange = Recording.Exchange(
            method: request.method,
            url: request.url,
            headers: request.headers,
            outcome: .failure(.unknown),
            completion: 0
        )
        return rules.cleaned([exchange], key: key).map { Self.name(of: $0) }.joined()
    }

    fileprivate static var advice: String {
        "If the requests changed on purpose, record again with RecordingTransport, or complete the recording with "
            + "mode: .recordMissing(from: HTTPClient.makeTransport())."
    }
}

extension ReplayingTransport: ScriptedTransport {
    /// Names a recorded error that the client takes for a proxy's, on standard error.
    ///
    /// A proxy's may have been recorded.
    package func didFind(_ fault: ScriptedFault, inResponseTo request: HTTPClient.Request) {
        guard case .unproven(let status, _) = fault else { return }
        let name = name(of: request)
        let text = """
            Nothing proves that the recorded \(status) to \(name) is the service's, so the client takes it for a \
            proxy's. If the service's evidence is a header field, add its name to RecordingRules.provingPrefixes, and \
            record again.
            """
        try? FileHandle.standardError.write(contentsOf: Data("BrowseKit: \(text)\n".utf8))
    }
}
