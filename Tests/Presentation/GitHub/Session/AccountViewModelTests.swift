import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The account` {
    private let mona = GitHub.User.sample(1, login: "mona")
    private let hubot = GitHub.User.sample(2, login: "hubot")
    private let held = ControlledResponses<Int, GitHub.UserProfile>()

    private func profile(_ user: GitHub.User) -> GitHub.UserProfile {
        GitHub.UserProfile(user: user) {
            $0.name = "Name of \(user.login)"
            $0.memberSince = .distantPast
        }
    }

    private func model(_ session: GitHub.SessionManager) -> AccountViewModel {
        AccountViewModel(session: session, users: InMemoryUserRepository(held: held), options: .english)
    }

    private func name(_ state: AccountViewModel.State) -> String? {
        if case .loaded(let details) = state.content.status { details.name } else { nil }
    }

    private func credentials(_ user: GitHub.User) throws -> Credentials {
        Credentials(token: try Secret("token-\(user.login)"), user: user)
    }

    @Test func `is signed out at first, and offers to sign in`() async throws {
        let model = model(.inMemory())
        await model.show()
        guard case .failed(let message) = model.state.content.status else { throw BrowseError.cancelled }
        #expect(message.action == .signIn && message.text == "Sign in to see your account.")
        #expect(await model.perform(.signIn) == .signIn)
        #expect(model.showRepos() == nil && model.showStarred() == nil && model.showPublicProfile() == nil)
        model.askToSignOut()
        #expect(model.state.question == nil)
    }

    @Test func `follows the session also if it's refreshed before it's shown`() async throws {
        let codes = ControlledResponses<Int, GitHub.UserProfile>()
        let users = InMemoryUserRepository(held: codes)
        let session = GitHub.SessionManager.inMemory(users: users)
        await session.start()
        let signIn = Task { try await session.signIn(with: Credentials(token: try Secret("token"))) }
        await codes.waitForRequests(1)
        let model = AccountViewModel(session: session, users: users, options: .english)
        await model.refresh()
        #expect(model.state.content.status == .loading)
        for number in 0..<2 { codes.answer(number, with: .success(profile(mona))) }
        try await signIn.value
        await model.until { name($0) == "Name of mona" }
    }

    @Test func `shows the profile, and returns the user's own routes`() async throws {
        let model = model(.inMemory(mona))
        held.answer(0, with: .success(profile(mona)))
        await model.show()
        #expect(name(model.state) == "Name of mona")
        #expect(model.showRepos() == .gitHub(.repoList(.own)))
        #expect(model.showStarred() == .gitHub(.repoList(.starred)))
        #expect(model.showPublicProfile() == .gitHub(.account(mona.id, label: mona.login)))
        #expect(held.requests.count == 1)
    }

    @Test func `shows the cached profile and its age if GitHub can't be reached`() async throws {
        let date = Date(timeIntervalSince1970: 1_000_000)
        let users = InMemoryUserRepository { [profile = profile(mona)] _ throws(BrowseError) in
            guard LoadOptions.current.source != .network else { throw .timedOut(.sample) }
            ProvenanceRecord.current?.note(.offline(since: date))
            return .profile(profile)
        }
        for policy in [LoadPolicy.freshElseCached, .cachedFirst, .offline] {
            let model = AccountViewModel(
                session: .inMemory(mona),
                users: users,
                options: ScreenOptions(texts: .english) { $0.policy = policy }
            )
            await model.show()
            #expect(name(model.state) == "Name of mona")
            #expect(model.state.content.provenance == .offline(since: date))
            #expect(model.state.content.age?.hasPrefix("May be out of date. Last updated Jan 12, 1970") == true)
        }
    }

    @Test func `signs out without a question, for a program`() async throws {
        let session = GitHub.SessionManager.inMemory(mona)
        let model = model(session)
        held.answer(0, with: .success(profile(mona)))
        await model.show()
        await model.signOut()
        #expect(session.current == .signedOut(.requested))
        #expect(model.state.user == nil)
    }

    @Test func `asks before signing out, and names the unsent stars`() async throws {
        let stars = ControlledResponses<InMemoryStarRepository.Call, [GitHub.Repo.ID]>()
        stars.answer(0, with: .success([]))
        let session = GitHub.SessionManager.inMemory(mona, stars: InMemoryStarRepository(onCall: stars.response))
        let model = model(session)
        held.answer(0, with: .success(profile(mona)))
        await model.show()
        model.askToSignOut()
        #expect(model.state.question?.text == "You’re signed in as mona.")
        model.staySignedIn()
        #expect(model.state.question == nil)
        _ = session.stars.setStarred(true, for: .sample(1))
        model.askToSignOut()
        #expect(
            model.state.question?.text
                == "You’re signed in as mona. 1 star hasn’t been sent to GitHub yet and will be lost."
        )
        await model.signOut()
        guard case .failed = model.state.content.status else { throw BrowseError.cancelled }
        #expect(model.state.user == nil && model.state.question == nil)
        #expect(session.current == .signedOut(.requested))
    }

    @Test func `follows the session, and shows nothing of the previous user`() async throws {
        let session = GitHub.SessionManager.inMemory(mona)
        let model = model(session)
        held.answer(0, with: .success(profile(mona)))
        await model.show()
        async let signedIn: Void = session.signIn(with: credentials(hubot))
        await held.waitForRequests(2)
        try await signedIn
        #expect(model.state.user == hubot && name(model.state) == nil)
        held.answer(1, with: .success(profile(hubot)))
        await model.until { name($0) == "Name of hubot" }
        try await session.signOut()
        await model.until { if case .failed = $0.content.status { $0.user == nil } else { false } }
    }

    @Test func `drops the profile of a user who has signed out even if it arrives`() async throws {
        let session = GitHub.SessionManager.inMemory(mona)
        let monas = profile(mona)
        let stubborn = InMemoryUserRepository { [held] _ in
            // Canceling the caller doesn't cancel this task.
            await Task { _ = try? await held.response(to: 0) }.value
            return .profile(monas)
        }
        let model = AccountViewModel(session: session, users: stubborn, options: .english)
        let showing = Task { await model.show() }
        await held.waitForRequests(1)
        try await session.signOut()
        await model.until { if case .failed = $0.content.status { true } else { false } }
        held.answer(0, with: .success(monas))
        await showing.value
        #expect(model.state.user == nil && name(model.state) == nil)
    }

    @Test func `keeps the profile while it's loaded again, and after a failure`() async throws {
        let model = model(.inMemory(mona))
        held.answer(0, with: .success(profile(mona)))
        await model.show()
        let before = model.state
        let retry = Task { await model.retry() }
        await held.waitForRequests(2)
        #expect(model.state == before)
        held.answer(1, with: .failure(.timedOut(.sample)))
        await retry.value
        #expect(model.state.content.status == before.content.status)
        #expect(model.state.notice == Texts.english.message(for: .timedOut(.sample)))
    }

    @Test(arguments: [(BrowseError.unreachable(.offline, .sample), true), (BrowseError.forbidden(.sample), false)])
    func `reports that the user can't be identified, and loads it again on retry, or when it's shown again`(
        error: BrowseError,
        isRetry: Bool
    ) async throws {
        let users = ControlledResponses<Int, GitHub.UserProfile>()
        let tokens = InMemoryTokenRepository(Credentials(token: try Secret("token")))
        let model = model(.inMemory(tokens: tokens, users: InMemoryUserRepository(held: users)))
        users.answer(0, with: .failure(error))
        await model.show()
        #expect(model.state.content.status == .failed(Texts.english.about(.gitHub).message(for: error)))
        users.answer(1, with: .success(profile(mona)))
        held.answer(0, with: .success(profile(mona)))
        if isRetry { await model.retry() } else { await model.show() }
        #expect(name(model.state) == "Name of mona")
    }

    @Test func `loads a profile that failed when it's shown again, and then no more`() async {
        let model = model(.inMemory(mona))
        held.answer(0, with: .failure(.timedOut(.sample)))
        held.answer(1, with: .success(profile(mona)))
        for _ in 0..<3 { await model.show() }
        #expect(name(model.state) == "Name of mona" && held.requests.count == 2)
    }

    @Test func `doesn't say that it's loading while the device is locked`() async throws {
        let locked = BrowseError.storageFailed(StorageFailure(reason: .locked, file: "session"))
        let tokens = InMemoryTokenRepository { _ throws(BrowseError) in throw locked }
        let model = model(.inMemory(tokens: tokens))
        for isFirst in [true, false] {
            if isFirst { await model.show() } else { await model.refresh() }
            let message = try #require(model.state.content.status.message)
            #expect(message.text == "Unlock your device and try again." && message.action == .retry)
        }
    }

    @Test func `doesn't say that the device is locked when it's left while the session is restored`() async throws {
        let reads = ControlledResponses<InMemoryTokenRepository.Call, TokenGrant>()
        let model = model(.inMemory(tokens: InMemoryTokenRepository(onCall: reads.response)))
        let show = Task { await model.show() }
        await reads.waitForRequests(1)
        show.cancel()
        await show.value
        #expect(model.state.content.status == .loading)
        reads.answer(0, with: .failure(.cancelled))
    }

    @Test func `isn't loaded twice when the session starts again`() async throws {
        let users = ControlledResponses<Int, GitHub.UserProfile>()
        let stars = ControlledResponses<InMemoryStarRepository.Call, [GitHub.Repo.ID]>()
        let tokens = InMemoryTokenRepository(Credentials(token: try Secret("token")))
        let model = model(
            .inMemory(
                tokens: tokens,
                users: InMemoryUserRepository(held: users),
                stars: InMemoryStarRepository(onCall: stars.response)
            )
        )
        users.answer(0, with: .failure(.unreachable(.offline, .sample)))
        await model.show()
        users.answer(1, with: .success(profile(mona)))
        let retrying = Task { await model.retry() }
        await stars.waitForRequests(1)
        for number in 0...1 { held.answer(number, with: .success(profile(mona))) }
        await model.until { name($0) != nil }
        stars.answer(0, with: .success([]))
        await retrying.value
        #expect(name(model.state) == "Name of mona")
        #expect(held.requests.count == 1)
    }

    @Test func `can sign out if the user can't be identified`() async throws {
        let users = InMemoryUserRepository { _ throws(BrowseError) in throw .forbidden(.sample) }
        let token = Credentials(token: try Secret("token"))
        let session = GitHub.SessionManager.inMemory(tokens: InMemoryTokenRepository(token), users: users)
        let model = model(session)
        await model.show()
        model.askToSignOut()
        #expect(model.state.question != nil)
        await model.signOut()
        #expect(session.current == .signedOut(.requested))
    }

    @Test func `reports that GitHub ended the session, or that a stored one is unusable`() async throws {
        let tokens = InMemoryTokenRepository(try credentials(mona))
        let model = model(.inMemory(tokens: tokens))
        held.answer(0, with: .success(profile(mona)))
        await model.show()
        await tokens.rejectToken()
        await model.until {
            if case .failed(let message) = $0.content.status { message.text.contains("signed you out") } else { false }
        }
        let failure = StorageFailure(reason: .exposed, file: "session.json")
        let exposed = Texts.english.message(for: SignOutReason.storage(failure))
        #expect(exposed.action == .signIn && exposed.text.contains("other people could read"))
        #expect(exposed.error == .storageFailed(failure))
    }

    @Test func `reports that the token couldn't be revoked, and keeps the notice`() async throws {
        let tokens = InMemoryTokenRepository(try credentials(mona)) { call throws(BrowseError) in
            if case .revoke = call { throw .timedOut(.sample) }
            return nil
        }
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        let model = model(session)
        held.answer(0, with: .success(profile(mona)))
        await model.show()
        model.askToSignOut()
        await model.signOut()
        #expect(model.state.notice?.text.contains("may still have access") == true)
        // The stream's own telling of the sign-out does not take the notice away.
        await model.show()
        #expect(model.state.notice?.text.contains("may still have access") == true)
        #expect(session.current == .signedOut(.requested))
    }
}
