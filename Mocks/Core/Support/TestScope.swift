import Foundation
import Synchronization

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
    private let clock: any Clock<Duration>
    private let report: Report
    private let reminders = Monitor(Reminders())
    private let waits = Mutex(Waits())
    private typealias Verification = (end: End, verify: @Sendable (Report) -> Void)
    private let verifications = Mutex<[Verification]>([])

    /// The meaning of a sentence about the test.
    package enum Reminder: Sendable {
        /// Something waits, such as a task that sleeps.
        case wait
        /// A mistake, but only if the test fails.
        case hint
        /// Something waits until a time limit of its own.
        case limited
    }

    /// How a test ends.
    package enum End: CaseIterable, Sendable {
        /// It returned.
        case returned
        /// It threw an error.
        case thrown
        /// It threw the error of a wait whose limit expired.
        case expired
    }

    private struct Reminders: Sendable {
        var lastID = 0
        var all: [(id: Int, kind: Reminder, text: @Sendable () -> String?)] = []
    }

    private struct Waits: Sendable {
        var lastID = 0
        var ends: [Int: @Sendable () -> Void] = [:]
        /// The last wait that ends, since a loop can begin waits forever; `nil` before the test is
        /// canceled.
        var lastEnded: Int?
    }

    /// - Parameter clock: Measures how long the test waits.
    package init(clock: any Clock<Duration> = ContinuousClock(), report: @escaping Report) {
        self.clock = clock
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

    /// Records an answer that a call can't use as an issue of the current test; `nil` is none.
    package static func reportUnused<Answer>(_ answer: Answer?, by call: some Any) {
        guard let answer else { return }
        current?.record("Unused answer: the call \(call) needs another kind than \(answer).")
    }

    /// Adds a verification that runs when the test ends, by default if it returns.
    func atEnd(_ end: End = .returned, _ verify: @escaping @Sendable (Report) -> Void) {
        verifications.withLock { $0.append((end, verify)) }
    }

    /// Adds a sentence about a wait, for a test that doesn't end; `nil` while nothing waits.
    ///
    /// It's an issue if the test is canceled meanwhile, as by its time limit, or fails.
    ///
    /// - Parameters:
    ///   - kind: The meaning; a hint is an issue only if the test fails.
    ///   - text: The sentence.
    /// - Returns: Removes the sentence, at the end of a single wait.
    @discardableResult
    package func remind(_ kind: Reminder = .wait, _ text: @escaping @Sendable () -> String?) -> @Sendable () -> Void {
        let id = reminders.withLock { reminders in
            reminders.lastID += 1
            reminders.all.append((id: reminders.lastID, kind: kind, text: text))
            return reminders.lastID
        }
        return { [reminders] in
            reminders.withLock { reminders in reminders.all.removeAll { $0.id == id } }
        }
    }

    /// The sentences about what waits.
    package var currentReminders: [String] {
        reminders.value.all.filter { $0.kind != .hint }.compactMap { $0.text() }
    }

    /// The sentences about possible causes, should the test have failed.
    package var hints: [String] { reminders.value.all.compactMap { $0.text() } }

    /// Whether the test was canceled, as by its time limit.
    package var isCanceled: Bool { waits.withLock { $0.lastEnded != nil } }

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
    /// - Parameters:
    ///   - work: The work.
    ///   - test: The name of the test.
    ///   - hasLimit: Whether the test has a time limit, which cancels it.
    package func value(of work: Task<Void, any Error>, in test: String, hasLimit: Bool) async throws {
        async let _: Void = watch(work, of: test, hasLimit: hasLimit)
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            // `Test.cancel` skips a test, from a task of its own; a time limit comes from another.
            let isSkipped = Self.current === self
            if isSkipped { verifications.withLock { $0 = [] } }
            cancel(work, isSkipped ? nil : "When the test was canceled")
        }
    }

    /// Records what waits, unless the moment is `nil`, and cancels the work.
    ///
    /// That ends its waits, and those of the tasks that it only started.
    private func cancel(_ work: Task<Void, any Error>, _ moment: String?) {
        if let moment {
            for text in currentReminders { record("\(moment), \(text)") }
        }
        let ends = waits.withLock { waits in
            waits.lastEnded = waits.lastID + 1_000
            return Array(waits.ends.values)
        }
        work.cancel()
        for end in ends { end() }
    }

    /// Writes what waits on standard error every half a minute, until the task is canceled.
    ///
    /// It isn't an issue at first: on a busy machine, a test can take that long. Turns are counted
    /// rather than the time, which also passes in a debugger.
    private func watch(_ work: Task<Void, any Error>, of test: String, hasLimit: Bool) async {
        var (last, count) = ([String](), 0)
        while (try? await clock.sleep(for: .seconds(30))) != nil {
            let current = currentReminders
            count = current == last && !current.isEmpty ? count + 1 : 0
            if count == 0 { for text in current { Self.write("\(test): \(text)") } }
            let isLimited = hasLimit || isCanceled || reminders.value.all.contains { $0.kind == .limited }
            if count >= 10, !isLimited { cancel(work, "For five minutes") }
            last = current
        }
    }

    /// Writes a line on standard error.
    package static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("BrowseKit: \(text)\n".utf8))
    }

    /// Ends the scope, and releases its verifications, of which those for this end run.
    package func end(_ end: End) {
        let all = verifications.withLock { verifications in
            defer { verifications = [] }
            return verifications
        }
        if end == .returned {
            for text in keys.reports { report(text, nil) }
        }
        for verification in all where verification.end == end { verification.verify(report) }
    }
}
