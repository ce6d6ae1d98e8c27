import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseTesting
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.verifiesMocks, .bounded)
struct OfflineContainerTests {
    private let octocat = GitHub.FollowList.followers(of: GitHub.Login("octocat"))

    @Test func `A screen sees the scenario change between pages`() async throws {
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

    @Test func `A repository is called for cached rows, and then for fresh ones, as in an app`() async throws {
        let user = GitHub.User(id: GitHub.User.ID(rawValue: 1), login: GitHub.Login("mona"))
        let sources = Monitor<[LoadOptions.Source]>([])
        let container = Container.offline()
        container.followerRepository.override { _ in
            InMemoryFollowerRepository { _ in
                sources.withLock { $0.append(LoadOptions.current.source) }
                return Page(items: [user])
            }
        }
        let model = container.followerListViewModel()
        await model.show(octocat)
        #expect(model.state.content.rows.count == 1)
        #expect(sources.value.first == .cacheOnly)
        #expect(sources.value.count == 2)
    }

    @Test(arguments: [nil, "ko_KR", Locale.current.identifier] as [String?])
    func `A container has the texts of the United States in GMT, or those of the configuration`(locale: String?) {
        let configuration = Configuration().with {
            guard let locale else { return }
            ($0.locale, $0.timeZone) = (Locale(identifier: locale), .current)
        }
        for container in [
            Container.offline(configuration: configuration),
            Container.production(on: ScriptedServer().transport(), configuration: configuration),
        ] {
            #expect(container.configuration.locale == Locale(identifier: locale ?? "en_US"))
            #expect(container.configuration.timeZone == (locale == nil ? .gmt : .current))
        }
    }

    @Test func `A container without folders erases no file of the app that runs the test`() async throws {
        let folder = Configuration.defaultCacheFolder.appending(path: "responses/0123456789abcdef")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        await Container.offline().responseCache().removeAll()
        #expect(FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
    }

    @Test func `A container on a test's transport retries as an app does`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/users/octocat", responses: [.status(502), .fixture("user-octocat", in: .gitHub)])
        let configuration = Configuration().with { $0.clock = ImmediateClock() }
        let users = Container.production(on: server.transport(), configuration: configuration).userRepository()
        #expect(try await users.profile(of: GitHub.Login("octocat")).user.login == GitHub.Login("octocat"))
        try server.verify()
    }

    @Test func `A request to a server that hangs times out by the clock of the container`() async throws {
        let clock = TestClock()
        let configuration = Configuration().with {
            ($0.clock, $0.retries, $0.limits.duration) = (clock, .never, .seconds(3_600))
        }
        let server = ScriptedServer()
        server.on(.get, "/users/octocat", response: .fixture("user-octocat", in: .gitHub).held())
        let users = Container.production(on: server.transport(), configuration: configuration).userRepository()
        let profile = Task { try await users.profile(of: GitHub.Login("octocat")) }
        await server.waitForRequests(1)
        await clock.advance(by: configuration.limits.duration)
        let error = await #expect(throws: BrowseError.self) { try await profile.value }
        guard case .timedOut = error else { throw BrowseError.cancelled }
    }

    @Test func `An offline container doesn't retry, so that a failing scenario is shown at once`() async throws {
        let services = OfflineServices()
        services.gitHub.script.on(.get, "/users/octocat", response: .status(502))
        let users = Container.offline(services).userRepository()
        await #expect(throws: BrowseError.self) { try await users.profile(of: GitHub.Login("octocat")) }
        #expect(services.gitHub.script.requests.count == 1)
    }

    @Test func `Sessions of any service are in memory, or in the folder that is named`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sessions-\(UUID().uuidString)")
        let url = try #require(URL(string: "https://letters.example"))
        func store(in folder: URL?) -> any TokenStore {
            Container.production(
                on: ScriptedServer().transport(),
                configuration: Configuration().with { $0.storageFolder = folder },
                services: []
            )
            .makeTokenStore(for: SessionName("Letters", at: url))
        }
        #expect(store(in: nil) is InMemoryTokenStore)
        #expect(store(in: folder) is FileTokenStore)
    }

    @Test @MainActor
    func `An invented token doesn't sign in, and the message says so`() async throws {
        let configuration = Configuration().with { $0.clock = ImmediateClock() }
        let signIn = Container.offline(configuration: configuration).gitHubSignInViewModel()
        await signIn.signIn(withToken: "ghp_wrong")
        guard case .failed(let message) = signIn.state else { throw BrowseError.cancelled }
        #expect(message.title == "Token Not Accepted")
        #expect(message.text == "GitHub doesn’t accept this token. Check it, or create another one.")
        #expect(message.actionTitle == "Edit Token" && message.error != nil)
    }
}
