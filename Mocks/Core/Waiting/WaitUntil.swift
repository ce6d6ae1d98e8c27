import BrowseDomain
import Observation

/// Waits until a condition over observable state holds, for work that a test can't await.
///
/// Await the work itself where you can: an intent of a view model returns when its work is done.
/// Where nothing can be awaited, state the condition:
///
/// ```swift
/// search.query.text = "lunar"  // searches when the person pauses
/// await clock.waitForSleepers(1)
/// await clock.advance(by: .milliseconds(300))
/// try await waitUntil { search.state.content.status == .ready }
/// ```
///
/// The condition is evaluated at first, and again after each change of a value that it read, so it
/// must read observable state: properties of view models and other `@Observable` types, on the
/// actor that changes them, or values of this module from any task, such as
/// ``ControlledResponses/waitingCount``, ``ScriptedServer/requests``, ``TestClock/sleeperCount``,
/// and ``Monitor/value``. It may be evaluated more often than that. State that appears and
/// disappears between two evaluations is missed; `states` and ``StateRecorder`` report every state.
/// A condition that only the limit found to be met is an issue of a test with `.verifiesMocks`.
///
/// - Parameters:
///   - limit: The time limit, in real time, for a test that would otherwise wait forever. A test
///     with `.verifiesMocks` meanwhile has no limit of five minutes.
///   - fileID: The file that the error names; the caller's unless given.
///   - filePath: The path of that file, of which the error shows the lines of the call.
///   - line: The line that the error names; the caller's unless given.
///   - condition: Runs on the caller's actor.
/// - Throws: ``ConditionNotMet`` when the limit expires or the task is canceled first, as the trait
///   `.timeLimit` does. A test discards errors after its time limit, so with `.verifiesMocks`, the
///   wait is then an issue of the test.
nonisolated(nonsending) public func waitUntil(
    within limit: Duration = .seconds(300),
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    _ condition: () -> Bool
) async throws(ConditionNotMet) {
    let changes = Monitor((count: 0, isExpired: false))
    let expiry = ContinuousClock().startTimeLimit(of: limit) { changes.withLock { $0.isExpired = true } }
    let end = TestScope.current?.remind(.limited) { "the condition at \(fileID):\(line) wasn't met." }
    defer {
        expiry.cancel()
        end?()
    }
    func isMet(_ reads: MonitorReads) -> Bool {
        withObservationTracking {
            MonitorReads.$current.withValue(reads, operation: condition)
        } onChange: {
            changes.withLock { $0.count += 1 }
        }
    }
    var lastCount = -1
    while true {
        let (count, isExpired) = changes.value
        let reads = MonitorReads()
        // The observer is registered only after an evaluation; the second one finds what changed in
        // between.
        if isMet(reads) || isMet(reads) {
            let reason = "noticed only after \(limit), since it reads state that isn't observable"
            // No change caused this evaluation.
            if isExpired, changes.value.count == lastCount {
                TestScope.current?.record("The condition at \(fileID):\(line) was \(reason).")
            }
            return
        }
        lastCount = count
        if Task.isCancelled || isExpired {
            let reason = Task.isCancelled ? ConditionNotMet.Reason.canceled : .expired(after: limit)
            throw ConditionNotMet(reason: reason, fileID: fileID, filePath: filePath, line: line)
        }
        // The second evaluation has the same gap, but a monitor knows whether it changed there.
        guard reads.areCurrent else { continue }
        await changes.suspend { $0.count != count || $0.isExpired }
    }
}
