import ArgumentParser
import BrowseKit
import Foundation

/// `browse limits`
struct LimitsCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command(
        "limits",
        "Show GitHub's rate limits.",
        "Requesting them doesn't count. Signing in raises them."
    )

    @OptionGroup var common: CommonOptions

    func validate() throws { try common.requireServer() }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let statuses: [RateLimitStatus]
        do throws(BrowseError) {
            statuses = try await session.container.gitHubRateLimits().refresh()
        } catch {
            return session.report(error)
        }
        if session.isJSON {
            try session.output.print([Line(.object(["rate_limits": .list(statuses.map(\.json))]))])
        } else if session.output.isTerminal {
            try session.output.print(session.table(of: statuses).lines(width: session.output.columns()))
        } else {
            try session.output.print(statuses.map { Line(fields: $0.fields) })
        }
        return session.interruption ?? .success
    }
}

extension Session {
    fileprivate func table(of statuses: [RateLimitStatus]) -> Table {
        let (texts, now) = (texts, container.configuration.now())
        let formats = container.texts().formats
        func moment(_ date: Date) -> String {
            "\(formats.time(date.roundedUpToMinute)) · \(texts.relative(date, to: now))"
        }
        return Table(
            [
                Table.Column(texts(.bucket), minWidth: .max),
                Table.Column(texts(.remaining), minWidth: .max, isNumeric: true),
                Table.Column(texts(.resets), minWidth: 8), Table.Column(texts(.pausedUntil), minWidth: 8),
            ],
            rows: statuses.map { status in
                [
                    status.bucket, texts(.remaining(status.remaining, of: status.limit)), moment(status.resetsAt),
                    status.pausedUntil.map(moment) ?? "–",
                ]
            }
        )
    }
}

extension Date {
    /// The end of a limit by a clock without seconds: 8:02 is too early for one that ends at 8:02:05.
    var roundedUpToMinute: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 / 60).rounded(.up) * 60)
    }
}

extension RateLimitStatus {
    /// The bucket, the remaining requests, the limit, the reset time, and the end of a pause.
    fileprivate var fields: [String] {
        [
            bucket, String(remaining), String(limit), resetsAt.formatted(.iso8601),
            pausedUntil?.formatted(.iso8601) ?? "",
        ]
    }

    fileprivate var json: JSON {
        .object([
            "bucket": .text(bucket), "remaining": JSON(remaining), "limit": JSON(limit),
            "resets_at": .text(resetsAt.formatted(.iso8601)), "paused_until": JSON(pausedUntil?.formatted(.iso8601)),
        ])
    }
}
