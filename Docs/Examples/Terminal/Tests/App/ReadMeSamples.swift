import BrowseKit
import BrowseMocks
import Testing

// Compiles the samples of the README as an app does: in another package, with these imports only.

@Suite struct `The README` {
    @Test @MainActor func loadsAFailedPageAgain() async {
        let services = OfflineServices()
        let model = Container.offline(services).followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        services.gitHub.scenario = .serverError
        await model.loadMore()
        #expect(model.state.content.rows.count == 100)

        services.gitHub.scenario = .normal
        await model.retry()
        #expect(model.state.content.rows.count == 200)
        #expect(model.state.content.status == .ready)
    }
}
