import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("GitHub's rate limits", .timeLimit(.minutes(5)))
struct LimitsTests {
    /// Rate limits that a test sets.
    private struct FixedRateLimits: RateLimitStatusRepository {
        let statuses: [RateLimitStatus]

        var changes: AsyncStream<[RateLimitStatus]> { AsyncStream { $0.finish() } }

        func refresh() async throws(BrowseError) -> [RateLimitStatus] { statuses }
    }

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func make(_ statuses: [RateLimitStatus]) -> ProcessContext.MakeContainer {
        { configuration, _ in
            var configuration = configuration
            configuration.now = { Self.now }
            configuration.timeZone = .gmt
            let container = Container(configuration)
            container.gitHubRateLimits.override { _ in FixedRateLimits(statuses: statuses) }
            return container
        }
    }

    private let paused = [
        RateLimitStatus(bucket: "core", limit: 5000, remaining: 4321, resetsAt: now + 125),
        RateLimitStatus(bucket: "search", limit: 30, remaining: 0, resetsAt: now + 60, pausedUntil: now + 3600),
    ]

    @Test(
        "is a table for a person",
        arguments: [
            (
                "en_US",
                [
                    "Rate limit       Remaining  Resets                  Paused until",
                    "core        4,321 of 5,000  8:03 AM · in 3 minutes  –",
                    "search             0 of 30  8:01 AM · in 1 minute   9:00 AM · in 1 hour",
                ]
            ),
            (
                "ko_KR",
                [
                    "요청 제한       남은 요청  초기화 시각         일시 중지",
                    "core       5,000 중 4,321  오전 8:03 · 3분 후  –",
                    "search            30 중 0  오전 8:01 · 1분 후  오전 9:00 · 1시간 후",
                ]
            ),
        ]
    )
    func table(locale: String, expected: [String]) async {
        let run = await browse(
            "limits",
            "--locale",
            locale,
            onTerminal: true,
            environment: ["NO_COLOR": "1"],
            makeContainer: make(paused)
        )
        #expect(run.outcome == .success)
        let lines = run.lines.dropLast().map { $0.replacing("\u{202F}", with: " ") }
        #expect(lines == expected)
    }

    @Test("is lines and JSON for programs")
    func programs() async throws {
        let lines = await browse("limits", makeContainer: make(paused)).lines
        #expect(
            lines == [
                "core\t4321\t5000\t2027-01-15T08:02:05Z\t",
                "search\t0\t30\t2027-01-15T08:01:00Z\t2027-01-15T09:00:00Z", "",
            ]
        )
        let json = object(await browse("limits", "--json", makeContainer: make(paused)).output)
        let statuses = try #require(json["rate_limits"] as? [[String: Any]])
        #expect(statuses.map { $0["bucket"] as? String } == ["core", "search"])
        #expect(statuses[0]["remaining"] as? Int == 4321 && statuses[0]["limit"] as? Int == 5000)
        #expect(statuses[0]["paused_until"] is NSNull)
        #expect(statuses[1]["paused_until"] as? String == "2027-01-15T09:00:00Z")
    }

    @Test("is available even if the limit is exhausted")
    func bundled() async {
        let whole = await browse("limits")
        #expect(
            whole.lines.map { $0.split(separator: "\t").first ?? "" } == [
                "code_search", "core", "graphql", "search", "",
            ]
        )
        #expect(whole.lines[1].hasPrefix("core\t5000\t5000\t"))
        let limited = await browse("limits", "--scenario", "rate-limited")
        #expect(limited.outcome == .success)
        #expect(limited.lines[1].hasPrefix("core\t0\t60\t") && limited.lines[3].hasPrefix("search\t0\t10\t"))
        #expect(await browse("limits", "--scenario", "offline").outcome == .network)
        #expect(await browse("limits", "--scenario", "server-error", "--json").outcome == .server)
    }
}
