import BrowseTerminal
import Foundation
import Testing

@Suite("A signal", .timeLimit(.minutes(5)))
struct SignalTests {
    /// entireio/cli#1604 and pyroscope/pyrocore#95
    @Test("ends the process itself, so that a shell ends its loop, too")
    func end() async {
        await #expect(processExitsWith: .signal(SIGINT)) { SignalMonitor.endProcess(by: SIGINT) }
        await #expect(processExitsWith: .signal(SIGTERM)) { SignalMonitor.endProcess(by: SIGTERM) }
    }
}
