import BrowseMocks
import Testing

/// Returns the issues that a body records, of which the run reports none.
///
/// An error that the body throws is the last issue.
///
/// - Parameter issues: Receives each issue as it's recorded.
func recordedIssues(
    in issues: Monitor<[Issue]> = Monitor([]),
    of body: @Sendable @concurrent () async throws -> Void
) async throws -> [Issue] {
    let collector = IssueHandlingTrait.compactMapIssues { issue in
        issues.withLock { $0.append(issue) }
        return nil
    }
    try await collector.provideScope(for: try #require(Test.current), testCase: nil) {
        do { try await body() } catch { Issue.record(error) }
    }
    return issues.value
}

extension Issue {
    /// The error, or the first comment.
    var text: String { error.map { "\($0)" } ?? comments.first?.rawValue ?? "" }
}
