import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// A store whose changes fail while the disk is full.
private struct FullStore: TokenStore {
    let store = InMemoryTokenStore()
    let isFull = Monitor(false)

    func load() async throws(BrowseError) -> Credentials? { try await store.load() }
    func update(
        _ change: @escaping @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        guard !isFull.value else { throw .storageFailed(StorageFailure(reason: .full, file: "session")) }
        try await store.update(change)
    }
}

/// The session of mona while another sign-in fails, and screens while it ends.
@MainActor @Suite(.bounded)
struct `The session of a person` {
    private let server = ScriptedServer()
    private let revocations: ScriptedServer.Stub
    private let mona = GitHub.Login("mona")
    private let token = "ghp_mona_1234567890"

    init() {
        let revoked = ScriptedServer.Response.status(204, headers: .gitHub)
        revocations = server.on(.delete, "/applications/client/token", times: .any, response: revoked)
        let refusal = ScriptedServer.Response.json(#"{"message":"Bad credentials"}"#, status: 401, headers: .gitHub)
        server.on(.get, "/user", times: .any, response: refusal)
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
    }

    private func container(_ store: any TokenStore = InMemoryTokenStore()) throws -> Container {
        var configuration = Configuration.localized()
        configuration.clock = ImmediateClock()
        configuration.gitHub.app = .gitHub(clientID: "client", clientSecret: try Secret("client-secret-1"))
        configuration.retries = .never
        let container = Container.production(on: server.transport(), configuration: configuration)
        container.gitHubTokenStore.override { _ in store }
        return container
    }

    private nonisolated static func user(_ login: String) -> ScriptedServer.Response {
        .json(#"{"id":\#(login.count),"login":"\#(login)","type":"User"}"#, headers: .gitHub)
    }

    /// Answers whose token it is; all others are refused.
    private func answer(_ token: String, _ user: ScriptedServer.Response) {
        server.on(.get("/user").header("Authorization", "Bearer \(token)"), times: .any, response: user)
    }

    private func paste(_ token: String, in container: Container) async -> Message? {
        let model = container.gitHubSignInViewModel()
        await model.signIn(withToken: token)
        return model.state.message
    }

    @Test func `goes on, here and at the next launch, if another sign-in can't be stored`() async throws {
        answer(token, Self.user("mona"))
        answer("ghp_octocat_1234567890", Self.user("octocat"))
        let store = FullStore()
        let container = try container(store)
        #expect(await paste(token, in: container) == nil)
        store.isFull.withLock { $0 = true }
        #expect(await paste("ghp_octocat_1234567890", in: container)?.kind == .storage)
        for container in [container, try self.container(store)] {
            await container.gitHubSession().start()
            #expect(container.gitHubSession().current.user?.login == mona)
        }
        #expect(try await store.load()?.token == Secret(token))
    }

    @Test func `goes on if another token is refused while the own user is loading`() async throws {
        answer(token, Self.user("mona").held())
        let store = InMemoryTokenStore(Credentials(token: try Secret(token)))
        let container = try container(store)
        let starting = Task { await container.gitHubSession().start() }
        await server.waitForRequests(1)
        #expect(await paste("ghp_typo_1234567890", in: container)?.action == .changeInput)
        server.release()
        await starting.value
        #expect(container.gitHubSession().current.user?.login == mona)
        #expect(try await store.load()?.token == Secret(token))
    }

    @Test func `stays unidentified if another token is refused, about which the message is`() async throws {
        answer(token, .json(#"{"message":"Forbidden"}"#, status: 403, headers: .gitHub))
        let container = try container()
        let error = try #require(await paste(token, in: container)?.error)
        let message = await paste("ghp_typo_1234567890", in: container)
        #expect(message?.text.contains("doesn’t accept this token") == true)
        #expect(container.gitHubSession().current == .unidentified(error))
    }

    @Test func `keeps its token if the server issues that again, and then can't say whose it is`() async throws {
        let isDown = Monitor(false)
        answer(token, .computed { _ in isDown.value ? .status(503) : Self.user("mona") })
        let container = try container()
        var credentials = Credentials(token: try Secret(token))
        credentials.issuedAt = Date()
        try await container.gitHubSession().signIn(with: credentials)
        isDown.withLock { $0 = true }
        await #expect(throws: BrowseError.self) { try await container.gitHubSession().signIn(with: credentials) }
        #expect(revocations.requests.isEmpty && container.gitHubSession().current.user?.login == mona)
    }

    @Test func `may end while screens load what is for anybody`() async throws {
        answer(token, Self.user("mona"))
        let profiles = server.on(.get, "/users/octocat", times: .any, response: Self.user("octocat").held())
        let path = "/users/octocat/followers"
        let link: HTTPHeaders = ["Link": "<https://api.github.com\(path)?page=2>; rel=\"next\""]
        server.on(.get, path, response: .json(#"[{"id":1,"login":"a"}]"#, headers: link))
        let last = ScriptedServer.Response.json(#"[{"id":2,"login":"b"}]"#).held()
        let pages = server.on(.get, path, query: ["page": "2"], times: .any, response: last)
        let container = try container()
        #expect(await paste(token, in: container) == nil)
        let (profile, followers) = (container.userProfileViewModel(), container.followerListViewModel())
        await followers.show(.followers(of: GitHub.Login("octocat")))
        let loads = [Task { await profile.show(GitHub.Login("octocat")) }, Task { await followers.loadMore() }]
        for stub in [profiles, pages] { await stub.waitForRequests(1) }
        try await container.gitHubSession().signOut()
        server.release()
        for load in loads { await load.value }
        #expect(profile.state.content.details != nil)
        #expect(followers.state.content.rows.map(\.login.rawValue) == ["a", "b"])
    }
}
