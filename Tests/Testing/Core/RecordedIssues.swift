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

/// Returns the texts of the issues of a body that is canceled, as by its time limit, once it waits.
///
/// - Parameter wait: A part of the sentence about the wait.
func canceledIssues(
    at wait: String,
    in issues: Monitor<[Issue]> = Monitor([]),
    of body: @escaping @Sendable @concurrent () async throws -> Void
) async throws -> [String] {
    let scope = Monitor<TestScope?>(nil)
    let task = Task {
        try await verifiedIssues(in: issues) {
            scope.withLock { $0 = TestScope.current }
            try await body()
        }
        .map(\.text)
    }
    try await waitUntil { scope.value?.currentReminders.contains { $0.contains(wait) } == true }
    task.cancel()
    return try await task.value
}

extension Issue {
    /// The error, or the first comment.
    var text: String { error.map { "\($0)" } ?? comments.first?.rawValue ?? "" }
}
