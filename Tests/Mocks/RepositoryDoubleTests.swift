import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import TestLimits
import Testing

@Suite(.bounded)
struct RepositoryDoubleTests {
    let octocat = GitHub.FollowList.followers(of: GitHub.Login("octocat"))

    @Test
    @MainActor
    func `A double that never answers ends with canceled when its task is canceled, and not before`() async throws {
        let log = Log()
        let started = ControlledResponses<Void, Void>()
        let task = Task { [octocat] in
            // All on one actor: a call that did not wait would end before the test goes on.
            started.answer(0, with: .success(()))
            let page = await failure { () throws(BrowseError) in
                try await FollowerRepositoryDouble.never.page(of: octocat, at: nil)
            }
            log.add("ended")
            let profile = await failure { () throws(BrowseError) in
                try await UserRepositoryDouble.never.profile(of: GitHub.Login("mona"))
            }
            return [page, profile]
        }
        try await started.response(to: ())
        log.add("cancels")
        task.cancel()
        #expect(await task.value == [.cancelled, .cancelled])
        #expect(log.entries == ["cancels", "ended"])
    }
}
