package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation
import Foundation

/// `browse limits`
package struct LimitsCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "limits",
        abstract: "Shows how many requests GitHub still takes from you, and when that resets.",
        discussion: "Asking costs nothing. Who signs in may ask for more. " + Browse.seeExitCodes
    )

    @OptionGroup package var common: CommonOptions

    package init() {}

    package func validate() throws { try common.needsServer() }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let budgets: [RateLimitStatus]
        do throws(BrowseError) {
            budgets = try await session.container.gitHubRateLimits().refresh()
        } catch {
            return session.report(error)
        }
        if session.isJSON {
            try session.output.print([Line(.object(["budgets": .list(budgets.map(\.json))]))])
        } else if session.output.isTerminal {
            try session.output.print(session.table(of: budgets).lines(width: session.output.columns()))
        } else {
            try session.output.print(budgets.map { Line(fields: $0.fields) })
        }
        return session.interruption ?? .success
    }
}

extension Session {
    fileprivate func table(of budgets: [RateLimitStatus]) -> Table {
        let (words, now) = (words, container.configuration.now())
        let formats = container.texts().formats
        func moment(_ date: Date) -> String {
            "\(formats.time(date)) · \(words.relative(date, to: now))"
        }
        return Table(
            [
                Table.Column(words(.budget), leastWidth: .max),
                Table.Column(words(.left), leastWidth: .max, isNumeric: true),
                Table.Column(words(.resets), leastWidth: 8), Table.Column(words(.closedUntil), leastWidth: 8),
            ],
            rows: budgets.map { budget in
                [
                    budget.bucket, words(.leftOf(budget.remaining, budget.limit)), moment(budget.resetsAt),
                    budget.pausedUntil.map(moment) ?? "–",
                ]
            }
        )
    }
}

extension RateLimitStatus {
    /// Bucket, how many are left, how many there are in all, when it resets, until when nothing is taken.
    fileprivate var fields: [String] {
        [
            bucket, String(remaining), String(limit), resetsAt.formatted(.iso8601),
            pausedUntil?.formatted(.iso8601) ?? "",
        ]
    }

    fileprivate var json: JSON {
        .object([
            "bucket": .text(bucket), "remaining": JSON(remaining), "limit": JSON(limit),
            "resets_at": .text(resetsAt.formatted(.iso8601)), "closed_until": JSON(pausedUntil?.formatted(.iso8601)),
        ])
    }
}
