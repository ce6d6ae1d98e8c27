import BrowseDomain
import Foundation
import TestSupport
import Testing

@testable import BrowseData
import TestLimits

/// The rule for the stored rate limits, without a store or a clock.
@Suite(.bounded)
struct `Shared budgets` {
    private static func headers(_ remaining: Int, of limit: Int = 60, resetsAfter seconds: Double) -> RateLimitHeaders {
        let status = RateLimitStatus(
            bucket: "core",
            limit: limit,
            remaining: remaining,
            resetsAt: testNow.addingTimeInterval(seconds)
        )
        return RateLimitHeaders(status, serverDate: testNow, now: testNow)
    }

    private static func reserve(
        _ permit: String,
        _ budgets: inout DistributedBudgets,
        bucket: String = "core",
        at seconds: Double = 0
    ) -> DistributedBudgets.Outcome {
        let now = testNow.addingTimeInterval(seconds)
        return budgets.reserve(permit, in: bucket, until: now.addingTimeInterval(60), now: now)
    }

    @Test func `admit few requests until a response reports the limit`() {
        var budgets = DistributedBudgets()
        let outcomes = (0..<6).map { Self.reserve("\($0)", &budgets) }
        #expect(outcomes == [.admitted, .admitted, .admitted, .admitted, .busy, .busy])
        budgets.finish("0", in: "core", reporting: Self.headers(59, resetsAfter: 600), limitedBy: nil, now: testNow)
        #expect(Self.reserve("6", &budgets) == .admitted)
    }

    @Test func `forget the requests of a process that was killed`() {
        var budgets = DistributedBudgets()
        for number in 0..<4 { _ = Self.reserve("\(number)", &budgets) }
        #expect(Self.reserve("later", &budgets, at: 59) == .busy)
        #expect(Self.reserve("later", &budgets, at: 61) == .admitted)
    }

    @Test func `count a request without a response until a later one is reported`() {
        var budgets = DistributedBudgets()
        _ = Self.reserve("0", &budgets)
        budgets.finish("0", in: "core", reporting: Self.headers(2, resetsAfter: 600), limitedBy: nil, now: testNow)
        _ = Self.reserve("1", &budgets)
        budgets.finish("1", in: "core", reporting: nil, limitedBy: nil, now: testNow)
        #expect(Self.reserve("2", &budgets) == .admitted)
        #expect(Self.reserve("3", &budgets) == .busy)
        // The service hadn't received the lost request.
        budgets.finish("2", in: "core", reporting: Self.headers(1, resetsAfter: 600), limitedBy: nil, now: testNow)
        #expect(Self.reserve("4", &budgets) == .admitted)
    }

    @Test func `are refused until the reset, a second later for other clocks`() {
        var budgets = DistributedBudgets()
        _ = Self.reserve("0", &budgets)
        budgets.finish("0", in: "core", reporting: Self.headers(0, resetsAfter: 600), limitedBy: nil, now: testNow)
        let limit = BrowseError.RateLimit(
            kind: .primary,
            retryAt: testNow.addingTimeInterval(600),
            isServerTime: true
        )
        #expect(Self.reserve("1", &budgets, at: 600) == .refused(limit))
        #expect(Self.reserve("1", &budgets, at: 601) == .admitted)
        #expect(Self.reserve("search", &budgets, bucket: "search") == .admitted)
    }

    @Test func `pause one bucket for a primary limit, and the account for a secondary one`() {
        var budgets = DistributedBudgets()
        func limit(_ kind: BrowseError.RateLimit.Kind) -> BrowseError.RateLimit {
            BrowseError.RateLimit(kind: kind, retryAt: testNow.addingTimeInterval(30), isServerTime: true)
        }
        budgets.finish("0", in: "core", reporting: nil, limitedBy: limit(.primary), now: testNow)
        #expect(Self.reserve("1", &budgets) == .refused(limit(.primary)))
        #expect(Self.reserve("2", &budgets, bucket: "search") == .admitted)
        budgets.finish("2", in: "search", reporting: nil, limitedBy: limit(.secondary), now: testNow)
        #expect(Self.reserve("3", &budgets, bucket: "search") == .refused(limit(.secondary)))
        #expect(Self.reserve("3", &budgets, bucket: "search", at: 31) == .admitted)
    }

