import BrowseData
public import Foundation
import Synchronization

/// The behavior of an offline service: a default, exceptions for some requests, and added
/// responses.
///
/// ```swift
/// books.scenarios.set(.serverError, for: .any.query(["page": "2"]))  // the second page fails
/// books.scenarios.set(.offline, for: .any, probability: 0.1, seed: 7)  // one request in ten fails
/// books.script.on(.get, "/editions.json", response: .json("[]"))  // one more endpoint
/// ```
///
/// Changes apply to the next request. With the trait `.verifiesMocks` of BrowseCoreTesting, a
/// scenario that was set for some requests, and not for `.any`, is an issue at its line if none of
/// them came before another one for the same requests replaced it. Safe to use from any number of
/// tasks.
public final class OfflineScenarios: Sendable {
    private final class Rule: Sendable {
        let matcher: RequestMatcher
        let scenario: Scenario
        let probability: Double
        let seed: UInt64
        let position: SourcePosition
        /// Whether a request matched before the scenario was set.
        let isLate: Bool
        /// Whether a request matched, also one that chance or a rule for other requests decided.
        let hasMatched = Atomic(false)
        /// The position of a rule for the same requests that decided one in place of this rule.
        let replacement = Mutex<SourcePosition?>(nil)

        init(
            _ scenario: Scenario,
            _ matcher: RequestMatcher,
            _ chance: (Double, seed: UInt64),
            _ position: SourcePosition,
            after requests: some Sequence<HTTPClient.Request>
        ) {
            self.matcher = matcher
            isLate = requests.contains(where: matcher.matches)
            self.scenario = scenario
            (probability, seed) = chance
            self.position = position
        }

        /// Notes that a request matched, which a later rule always decides if it isn't `nil`.
        func match(shadowedBy other: Rule?) {
            if let other, other !== self, other.matcher.description == matcher.description {
                replacement.withLock { $0 = other.position }
            } else {
                hasMatched.store(true, ordering: .relaxed)
            }
        }
    }

    private struct State: Sendable {
        var all: Scenario
        /// Whether the default was set, so that the test's end checks whether that had an effect.
        var isSet = false
        /// Whether the default was set after requests, and none followed.
        var isLate = false
        /// Whether a container or a client has the service.
        var isInUse = false
        var rules: [Rule] = []
        /// The number of requests so far, by method and URL.
        var counts: [String: UInt64] = [:]
        /// The requests so far in a test, by method and URL.
        var requests: [String: HTTPClient.Request] = [:]
        /// A sentence about a rate limit whose end isn't that of the test's clock.
        var limitHint: String?
        /// Whether a rate limit has refused a request.
        var hasRefused = false

        /// A sentence about a default that had no effect.
        ///
        /// It's no issue of a test that passes, which may set a scenario to show that no request is
        /// needed, or to reset it.
        var lateHint: String? {
            guard isLate else { return nil }
            let remedy = "Set it first, or repeat the call that sends one, such as refresh()."
            return "no request had followed the scenario \(all), which was set after other requests. \(remedy)"
        }

        /// The remedy for a service that nothing uses; empty otherwise.
        var unusedHint: String {
            isInUse ? "" : ": no container has the service. Pass the service to Container.offline."
        }
    }

    /// The responses that a test adds, which come before those of the service, whatever the
    /// scenario.
    public let script: ScriptedServer
    private let state: Monitor<State>
    private let scope = TestScope.current
    /// Measures the delays of ``Scenario/slow(_:)``.
    package let clock: any Clock<Duration>
    /// Returns the current time, at which ``Scenario/rateLimited(until:)`` ends.
    package let now: @Sendable () -> Date

    /// The current time of the service; real dates are those of its container.
    var date: (date: Date, isReal: Bool) {
        let reading = Date.reading(now)
        return reading.isReal ? Date.reading(InProcessTransport.time.now) : reading
    }

    /// Creates scenarios.
    ///
    /// - Parameters:
    ///   - scenario: The default scenario.
    ///   - clock: Measures delays; the clock of a container's configuration replaces a real one.
    ///   - now: Returns the current time, with which rate limits are calculated; real dates are
    ///     replaced with those of a container's configuration.
    public init(
        _ scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        state = Monitor(State(all: scenario))
        self.clock = clock
        self.now = now
        script = ScriptedServer(clock: clock)
        scope?.remind(.hint) { [state] in state.value.limitHint }
        script.script.withLock { $0.idleHint = { [state] in state.value.unusedHint } }
    }

    /// The default scenario, for requests without one of their own.
    ///
    /// Setting it for a service that no container has is an issue of a test with `.verifiesMocks`.
    public var all: Scenario {
        get { state.value.all }
        set {
            let wasSet = state.withLock { state in
                defer { (state.all, state.isSet) = (newValue, true) }
                if newValue != state.all { state.isLate = !state.requests.isEmpty }
                return state.isSet
            }
            guard !wasSet else { return }
            let scope = TestScope.current ?? scope
            scope?.remind(.hint) { [state] in state.value.lateHint }
            scope?.atEnd { [state] report in
                let hint = state.value.unusedHint
                if !hint.isEmpty { report("Unused scenario\(hint)", nil) }
            }
        }
    }

