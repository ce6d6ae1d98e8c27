import BrowseDomain
import BrowseMocks
import TestLimits
import TestSupport
import Testing

@MainActor @Suite(.bounded)
struct `Callers of a load` {
    @Test func `share work away from the main actor`() async {
        let workWasOnMain = Monitor<Bool?>(nil)
        let load = CoalescedLoad {
            workWasOnMain.withLock { $0 = MainQueue.isCurrent }
        }
        await load.wait()
        #expect(workWasOnMain.value == false)
    }
}
