import BrowseCore
import BrowseCoreMocks
import BrowseCoreTesting
import BrowseData
import Letters
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `An account at Letters` {
    private let server = ScriptedServer()

    private func container(app: OAuthApp? = nil) -> Container {
        let services: [any ServiceSettings.Type] = [LettersSettings.self]
        let configuration = Configuration().with { $0.letters.app = app }
        return Container.production(on: server.transport(), configuration: configuration, services: services)
    }

    /// Answers requests with a token.
    private func answer(_ token: String, with name: String) {
        let authorized = RequestMatcher(.get, "/me").header("Authorization", "Bearer \(token)")
        server.on(authorized, response: .json(#"{"name": "\#(name)"}"#))
    }

    @Test(.verifiesMocks) func `is shown while somebody is signed in`() async throws {
        for token in ["access-1", "access-2"] { answer(token, with: "haneul") }
        let refused = ScriptedServer.Response.json("{}", status: 401)
        server.on(.get, "/drafts", responses: [.json("[]"), refused, .json("[]")])
        server.on(.post, "/revoke", response: .json(#"{"error": "invalid_client"}"#, status: 401))
        let container = container(app: OAuthApp(clientID: "letters-app"))
        let session = container.lettersSession()
        let account = container.writerAccountViewModel()
        await account.show()
        #expect(account.state.content.status.message?.action == .signIn)

        try await session.signIn(with: Credentials(token: Secret("access-1")))
        try await waitUntil { account.state.content.provenance == .fresh }
        #expect(account.state.content.details?["name"]?.value == "haneul")

        await session.reloadContent()
        try await waitUntil { account.state.content.status.message?.text == "Letters signed you out. Sign in again." }

        try await session.signIn(with: Credentials(token: Secret("access-2")))
        try await waitUntil { account.state.content.provenance == .fresh }
        await account.signOut()
        #expect(account.state.content.status.message?.text == "Sign in to see your account.")
        #expect(account.state.notice?.title == "Signed Out on This Device")
    }

    @Test(.verifiesMocks) func `is one of several`() async throws {
        for name in ["haneul", "bada"] { answer(name, with: name) }
        server.on(.get, "/drafts", response: .json("[]"))
        let app = container()
        let (first, second) = (app.container(ofAccount: "1"), app.container(ofAccount: "2"))
        try await first.lettersSession().signIn(with: Credentials(token: Secret("haneul")))
        try await second.lettersSession().signIn(with: Credentials(token: Secret("bada")))
        try await first.lettersSession().signOut()
        #expect(first.lettersSession().current == .signedOut(.requested))
        #expect(second.lettersSession().current == .ready(Writer(name: "bada")))
        #expect(try await second.lettersClient().send(.me) == Writer(name: "bada"))
    }
}
