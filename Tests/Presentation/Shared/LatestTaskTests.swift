import BrowseDomain
import TestSupport
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.timeLimit(.minutes(5)))
struct `The latest task` {
    @Test func `runs away from the main actor`() async throws {
        #expect(MainQueue.isCurrent)
        let slot = LatestTask()
        let wasOnMain = await slot.run { () throws(BrowseError) in MainQueue.isCurrent }
        #expect(wasOnMain == .success(false))
        #expect(MainQueue.isCurrent)
    }
}
