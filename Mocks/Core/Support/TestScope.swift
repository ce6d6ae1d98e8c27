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
    private let reminders = Monitor(Reminders())
    private let waits = Mutex(Waits())
    private typealias Verification = (ifThrown: Bool, verify: @Sendable (Report) -> Void)
    private let verifications = Mutex<[Verification]>([])

    private struct Reminders: Sendable {
        var lastID = 0
        var all: [(id: Int, text: @Sendable () -> String?)] = []
    }

    private struct Waits: Sendable {
        var lastID = 0
        var ends: [Int: @Sendable () -> Void] = [:]
        /// The last wait that ends, since a loop can begin waits forever; `nil` before the test is
        /// canceled.
        var lastEnded: Int?
        /// The sentences about what waited when the test was canceled.
        var sentences: [String] = []
    }

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
    ///   - verify: The verification.
    func atEnd(ifThrown: Bool = false, _ verify: @escaping @Sendable (Report) -> Void) {
        verifications.withLock { $0.append((ifThrown, verify)) }
    }

    /// Adds a sentence about a wait, for a test that doesn't end; `nil` while nothing waits.
    ///
    /// It's an issue if the test is canceled meanwhile, as by its time limit.
    ///
    /// - Returns: Removes the sentence, at the end of a single wait.
    @discardableResult
    func remind(_ reminder: @escaping @Sendable () -> String?) -> @Sendable () -> Void {
        let id = reminders.withLock { reminders in
            reminders.lastID += 1
            reminders.all.append((id: reminders.lastID, text: reminder))
            return reminders.lastID
        }
        return { [reminders] in
            reminders.withLock { reminders in reminders.all.removeAll { $0.id == id } }
        }
    }

    /// The sentences about what waits.
    package var currentReminders: [String] { reminders.value.all.compactMap { $0.text() } }

    /// Adds the end of a wait, of any task, for when the test is canceled.
    ///
    /// - Returns: The number of the wait.
    func beginWait(_ end: @escaping @Sendable () -> Void) -> Int {
        waits.withLock { waits in
            waits.lastID += 1
            waits.ends[waits.lastID] = end
            return waits.lastID
        }
    }

    /// Whether a wait ends, since the test was canceled.
    func hasCanceled(_ wait: Int) -> Bool {
        waits.withLock { waits in waits.lastEnded.map { wait <= $0 } ?? false }
    }

    /// Removes a wait.
    func endWait(_ wait: Int) {
        waits.withLock { $0.ends[wait] = nil }
    }

    /// Awaits the work of the test, a task of its own.
    ///
    /// What waits is read before that task is canceled, which ends its waits, and those of the
    /// tasks that it only started.
    package func value(of work: Task<Void, any Error>) async throws {
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            let current = currentReminders
            let ends = waits.withLock { waits in
                waits.sentences = current
                waits.lastEnded = waits.lastID + 1_000
                return Array(waits.ends.values)
            }
            work.cancel()
            for end in ends { end() }
        }
    }

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

    /// Ends the scope, reports what waited at a cancellation, and releases its verifications.
    ///
    /// - Parameter isVerifying: Whether the verifications run; after an error, only those for one
    ///   do.
    package func end(isVerifying: Bool) {
        let all = verifications.withLock { verifications in
            defer { verifications = [] }
            return verifications
        }
        if isVerifying {
            for text in keys.reports { report(text, nil) }
        }
        for (ifThrown, verify) in all where ifThrown != isVerifying { verify(report) }
        for text in waits.withLock({ $0.sentences }) { report("When the test was canceled, \(text)", nil) }
    }
}
