import BrowseDomain
import BrowseMocks
import Observation
import TestLimits
import TestSupport
import Testing

@Suite(.bounded)
struct WaitUntilTests {
    @MainActor
    @Observable
    final class Model {
        var count = 0
        var isDone = false
    }

    @Test func `A condition that holds is not waited for`() async throws {
        try await waitUntil(within: .zero) { true }
    }

    @Test
    @MainActor
    func `It follows the properties that the condition reads, whichever they are by then`() async throws {
        let model = Model()
        let work = Task {
            for _ in 1...10 {
                model.count += 1
                await Task.yield()  // Random interleaving: the condition may be evaluated in between, or not.
            }
            model.isDone = true
        }
        try await waitUntil { model.count >= 3 && model.isDone }
        #expect(model.count == 10)
        await work.value
    }

    @Test(arguments: 0..<50)
    func `No change of a monitor from another thread is missed`(round: Int) async throws {
        let monitor = Monitor(0)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<25 { monitor.withLock { $0 += 1 } } }
            }
            for count in stride(from: 0, through: 100, by: 10) {
                group.addTask {
                    await #expect(throws: Never.self) { try await waitUntil { monitor.value >= count } }
                    await monitor.wait { $0 >= count }
                }
            }
        }
        #expect(monitor.value == 100)
    }

    @Test func `It follows what the mocks say of themselves`() async throws {
        let held = ControlledResponses<Int, Int>()
        let clock = TestClock()
        let task = Task {
            try? await clock.sleep(for: .seconds(1))
            return try await held.response(to: 1)
        }
        try await waitUntil { clock.sleeperCount == 1 }
        await clock.advance(by: .seconds(1))
        try await waitUntil { held.waitingCount == 1 && held.requests == [1] }
        task.cancel()
        try await waitUntil { held.waitingCount == 0 }
        await #expect(throws: BrowseError.cancelled) { try await task.value }
    }

    @Test func `A condition that is not met fails with its place`() async {
        let monitor = Monitor(false)
        let line = #line + 1
        await #expect(throws: ConditionNotMet(reason: .expired(after: .zero), fileID: #fileID, line: line)) {
            try await waitUntil(within: .zero) { monitor.value }
        }
        let error = ConditionNotMet(reason: .expired(after: .seconds(5)), fileID: "Module/File.swift", line: 7)
        #expect("\(error)" == "Module/File.swift:7: the condition wasn't met within 5.0 seconds")
    }

    @Test func `The error of a condition shows the lines of its call, unless the line is of another file`() async {
        let monitor = Monitor(false)
        let problem = "the condition wasn't met within 0.0 seconds"
        // Inside a macro, the line would be the macro's.
        let line = #line + 2
        do {
            try await waitUntil(within: .zero) {
                monitor.value
            }
            Issue.record("It was met.")
        } catch {
            let call = "try await waitUntil(within: .zero) { monitor.value }"
            #expect("\(error)" == "\(#fileID):\(line): \(problem): \(call)")
        }
        let other = await #expect(throws: ConditionNotMet.self) {
            try await waitUntil(within: .zero, fileID: "Module/File.swift", line: line) { monitor.value }
        }
        #expect(other.map { "\($0)" } == "Module/File.swift:\(line): \(problem)")
    }

    @Test func `A canceled task waits no longer`() async {
        let monitor = Monitor(false)
        let task = Task {
            do throws(ConditionNotMet) {
                try await waitUntil { monitor.value }
            } catch {
                return error.reason == .canceled
            }
            return false
        }
        task.cancel()
        #expect(await task.value)
        #expect("\(ConditionNotMet(reason: .canceled, fileID: "a", line: 1))".contains("canceled"))
    }

    @Test func `Nothing keeps a monitor alive after its observers have left`() async {
        weak var gone: Monitor<Int>?
        do {
            let monitor = Monitor(0)
            gone = monitor
            await #expect(throws: ConditionNotMet.self) { try await waitUntil(within: .zero) { monitor.value == 1 } }
        }
        #expect(gone == nil)
    }
}