    /// Notes that a container or a client has the service.
    func use() { state.withLock { $0.isInUse = true } }

    /// Sets the scenario of some requests; if several match a request, the one set last applies.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - matcher: The requests.
    ///   - probability: The share of the requests that it applies to, 0 to 1. Other values are
    ///     clamped, with NaN as 0, and are an issue of a test with the trait `.verifiesMocks`.
    ///   - seed: Selects these requests. The choice depends on the method, the URL, and how often
    ///     it was requested while such scenarios were set, not on the order of parallel requests,
    ///     so it is the same in every run.
    ///   - fileID: The file to name in issues.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in issues.
    ///   - column: The column to name in issues.
    public func set(
        _ scenario: Scenario,
        for matcher: RequestMatcher,
        probability: Double = 1,
        seed: UInt64 = 0,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let position = SourcePosition(fileID: fileID, filePath: filePath, line: line, column: column)
        let requests = state.value.requests.values
        let rule = Rule(scenario, matcher, (probability, seed), position, after: requests)
        state.withLock { $0.rules.append(rule) }
        let scope = TestScope.current ?? scope
        if !(0...1).contains(probability) {
            scope?.record("The probability of a scenario is from 0 to 1, not \(probability).", at: position)
        }
        // `.any` has nothing to mistype: it's like the default scenario.
        guard !matcher.conditions.isEmpty else { return }
        scope?.atEnd { [state, script] report in
            guard !rule.hasMatched.load(ordering: .relaxed) else { return }
            if let other = rule.replacement.withLock({ $0 }) {
                return report("Unused scenario: no request matched \(matcher) before \(other) replaced it", position)
            }
            if script.requests.contains(where: matcher.matches) {
                return report("Unused scenario: the script answered each request that matched \(matcher)", position)
            }
            if rule.isLate {
                let remedy = "Set it first, or repeat the call that sends one, such as refresh()."
                return report(
                    "Unused scenario: requests matched \(matcher) only before it was set. \(remedy)",
                    position
                )
            }
            let requests = state.value.requests.keys.sorted().prefix(5).map { "\n- \($0)" }.joined()
            let others = requests.isEmpty ? "" : ", but there were:\(requests)"
            report("Unused scenario: no request matched \(matcher)\(others)\(state.value.unusedHint)", position)
        }
    }

    /// Removes the scenarios that were set for some requests.
    public func removeAll() {
        state.withLock { $0.rules = [] }
    }

    /// Chooses the scenario of a request, and performs its delay.
    ///
    /// - Returns: The scenario, or a network error.
    func enter(_ request: HTTPClient.Request) async -> Result<Scenario, URLError> {
        let scenario = scenario(of: request)
        if case .slow(let delay) = scenario {
            guard await clock.delay(request, by: delay) else { return .failure(URLError(.cancelled)) }
        }
        if case .rateLimited(let end) = scenario, isOver(end) { return .success(.normal) }
        return scenario == .offline ? .failure(URLError(.notConnectedToInternet)) : .success(scenario)
    }

    /// Returns whether a rate limit has ended.
    private func isOver(_ end: Date) -> Bool {
        // A test's function may count its calls.
        let (date, isReal) = date
        state.withLock { state in
            if end > date { state.hasRefused = true }
            if isReal, clock is TestClock {
                state.limitHint = """
                    a rate limit until \(end) ended by the real date, which doesn't advance with the TestClock. Pass \
                    clock.now(from: …) as now of the services, and as Configuration.now.
                    """
            } else if !state.hasRefused {
                state.limitHint = """
                    a rate limit until \(end) refused no request, since it was \(date) by the service's time. Pass the \
                    test's clock and now to the services.
                    """
            }
        }
        return end <= date
    }

    private func scenario(of request: HTTPClient.Request) -> Scenario {
        state.withLock { state in
            (state.isInUse, state.isLate) = (true, false)
            let name = "\(request.method.rawValue) \(request.url.absoluteString)"
            if scope != nil || TestScope.current != nil { state.requests[name] = request }
            guard !state.rules.isEmpty else { return state.all }
            let count = state.counts[name, default: 0]
            state.counts[name] = count + 1
            let matching = state.rules.filter { $0.matcher.matches(request) }
            let last = matching.lastIndex { $0.probability >= 1 }
            for (index, rule) in matching.enumerated() {
                rule.match(shadowedBy: last.flatMap { index < $0 ? matching[$0] : nil })
            }
            let rule = matching.last { rule in
                rule.probability >= 1 || Self.draw(name, count, seed: rule.seed) < rule.probability
            }
            return rule?.scenario ?? state.all
        }
    }

    /// Returns a number from 0 up to 1 that depends only on the parameters.
    private static func draw(_ name: String, _ count: UInt64, seed: UInt64) -> Double {
        Double(SplitMix.mixed(Data(name.utf8).digest ^ SplitMix.mixed(seed ^ SplitMix.mixed(count))) >> 11) / 0x1p53
    }
}

extension Date {
    /// Returns the date of a function, and whether it's the real one.
    ///
    /// No other clock shows a time between two readings of the real one.
    static func reading(_ now: () -> Date) -> (date: Date, isReal: Bool) {
        let start = Date()
        let date = now()
        return (date, start <= date && date <= Date())
    }
}
