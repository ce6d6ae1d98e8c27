import BrowseDomain
import BrowseMocks
import TestLimits
import TestSupport
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `Callers of a list` {
    private let held = ControlledResponses<String, Page<Row>>()

    /// A screen with two pages of 100 rows, the first one of which is loaded.
    private func screen() async -> ListScreen {
        let screen = ListScreen()
        held.answer(0, with: .success(Page(0..<100, next: "1")))
        await screen.begin { [held] cursor throws(BrowseError) in
            try await held.response(to: cursor?.rawValue ?? "0")
        }()
        return screen
    }

    @Test func `share work away from the main actor`() async {
        let workWasOnMain = Monitor<Bool?>(nil)
        let load = CoalescedLoad {
            workWasOnMain.withLock { $0 = MainQueue.isCurrent }
        }
        await load.wait()
        #expect(workWasOnMain.value == false)
    }

    @Test func `return when the load ends although the view model is released`() async {
        var screen: ListScreen? = await screen()
        let controls = screen?.list
        let load = Task { _ = await controls?.loadMore() }
        await held.waitForRequests(2)
        screen = nil
        held.answer(1, with: .success(Page(100..<200)))
        await load.value
        #expect(controls?.controller.pagedList.rows.count == 200)
    }
}