    @Test func `follow a report of a later request, even if its reset is earlier`() {
        var budgets = DistributedBudgets()
        _ = Self.reserve("0", &budgets)
        // A day, since later resets are limited to that.
        let wrong = Self.headers(59, resetsAfter: 1e9)
        budgets.finish("0", in: "core", reporting: wrong, limitedBy: nil, now: testNow)
        _ = Self.reserve("1", &budgets)
        budgets.finish("1", in: "core", reporting: Self.headers(0, resetsAfter: 600), limitedBy: nil, now: testNow)
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: testNow + 600, isServerTime: true)
        #expect(Self.reserve("2", &budgets) == .refused(limit))
        #expect(Self.reserve("2", &budgets, at: 601) == .admitted)
    }

    @Test func `count requests that were lost after a reset, whatever was lost before`() {
        var budgets = DistributedBudgets()
        for number in 0..<4 { _ = Self.reserve("\(number)", &budgets) }
        budgets.finish(
            "0",
            in: "core",
            reporting: Self.headers(9, of: 2, resetsAfter: 10),
            limitedBy: nil,
            now: testNow
        )
        for number in 1..<4 {
            budgets.finish("\(number)", in: "core", reporting: nil, limitedBy: nil, now: testNow)
        }
        // Reserved after three requests were lost, and answered after the reset.
        _ = Self.reserve("late", &budgets, at: 9)
        _ = Self.reserve("lost", &budgets, at: 12)
        budgets.finish("lost", in: "core", reporting: nil, limitedBy: nil, now: testNow + 12)
        let report = Self.headers(2, of: 2, resetsAfter: 100)
        budgets.finish("late", in: "core", reporting: report, limitedBy: nil, now: testNow + 12)
        #expect(Self.reserve("4", &budgets, at: 13) == .admitted)
        #expect(Self.reserve("5", &budgets, at: 13) == .busy)
    }

    @Test func `contain a limited number of buckets`() {
        var budgets = DistributedBudgets()
        for number in 0..<100 {
            let report = Self.headers(5, resetsAfter: 600)
            budgets.finish("", in: "\(number)", reporting: report, limitedBy: nil, now: testNow)
        }
        #expect(budgets.budgets.count == 32)
        let later = testNow + 601
        budgets.finish("", in: "new", reporting: Self.headers(5, resetsAfter: 900), limitedBy: nil, now: later)
        #expect(budgets.budgets.keys.sorted() == ["new"])
    }

    @Test(arguments: [
        #""lostCount":-9223372036854775808"#, #""lostCount":9223372036854775807"#,
        #""includedLostCount":-9223372036854775808"#, #""remaining":-9223372036854775808"#,
        #""lastReport":9223372036854775807"#, #""sentAfter":9223372036854775807"#,
    ])
    func `replace stored numbers that no gate stores`(field: String) throws {
        var budgets = DistributedBudgets()
        for number in 0..<3 { _ = Self.reserve("\(number)", &budgets) }
        budgets.finish("0", in: "core", reporting: Self.headers(5, resetsAfter: 600), limitedBy: nil, now: testNow)
        let text = String(decoding: try JSONEncoder().encode(budgets), as: UTF8.self)
        #expect(DistributedBudgets(stored: Data(text.utf8)) == budgets)
        let name = field.prefix { $0 != ":" }
        let damaged = text.replacing(try Regex("\(name):[0-9]+"), with: field)
        #expect(damaged != text)
        var stored = DistributedBudgets(stored: Data(damaged.utf8))
        #expect(stored == DistributedBudgets())
        stored.finish("1", in: "core", reporting: nil, limitedBy: nil, now: testNow)
        #expect(Self.reserve("4", &stored) == .admitted)
    }

    @Test func `survive storing`() throws {
        var budgets = DistributedBudgets()
        _ = Self.reserve("0", &budgets)
        _ = Self.reserve("1", &budgets)
        budgets.finish("0", in: "core", reporting: Self.headers(5, resetsAfter: 600), limitedBy: nil, now: testNow)
        let data = try JSONEncoder().encode(budgets)
        #expect(try JSONDecoder().decode(DistributedBudgets.self, from: data) == budgets)
    }

    /// A server that counts requests when they arrive, and responses that overtake each other.
    @Test(arguments: 0..<50) func `never exceed a server's limit`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var budgets = DistributedBudgets()
        let limit = Int.random(in: DistributedBudgets.unknownLimit...20, using: &random)
        let period = 100.0
        var (used, window, now) = (0, 0, 0.0)
        var inFlight: [(permit: String, response: RateLimitHeaders)] = []
        var refusals = 0
        for step in 0..<400 {
            if Int(now / period) != window { (window, used) = (Int(now / period), 0) }
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                guard case .admitted = Self.reserve("\(step)", &budgets, at: now) else {
                    refusals += 1
                    break
                }
                // A revalidated response isn't counted.
                if Int.random(in: 0..<4, using: &random) > 0 { used += 1 }
                #expect(used <= limit, "seed \(seed), step \(step)")
                let reset = Double(window + 1) * period
                inFlight.append(("\(step)", Self.headers(limit - used, of: limit, resetsAfter: reset)))
            case 2, 3:
                guard !inFlight.isEmpty else { break }
                let (permit, response) = inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &random))
                // Some are lost, but not all: without a response, the limit is unknown.
                budgets.finish(
                    permit,
                    in: "core",
                    reporting: budgets.budgets.isEmpty || Bool.random(using: &random) ? response : nil,
                    limitedBy: nil,
                    now: testNow.addingTimeInterval(now)
                )
            default:
                // Requests end before the reset, since a server counts them when they arrive.
                let next = now + Double.random(in: 0..<10, using: &random)
                if Int(next / period) != window {
                    for (permit, response) in inFlight {
                        budgets.finish(
                            permit,
                            in: "core",
                            reporting: response,
                            limitedBy: nil,
                            now: testNow.addingTimeInterval(now)
                        )
                    }
                    inFlight = []
                    now = Double(window + 1) * period + 1
                } else {
                    now = next
                }
            }
        }
        #expect(refusals > 0)
    }
}
