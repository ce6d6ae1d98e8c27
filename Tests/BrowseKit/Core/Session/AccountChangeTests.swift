import BrowseData
import BrowseKit
import BrowseMocks
import TestLimits
import Testing

/// A screen of an account's secret, of an app's own.
@MainActor
private final class SecretViewModel: DetailViewModel {
    struct Secret: EntityDetails {
        let facts: [Fact]
    }

    typealias State = EntityState<Secret>

    var states: States<State> { store.states }
    var detail: DetailControls { secret.controls }
    private let store = StateStore(State())
    private let secret: DetailController<String, Secret>
    private let client: HTTPClient

    init(_ container: Container) {
        client = container.gitHubClient()
        let options = container.screenOptions(for: .gitHub)
        secret = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            Secret(facts: [Fact("name", "Name", $0)])
        }
        secret.restartOnAccountChange(of: container.gitHubSession())
    }

    func show() async {
        await secret.begin { [client] () throws(BrowseError) in try await client.send(.secrets)[0] }()
    }
}

extension Endpoint<[String]> {
    fileprivate static var secrets: Self { .json(.path("/secrets")) { (secrets: [String], _) in secrets } }
}

private struct SecretRow: ListRow {
    let id: String
}

@MainActor @Suite(.bounded)
struct `A screen that only one account may see` {
    private let services = OfflineServices()
    private let container: Container

    init() {
        container = Container.offline(services)
        // The secret of an account is its token.
        let secrets = ScriptedServer.Response.computed { request in
            guard let token = request.headers["Authorization"]?.split(separator: " ").last else {
                return .json("{}", status: 401, headers: ["X-GitHub-Request-Id": "1"])
            }
            return .json(#"["\#(token)"]"#)
        }
        services.gitHub.script.on(.get, "/secrets", times: .any, response: secrets)
    }

    private func list() -> PagedListViewModel<Int, SecretRow> {
        let client = container.gitHubClient()
        let options = container.screenOptions(for: .gitHub)
        let model = PagedListViewModel<Int, SecretRow>(options: options) { _ in
            "Secrets"
        } empty: { _ in
            options.texts.noRows(.nothing)
        } page: { _, _ throws(BrowseError) in
            Page(items: try await client.send(.secrets))
        } row: {
            SecretRow(id: $0)
        }
        model.pages.restartOnAccountChange(of: container.gitHubSession())
        return model
    }

    private func signIn(_ login: String) async {
        await container.gitHubSignInViewModel().signIn(withToken: "gho_offline_\(login)_1")
        #expect(container.gitHubSession().current.user?.login == GitHub.Login(login))
    }

    @Test func `starts over when the person signs out, and when another one signs in`() async throws {
        await signIn("octocat")
        let (list, detail) = (list(), SecretViewModel(container))
        await list.show(0)
        await detail.show()
        #expect(list.state.content.rows.map(\.id) == ["gho_offline_octocat_1"])
        #expect(detail.state.content.details?["name"]?.value == "gho_offline_octocat_1")

        try await container.gitHubSession().signOut()
        try await waitUntil { list.state.content.status.message?.kind == .unauthorized }
        try await waitUntil { detail.state.content.status.message?.kind == .unauthorized }
        #expect(list.state.content.rows.isEmpty && detail.state.content.details == nil)

        await signIn("haneul-kim")
        try await waitUntil { list.state.content.rows.map(\.id) == ["gho_offline_haneul-kim_1"] }
        try await waitUntil { detail.state.content.details?["name"]?.value == "gho_offline_haneul-kim_1" }
    }

    @Test func `says why the session ended`() async throws {
        await signIn("octocat")
        let (list, detail, repos) = (list(), SecretViewModel(container), container.repoListViewModel())
        await list.show(0)
        await detail.show()
        await repos.show(.own)
        services.gitHub.revokeTokens()
        _ = try? await container.userRepository().ownProfile()
        let reason = container.texts().about(.gitHub).message(for: SignOutReason.revoked)
        try await waitUntil { list.state.content.status.message == reason }
        try await waitUntil { detail.state.content.status.message == reason }
        try await waitUntil { repos.state.content.status.message == reason }
    }

    @Test(arguments: [false, true])
    func `starts over at a sign-out, even if the user couldn't be loaded`(isSignedOutFirst: Bool) async throws {
        services.gitHub.script.on(.get, "/user", times: .any, response: .status(503))
        let session = container.gitHubSession()
        if isSignedOutFirst { await session.start() }
        let list = list()
        if isSignedOutFirst { await list.show(0) }
        await container.gitHubSignInViewModel().signIn(withToken: "gho_offline_octocat_1")
        guard case .unidentified = session.current else {
            Issue.record("\(session.current)")
            return
        }
        await list.show(0)
        #expect(list.state.content.rows.map(\.id) == ["gho_offline_octocat_1"])
        try await session.signOut()
        try await waitUntil { list.state.content.status.message?.kind == .unauthorized }
        #expect(list.state.content.rows.isEmpty)
    }

    @Test func `has no private repositories after a sign-out, even if the user couldn't be loaded`() async throws {
        services.gitHub.script.on(.get, "/user", times: .any, response: .status(503))
        let session = container.gitHubSession()
        await session.start()
        let repos = container.repoListViewModel()
        await repos.show(.own)
        #expect(repos.state.content.status.message?.kind == .unauthorized)
        await container.gitHubSignInViewModel().signIn(withToken: "gho_offline_octocat_1")
        await repos.retry()
        #expect(!repos.state.content.rows.isEmpty)
        try await session.signOut()
        try await waitUntil { repos.state.content.status.message?.kind == .unauthorized }
        #expect(repos.state.content.rows.isEmpty)
    }

    @Test func `loads once while a stored session is restored, and nothing before it's shown`() async throws {
        let configuration = try Configuration().with { $0.gitHub.token = try Secret("gho_offline_octocat_1") }
        let container = Container.offline(services, configuration: configuration)
        let session = container.gitHubSession()
        let (unseen, detail) = (SecretViewModel(container), SecretViewModel(container))
        await detail.show()
        await session.start()
        try await session.signOut()
        try await waitUntil { detail.state.content.status.message?.kind == .unauthorized }
        #expect(unseen.state.content.status == .idle)
        #expect(services.gitHub.script.requests.count == 2)
    }

    @Test func `is released while the session goes on`() async {
        await signIn("octocat")
        weak var list: PagedListViewModel<Int, SecretRow>?
        do {
            let model = self.list()
            await model.show(0)
            list = model
        }
        #expect(list == nil)
    }
}
