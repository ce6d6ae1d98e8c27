import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData
import BrowseMocks

/// A service that counts requests in windows of a minute, by account and bucket.
///
/// Its responses arrive in any order. All times are seconds since the start.
private struct Service {
    struct Key: Hashable {
        var account: String?
        var bucket: String
    }

    struct Response {
        var key: Key
        var sentAt: Int
        /// The number of the request, in the order in which they were sent.
        var order: Int
        var window: Int
        var remaining: Int
        /// The reset, which differs by a second between servers.
        var reset: Int
        var isRefusal: Bool
        /// The seconds of a secondary limit; 0 names no time, and `nil` is no secondary limit.
        var secondary: Int?
    }

    static let (limit, length) = (4, 60)
    private var counts: [Key: (window: Int, count: Int)] = [:]
    private(set) var refusals = 0
    /// The number of requests.
    private(set) var order = 0

    mutating func receive(_ key: Key, at time: Int, secondary: Int?, jitter: Int) -> Response {
        let window = time / Self.length
        let count = counts[key].map { $0.window == window ? $0.count : 0 } ?? 0
        counts[key] = (window, count + 1)
        let isRefusal = count >= Self.limit
        if isRefusal { refusals += 1 }
        order += 1
        return Response(
            key: key,
            sentAt: time,
            order: order,
            window: window,
            remaining: max(0, Self.limit - count - 1),
            reset: (window + 1) * Self.length + jitter,
            isRefusal: isRefusal,
            secondary: secondary
        )
    }
}

extension Service.Response {
    func http(for request: HTTPClient.Request) -> HTTPClient.Response {
        let start = Int(testNow.timeIntervalSince1970)
        // On the day of `testNow`, 03:04:05.
        let sent = 11_045 + sentAt
        var response = HTTPClient.Response(
            status: isRefusal || secondary != nil ? 403 : 200,
            headers: [
                "X-RateLimit-Limit": "\(Service.limit)", "X-RateLimit-Remaining": "\(remaining)",
                "X-RateLimit-Reset": "\(start + reset)", "X-RateLimit-Resource": key.bucket,
                "Date": String(format: "Fri, 02 Jan 2026 %02d:%02d:%02d GMT", sent / 3600, sent / 60 % 60, sent % 60),
            ],
            url: request.url
        )
        if let secondary {
            response.body = Data(#"{"message":"You have exceeded a secondary rate limit."}"#.utf8)
            if secondary > 0 { response.headers["Retry-After"] = "\(secondary)" }
        }
        return response
    }
}

/// The rules that a gate follows.
private struct Model {
    private var known: [Service.Key: (window: Int, remaining: Int, reset: Int, delay: Int, order: Int)] = [:]
    /// Each pause ends with the response to a request that was sent after it.
    private var pauses: [Service.Key: (end: Int, order: Int)] = [:]
    private var secondary: [String?: (end: Int, order: Int)] = [:]
    private var backOffs: [String?: Int] = [:]

    /// The time at which the gate would send a request; `nil` if that is now.
    func end(_ key: Service.Key, at time: Int) -> Int? {
        var ends = [pauses[key]?.end ?? 0, secondary[key.account]?.end ?? 0]
        if let known = known[key] {
            let end = known.reset + known.delay
            if time < end, known.remaining == 0 { ends.append(end) }
        }
        return ends.filter { $0 > time }.max()
    }

    /// - Parameters:
    ///   - latest: The number of the latest request that was sent.
    ///   - isClockSet: Whether the local clock was set, so that it differs from the service's by hours.
    mutating func receive(_ response: Service.Response, latest: Int, at time: Int, isClockSet: Bool) {
        let (key, late) = (response.key, time - response.sentAt)
        // A difference of two seconds counts as the time of a transfer.
        let delay = isClockSet || late > 2 ? late : 0
        let isPaused = secondary[key.account].map { $0.end > time } ?? false
        func ends(_ pause: (end: Int, order: Int)?) -> Bool { pause.map { $0.order < response.order } ?? true }
        if let seconds = response.secondary {
            let backOff = backOffs[key.account] ?? 1
            var end = time + seconds
            // Secondary limits name the reset if nothing remains, like primary ones.
            if seconds == 0, response.remaining == 0 {
                end = max(time + 1, response.reset + delay)
            } else if seconds == 0 {
                end = time + (isPaused ? 60 : min(60 * backOff, 900))
                if !isPaused { backOffs[key.account] = min(backOff * 2, 16) }
            }
            let old = ends(secondary[key.account]) ? nil : secondary[key.account]
            secondary[key.account] = end > old?.end ?? 0 ? (end, latest) : old
        } else if response.isRefusal {
            let end = max(time + 1, response.reset + delay)
            let old = ends(pauses[key]) ? nil : pauses[key]
            pauses[key] = end > old?.end ?? 0 ? (end, latest) : old
        } else {
            if ends(pauses[key]) { pauses[key] = nil }
            if ends(secondary[key.account]) { secondary[key.account] = nil }
            if secondary[key.account].map({ $0.end <= time }) ?? true { backOffs[key.account] = 1 }
        }
        guard var old = known[key], response.window == old.window || response.order < old.order else {
            known[key] = (response.window, response.remaining, response.reset, delay, response.order)
            return
        }
        guard response.window == old.window, time < old.reset + old.delay else { return }
        old.remaining = min(old.remaining, response.remaining)
        old.reset = max(old.reset, response.reset)
        old.delay = min(old.delay, delay)
        old.order = max(old.order, response.order)
        known[key] = old
    }
}

@Suite(.bounded) struct `A rate limit gate` {
    private struct Requests {
        var arrived: [Int: HTTPClient.Request] = [:]
        var responses: [Int: Result<Service.Response, BrowseError>] = [:]
        var ended: [Int: BrowseError?] = [:]
    }

