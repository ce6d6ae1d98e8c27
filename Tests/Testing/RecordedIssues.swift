import BrowseMocks
import BrowseTesting
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

/// Returns the issues of a body that runs as a test with the trait `.verifiesMocks`.
func verifiedIssues(
    in issues: Monitor<[Issue]> = Monitor([]),
    of body: @Sendable @concurrent () async throws -> Void
) async throws -> [Issue] {
    let test = try #require(Test.current)
    return try await recordedIssues(in: issues) {
        try await MockVerificationTrait.verifiesMocks.provideScope(for: test, testCase: nil, performing: body)
    }
}

extension Issue {
    /// The error, or the first comment.
    var text: String { error.map { "\($0)" } ?? comments.first?.rawValue ?? "" }
}
