import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import BrowsePresentation
import Dispatch
import TestLimits
import Testing

@MainActor
private final class Owner {
    var observer: AccountObserver?
}

@MainActor @Suite(.bounded)
struct `An observer of the account` {
    @Test func `isn't called after its release, even with what it has received`() async throws {
        let session = GitHub.SessionManager.inMemory(.sample(1))
        let (owner, calls, isReady) = (Owner(), Monitor(0), DispatchSemaphore(value: 0))
        // Before the session starts, so that it receives each state.
        owner.observer = AccountObserver(session) { _, _ in
            calls.withLock { $0 += 1 }
            // The main actor is busy until all states have been sent.
            _ = isReady.wait(timeout: .now() + .seconds(60))
            isReady.signal()
            owner.observer = nil
        }
        Task.detached { [states = session.sessions] in
            _ = await states.first { $0 == .ready(.sample(1)) }
            isReady.signal()
        }
        try await waitUntil { calls.value > 0 }
        // The main actor runs tasks in order.
        await Task {}.value
        #expect(calls.value == 1)
    }
}
