import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `A completed sign-in` {
    private let mona = GitHub.User.sample(1, login: "mona")
    private let hubot = GitHub.User.sample(2, login: "hubot")
    private let tokens = InMemoryTokenRepository()
    private let profiles = ControlledResponses<Int, GitHub.UserProfile>()
    private let session: GitHub.SessionManager

    init() {
        session = .inMemory(tokens: tokens, users: InMemoryUserRepository(held: profiles))
    }

    private func model(_ texts: Texts = .english) -> SignInViewModel<GitHub.User> {
        let authorization = InMemoryAuthorizationRepository()
        return SignInViewModel(
            session: session,
            oauth: OAuthSignIn(authorization: authorization, clock: TestClock()),
            texts: texts.about(.gitHub)
        )
    }

    /// Signs in with a token, whose user is the given one.
    private func signIn(_ model: SignInViewModel<GitHub.User>, as user: GitHub.User) async {
        let number = profiles.requests.count
        profiles.answer(number, with: .success(GitHub.UserProfile(user: user) { $0.memberSince = .distantPast }))
        await model.signIn(withToken: "token-\(number)")
        #expect(model.state == .signedIn(user))
    }

    @Test(arguments: [
        (Texts.english, "GitHub signed you out. Sign in again."),
        (.korean, "GitHub에서 로그아웃되었습니다. 다시 로그인하십시오."),
    ])
    func `shows that GitHub revoked the token`(texts: Texts, text: String) async {
        let model = model(texts)
        await signIn(model, as: mona)
        await tokens.rejectToken()
        let state = await model.until { if case .signedIn = $0 { false } else { true } }
        #expect(state == .signedOut(texts.about(.gitHub).message(for: SignOutReason.revoked)))
        guard case .signedOut(let message) = state else { return }
        #expect(message.text == text && message.action == .signIn)
    }

    @Test(arguments: [(Texts.english, "Sign in to see your account."), (.korean, "내 계정을 보려면 로그인하십시오.")])
    func `shows that the person signed out on another screen`(texts: Texts, text: String) async throws {
        let model = model(texts)
        let users = InMemoryUserRepository { _ throws(BrowseError) in throw .timedOut(.sample) }
        let account = AccountViewModel(session: session, users: users, options: .english)
        await signIn(model, as: mona)
        await account.show()
        account.askToSignOut()
        await account.signOut()
        let state = await model.until { if case .signedIn = $0 { false } else { true } }
        let message = try #require(state.message)
        #expect(state == .signedOut(message))
        #expect(message.text == text && message.action == .signIn)
        // The screen signs in again.
        await signIn(model, as: hubot)
    }

    @Test func `shows the user of a later sign-in on another screen`() async {
        let (model, other) = (model(), model())
        await signIn(model, as: mona)
        await signIn(other, as: hubot)
        await model.until { $0 == .signedIn(hubot) }
        #expect(other.state == .signedIn(hubot))
    }

    @Test func `shows the user who was unknown at first`() async {
        // With a user signed in, the session before it would stay.
        let model = model()
        let failure = BrowseError.timedOut(.sample)
        profiles.answer(0, with: .failure(failure))
        await model.signIn(withToken: "token")
        #expect(model.state == .failed(Texts.english.message(for: failure)))
        profiles.answer(1, with: .success(GitHub.UserProfile(user: hubot) { $0.memberSince = .distantPast }))
        await session.retry()
        await model.until { $0 == .signedIn(hubot) }
    }

    @Test func `doesn't disturb the next attempt when the session ends`() async throws {
        let model = model()
        let other = self.model()
        await signIn(model, as: mona)
        await signIn(other, as: mona)
        model.cancel()
        try await session.signOut()
        await other.until { if case .signedOut = $0 { true } else { false } }
        #expect(model.state == .idle)
    }

    @Test func `doesn't keep its screen alive`() async {
        weak var released: SignInViewModel<GitHub.User>?
        do {
            let model = model()
            await signIn(model, as: mona)
            released = model
        }
        #expect(released == nil)
    }
}
