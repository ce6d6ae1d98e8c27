import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseTesting
import Foundation
import Testing

@MainActor @Suite(.verifiesMocks, .timeLimit(.minutes(5)))
struct OfflineContainerTests {
    private let octocat = GitHub.FollowList.followers(of: GitHub.Login("octocat"))

    @Test
    func `A screen sees the scenario change between pages`() async throws {
        let services = OfflineServices()
        let model = Container.offline(services).followerListViewModel()
        await model.show(octocat)
        #expect(model.state.content.rows.count == 100)
        services.gitHub.scenarios.set(.serverError, for: .any.query(["page": "2"]))
        await model.loadMore()
        #expect(model.state.content.rows.count == 100)
        services.gitHub.scenarios.removeAll()
        await model.retry()
        #expect(model.state.content.rows.count == 200)
    }

    @Test
    func `A double is called for cached rows, and then for fresh ones, as in an app`() async throws {
        let user = GitHub.User(id: GitHub.User.ID(rawValue: 1), login: GitHub.Login("mona"))
        let sources = Monitor<[LoadOptions.Source]>([])
        let container = Container.offline()
        container.followerRepository.override { _ in
            FollowerRepositoryDouble(onPage: { _, _ throws(BrowseError) in
                sources.withLock { $0.append(LoadOptions.current.source) }
                return Page(items: [user])
            })
        }
        let model = container.followerListViewModel()
        await model.show(octocat)
        #expect(model.state.content.rows.count == 1)
        #expect(sources.value.first == .cacheOnly)
        #expect(sources.value.count == 2)
    }

    @Test(arguments: 0..<50)
    func `A container works on a scripted server`(number: Int) async throws {
        let server = ScriptedServer()
        let users = #"[{"login":"user-\#(number)","id":\#(number + 1)}]"#
        server.on(.get, "/users/octocat/followers", times: 1, response: .json(users))
        let model = Container.offline(on: server.transport()).followerListViewModel()
        await model.show(octocat)
        #expect(model.state.content.rows.map(\.user.login.rawValue) == ["user-\(number)"])
    }

    @Test
    func `Two accounts see their own repositories`() async throws {
        let services = OfflineServices()
        func repos(of login: String) async throws -> [String] {
            let token = try services.gitHub.token(for: GitHub.Login(login))
            let container = Container.offline(services, configuration: Configuration().with { $0.gitHub.token = token })
            let page = try await container.repoRepository().page(of: .starred, at: nil)
            return page.items.map(\.fullName)
        }
        #expect(try await repos(of: "haneul-kim").count == 3)
        #expect(try await repos(of: "octocat").count == 100)
    }
}