    /// Late and lost responses, cancellation, secondary limits, several accounts, and clocks that are set.
    @Test(arguments: 0..<40)
    func `sends a request if its limit is known to allow it, and otherwise names the time`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (clock, jump, requests) = (TestClock(), Monitor(0), Monitor(Requests()))
        let now = { @Sendable in testNow + Double(jump.value) + clock.now.offset / .seconds(1) }
        let gate = RateLimitGate(service: .sample(), now: now, clock: clock)
        var (service, model, time, unknownCounts) = (Service(), Model(), 0, 0)
        var pending: [Int: (key: Service.Key, response: Service.Response, task: Task<Void, Never>)] = [:]
        for number in 0..<300 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let account = ["a", "b", nil].randomElement(using: &random) ?? nil
                let bucket = Bool.random(using: &random) ? "core" : "search"
                let (key, path) = (Service.Key(account: account, bucket: bucket), "/\(bucket)")
                let task = Task {
                    let error = await thrown { () throws(BrowseError) in
                        try await gate.send(.sample(path, bucket: bucket, account: account)) {
                            request throws(BrowseError) in
                            requests.withLock { $0.arrived[number] = request }
                            await requests.wait { $0.responses[number] != nil }
                            guard let response = requests.value.responses[number] else { throw .cancelled }
                            return try response.get().http(for: request)
                        }
                    }
                    requests.withLock { $0.ended[number] = .some(error) }
                }
                await requests.wait { $0.arrived[number] != nil || $0.ended[number] != nil }
                let isSent = requests.value.arrived[number] != nil
                if let end = model.end(key, at: time) {
                    guard !isSent, case .rateLimited(let limit, _)?? = requests.value.ended[number] else {
                        Issue.record("\(number): \(key) was sent at \(time), before \(end).")
                        return
                    }
                    #expect(limit.retryAt == now() + Double(end - time), "\(number)")
                } else {
                    guard isSent else {
                        Issue.record("\(number): \(key) wasn't sent at \(time).")
                        return
                    }
                    let secondary = [0, 7, 90, nil, nil, nil, nil, nil, nil].randomElement(using: &random) ?? nil
                    let jitter = Int.random(in: 0...1, using: &random)
                    // The gate learns of the requests in flight by their responses only.
                    if pending.values.contains(where: { $0.key == key }) { unknownCounts += 1 }
                    let response = service.receive(key, at: time, secondary: secondary, jitter: jitter)
                    pending[number] = (key, response, task)
                }
            case 5..<8:
                guard let number = pending.keys.sorted().randomElement(using: &random),
                    let (_, response, task) = pending.removeValue(forKey: number)
                else { break }
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    unknownCounts += 1
                    task.cancel()
                case 1:
                    unknownCounts += 1
                    requests.withLock { $0.responses[number] = .failure(.timedOut(.init(endpoint: ""))) }
                default:
                    requests.withLock { $0.responses[number] = .success(response) }
                    model.receive(response, latest: service.order, at: time, isClockSet: jump.value != 0)
                }
                await task.value
            case 8:
                let seconds = Int.random(in: 1...30, using: &random)
                time += seconds
                await clock.advance(by: .seconds(seconds))
            default:
                jump.withLock { $0 = [0, -7200, 7200].randomElement(using: &random) ?? 0 }
            }
        }
        // Lost responses, and those in flight, have counts that the gate doesn't know.
        #expect(service.refusals <= unknownCounts)
        for entry in pending.values { entry.task.cancel() }
        for entry in pending.values { await entry.task.value }
    }
}
