import BrowseCore
import BrowseCoreMocks
import BrowseCoreTesting
import BrowseData
import Letters
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `A sign-in to Letters` {
    @Test(.verifiesMocks) func `gets a token by code, and revokes it`() async throws {
        let server = ScriptedServer()
        let code = #"{"device_code": "d", "user_code": "AB-CD", "verification_uri": "https://letters.example/device"}"#
        server.on(.post, "/device/code", response: .json(code))
        let pending = ScriptedServer.Response.json(#"{"error": "authorization_pending"}"#, status: 400)
        let token = ScriptedServer.Response.json(#"{"access_token": "access-1", "token_type": "bearer"}"#)
        server.on(.post, "/token", responses: [pending, token])
        let authorized = RequestMatcher(.get, "/me").header("Authorization", "Bearer access-1")
        server.on(authorized, response: .json(#"{"name": "haneul"}"#))
        server.on(.get, "/drafts", response: .json(#"["To the sea"]"#))
        server.on(.post, "/revoke", response: .status(200))

        let configuration = Configuration().with {
            $0.clock = ImmediateClock()
            $0.letters.app = OAuthApp(clientID: "letters-app", scopes: ["read"])
        }
        let services: [any ServiceSettings.Type] = [LettersSettings.self]
        let container = Container.production(
            on: server.transport(),
            configuration: configuration,
            services: services
        )
        let signIn = container.lettersSignInViewModel()
        await signIn.signInByCode()
        #expect(signIn.state == .signedIn(Writer(name: "haneul")))
        let session = container.lettersSession()
        #expect(session.current == .ready(Writer(name: "haneul")) && session.content.titles == ["To the sea"])

        try await session.signOut()
        #expect(session.current == .signedOut(.requested) && session.content.titles == [])
    }

    @Test(.verifiesMocks) func `needs no server in previews and tests of screens`() async {
        let configuration = Configuration().with { $0.clock = ImmediateClock() }
        let container = Container.offline(services: [OfflineLetters()], configuration: configuration)
        let signIn = container.lettersSignInViewModel()
        await signIn.signInByCode()
        #expect(signIn.state == .signedIn(Writer(name: "haneul")))
    }
}
