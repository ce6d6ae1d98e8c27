import Foundation
import Synchronization

/// A place in a test's source.
package struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    package let fileID: String
    package let filePath: String
    package let line: Int
    package let column: Int

    package init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// The file's name and the line.
    package var description: String { "\(fileID.split(separator: "/").last ?? ""):\(line)" }
}

/// Connects the mocks of one test with the trait that reports their misuse.
///
/// BrowseCoreMocks doesn't import Testing, so that apps and previews can use it; BrowseCoreTesting
/// sets the scope.
package final class TestScope: Sendable {
    /// The scope of the current test; `nil` without a trait.
    @TaskLocal package static var current: TestScope?

    /// Records an issue at a position; `nil` is the position of the test.
    package typealias Report = @Sendable (_ message: String, _ position: SourcePosition?) -> Void

    /// Finds keys that no fixture has.
    package let keys: FixtureKeys = FixtureKeys()
    private let report: Report
    private let reminders = Mutex<[@Sendable () -> String?]>([])
    private typealias Verification = (ifThrown: Bool, ifCanceled: Bool, verify: @Sendable (Report) -> Void)
    private let verifications = Mutex<[Verification]>([])

    package init(report: @escaping Report) {
        self.report = report
    }

    /// Records an issue immediately.
    package func record(_ message: String, at position: SourcePosition? = nil) {
        report(message, position)
    }

    /// Records a misuse, such as a request that nothing answers, as an issue of the current test.
    ///
    /// Without a scope, it's written to standard error.
    ///
    /// - Parameter scope: The scope of the test that created the mock, for other tasks.
    static func reportUnanswered(_ report: String, at position: SourcePosition? = nil, in scope: TestScope? = nil) {
        if let scope = current ?? scope { return scope.record(report, at: position) }
        try? FileHandle.standardError.write(contentsOf: Data("BrowseKit: \(report)\n".utf8))
    }

    /// Adds a verification that runs when the test returns.
    ///
    /// - Parameters:
    ///   - ifThrown: Whether it runs when the test throws an error instead.
    ///   - ifCanceled: Whether it runs when the test was canceled instead, as by its time limit.
    ///   - verify: The verification.
    func atEnd(
        ifThrown: Bool = false,
        ifCanceled: Bool = false,
        _ verify: @escaping @Sendable (Report) -> Void
    ) {
        verifications.withLock { $0.append((ifThrown, ifCanceled, verify)) }
    }

    /// Adds a reminder for a test that doesn't end; `nil` if there is no reason for one.
    func remind(_ reminder: @escaping @Sendable () -> String?) {
        reminders.withLock { $0.append(reminder) }
    }

    /// The reasons why a test may not end.
    package var currentReminders: [String] { reminders.withLock { $0 }.compactMap { $0() } }

    /// Writes the reminders on standard error every half a minute, until the task is canceled.
    ///
    /// They aren't issues: on a busy machine, a test can take that long.
    package func writeReminders(of test: String) async {
        while (try? await Task.sleep(for: .seconds(30))) != nil {
            for text in currentReminders { Self.write("\(test): \(text)") }
        }
    }

    /// Writes a line on standard error.
    package static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("BrowseKit: \(text)\n".utf8))
    }

    /// Ends the scope, and releases its verifications.
    ///
    /// - Parameters:
    ///   - isVerifying: Whether the verifications run; after an error, only those for one do.
    ///   - isCanceled: Whether those for a canceled test run.
    package func end(isVerifying: Bool, isCanceled: Bool = false) {
        let all = verifications.withLock { verifications in
            defer { verifications = [] }
            return verifications
        }
        if isVerifying {
            for text in keys.reports { report(text, nil) }
        }
        for (ifThrown, ifCanceled, verify) in all {
            if ifThrown ? !isVerifying : ifCanceled ? isCanceled : isVerifying { verify(report) }
        }
    }
}
