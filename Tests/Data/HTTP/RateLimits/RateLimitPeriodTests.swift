import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// A server that counts requests in periods by its own clock, which may be set.
private struct PeriodServer {
    let limit = 10
    let length = 100.0
    /// The seconds by which its clock is ahead of the true time.
    var offset = 0.0
    private var period = 0.0
    private(set) var used = 0

    /// Returns the reset by the server's clock and the remaining requests, after counting a request.
    mutating func count(at time: Double) -> (remaining: Int, reset: Double) {
        let current = ((time + offset) / length).rounded(.down)
        if current != period { (period, used) = (current, 0) }
        used += 1
        return (max(0, limit - used), (current + 1) * length)
    }
}

/// Reports of a rate limit that arrive in any order, while both clocks may be set.
@Suite(.bounded)
struct `A rate limit's period` {
    private struct Report {
        let sentAfter: Int
        let remaining: Int
        let reset: Double
        /// The server's time when it responded.
        let serverTime: Double
    }

    /// A client's view of the server.
    private struct Client {
        /// The seconds by which its clock is ahead of the true time.
        var offset = 0.0
        var lastReport = 0
        var period: RateLimitPeriod?

        func date(_ time: Double) -> Date { Date(timeIntervalSince1970: 1_000_000_000 + time + offset) }

        mutating func receive(_ report: Report, limit: Int, at time: Double) {
            let serverDate = Date(timeIntervalSince1970: 1_000_000_000 + report.serverTime)
            let status = RateLimitStatus(
                bucket: "core",
                limit: limit,
                remaining: report.remaining,
                resetsAt: Date(timeIntervalSince1970: 1_000_000_000 + report.reset)
            )
            let headers = RateLimitHeaders(status, serverDate: serverDate, now: date(time))
            lastReport += 1
            let (now, order) = (date(time), RateLimitOrder(sentAfter: report.sentAfter, number: lastReport))
            guard var period else {
                return self.period = RateLimitPeriod(headers, number: order.number, now: now)
            }
            if period.update(from: headers, order, now: now) { self.period = period }
        }
    }

    @Test(arguments: 0..<200)
    func `is the server's after each request that isn't overtaken, whatever clocks and reports did before`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var (server, client) = (PeriodServer(), Client())
        var inFlight: [Report] = []
        var time = 0.0
        func send(_ server: inout PeriodServer, _ client: Client, faulty: Bool = false) -> Report {
            let (remaining, reset) = server.count(at: time)
            return Report(
                sentAfter: client.lastReport,
                remaining: remaining,
                reset: faulty ? reset + 1e9 : reset,
                serverTime: time + server.offset
            )
        }
        for step in 0..<300 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3: inFlight.append(send(&server, client))
            case 4...6:
                guard !inFlight.isEmpty else { break }
                let report = inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &random))
                client.receive(report, limit: server.limit, at: time)
            case 7: inFlight.append(send(&server, client, faulty: true))
            case 8: server.offset += Double.random(in: -5000...5000, using: &random)
            case 9: client.offset += Double.random(in: -5000...5000, using: &random)
            case 10: time += Double.random(in: 0...50, using: &random)
            default:
                if client.period.flatMap(\.end).map({ $0 <= client.date(time) }) == true { client.period?.pass() }
                let report = send(&server, client)
                client.receive(report, limit: server.limit, at: time)
                let period = try #require(client.period)
                #expect(period.remaining == report.remaining, "seed \(seed), step \(step)")
                let end = try #require(period.end).timeIntervalSince(client.date(time))
                // Differences of the clocks that a transfer could explain aren't corrected.
                let difference = abs(end - (report.reset - report.serverTime))
                #expect(difference <= 65, "seed \(seed), step \(step)")
            }
        }
    }

    @Test(arguments: 0..<50)
    func `never has more requests than the server, if no clock is set`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (server, client) = (PeriodServer(), Client())
        var inFlight: [Report] = []
        var (time, refused) = (0.0, 0)
        for _ in 0..<600 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                if client.period.flatMap(\.end).map({ $0 <= client.date(time) }) == true { client.period?.pass() }
                guard client.period.map({ $0.remaining > inFlight.count }) ?? inFlight.isEmpty else {
                    refused += 1
                    break
                }
                let (remaining, reset) = server.count(at: time)
                inFlight.append(
                    Report(sentAfter: client.lastReport, remaining: remaining, reset: reset, serverTime: time)
                )
                #expect(server.used <= server.limit, "seed \(seed)")
            case 2, 3:
                guard !inFlight.isEmpty else { break }
                let report = inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &random))
                client.receive(report, limit: server.limit, at: time)
            default: time += Double.random(in: 0...10, using: &random)
            }
        }
        #expect(refused > 0)
    }
}
