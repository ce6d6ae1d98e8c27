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

    @Test func `wait for the load that replaces theirs, and still leave independently`() async {
        let (never, end) = (Monitor(false), Monitor(false))
        let (old, new) = (CoalescedLoad { await never.wait { $0 } }, CoalescedLoad { await end.wait { $0 } })
        let callers = [old.join(), old.join()]
        let waits = callers.map { caller in Task { await old.wait(for: caller) } }
        old.cancel(replacedBy: new)
        // The end of the work that was canceled.
        await old.wait()
        #expect(callers.allSatisfy { $0.resolved == nil })
        new.start()
        waits[0].cancel()
        await waits[0].value
        #expect(new.canBeJoined && callers[1].resolved == nil)
        end.withLock { $0 = true }
        await waits[1].value
        #expect(!new.canBeJoined)
    }

    @Test func `leave a load that hasn't started yet, which another caller then starts`() async {
        let (never, wasCanceled) = (Monitor(false), Monitor<Bool?>(nil))
        let old = CoalescedLoad { await never.wait { $0 } }
        let new = CoalescedLoad { wasCanceled.withLock { $0 = Task.isCancelled } }
        let caller = old.join()
        let wait = Task { await old.wait(for: caller) }
        old.cancel(replacedBy: new)
        wait.cancel()
        // The main actor starts the task before this one.
        await Task { @MainActor in }.value
        #expect(caller.resolved != nil && new.canBeJoined)
        await new.wait()
        await wait.value
        #expect(wasCanceled.value == false)
    }

    @Test func `cancel the load that replaces theirs if all of them leave, and wait for its end`() async {
        let never = Monitor(false)
        let (old, new) = (CoalescedLoad { await never.wait { $0 } }, CoalescedLoad { await never.wait { $0 } })
        let caller = old.join()
        old.cancel(replacedBy: new)
        new.start()
        let wait = Task { await old.wait(for: caller) }
        wait.cancel()
        await wait.value
        #expect(!new.canBeJoined)
    }

    @Test func `don't cancel a load that replaces one which goes on without them`() async {
        let (never, end) = (Monitor(false), Monitor(false))
        let (old, new) = (CoalescedLoad { await never.wait { $0 } }, CoalescedLoad { await end.wait { $0 } })
        old.keep()
        old.cancel(replacedBy: new)
        new.start()
        let wait = Task { await new.wait() }
        wait.cancel()
        await wait.value
        #expect(new.canBeJoined)
        end.withLock { $0 = true }
        await new.wait()
    }

    @Test func `that has ended retain no later load`() async {
        let old = CoalescedLoad {}
        await old.wait()
        weak var gone: CoalescedLoad?
        do {
            let new = CoalescedLoad {}
            gone = new
            old.cancel(replacedBy: new)
        }
        #expect(gone == nil)
        withExtendedLifetime(old) {}
    }
}
