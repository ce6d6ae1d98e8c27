import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

/// Every double has the same parts, and they work for each of its calls.
@Suite(.bounded)
struct DoubleUniformityTests {
    typealias Call<Double> = @Sendable (Double) async throws -> Void

    /// The calls of a double, with the names of their closures.
    struct Calls<Double: RepositoryDouble>: Sendable {
        let all: [(closure: String, call: Call<Double>)]

        func errors(of double: Double) async -> [BrowseError?] {
            var errors: [BrowseError?] = []
            for (_, call) in all {
                do {
                    try await call(double)
                    errors.append(nil)
                } catch {
                    errors.append(error as? BrowseError)
                }
            }
            return errors
        }

        /// Checks a double that fails, one that never answers, and one that isn't set; returns its hints.
        func check(_ sourceLocation: SourceLocation = #_sourceLocation) async -> [String] {
            let timeout = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "TEST"))
            let failing = await errors(of: .failing(with: timeout))
            #expect(failing == all.map { _ in timeout }, sourceLocation: sourceLocation)
            let never = Task { await errors(of: .never) }
            never.cancel()
            #expect(await never.value == all.map { _ in .cancelled }, sourceLocation: sourceLocation)
            var hints: [String] = []
            for ((closure, _), error) in zip(all, await errors(of: Double())) {
                guard case .rejected(let info) = error, let message = info.serverMessage else {
                    Issue.record("\(closure): \(String(describing: error))", sourceLocation: sourceLocation)
                    continue
                }
                let parts = message.components(separatedBy: " was called but is not set. Set it: ")
                #expect(parts.first == "\(Double.reportedName).\(closure)", sourceLocation: sourceLocation)
                hints.append(parts.last ?? "")
            }
            return hints
        }
    }

    /// Takes the place of a call's result in the hints, which are compiled here.
    private func expectCompiled(_ hints: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let lines = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        #expect(!hints.isEmpty, sourceLocation: sourceLocation)
        for hint in hints { #expect(lines.contains(hint), sourceLocation: sourceLocation) }
    }

    private let login = GitHub.Login("mona")

    @Test
    func `Followers`() async throws {
        var double = FollowerRepositoryDouble()
        double.onPage = { _, _ throws(BrowseError) in throw .cancelled }
        let calls = Calls<FollowerRepositoryDouble>(all: [
            ("onPage", { [login] in _ = try await $0.page(of: .followers(of: login), at: nil) })
        ])
        #expect(await calls.errors(of: double) == [.cancelled])
        try expectCompiled(await calls.check())
        let over = FollowerRepositoryDouble(over: InMemoryFollowerRepository(lists: [.followers(of: login): []]))
        #expect(await calls.errors(of: over) == [nil])
    }

    @Test
    func `Users`() async throws {
        var double = UserRepositoryDouble()
        double.onProfile = { _ throws(BrowseError) in throw .cancelled }
        double.onOwnProfile = { () throws(BrowseError) in throw .cancelled }
        double.onSearch = { _, _ throws(BrowseError) in throw .cancelled }
        let text = try GitHub.SearchText("tea")
        let calls = Calls<UserRepositoryDouble>(all: [
            ("onProfile", { [login] in _ = try await $0.profile(of: login) }),
            ("onOwnProfile", { _ = try await $0.ownProfile() }),
            ("onSearch", { _ = try await $0.search(for: text, at: nil) }),
        ])
        #expect(await calls.errors(of: double) == [.cancelled, .cancelled, .cancelled])
        try expectCompiled(await calls.check())
        let over = UserRepositoryDouble(over: InMemoryUserRepository(profiles: [.named("mona")], own: login))
        #expect(await calls.errors(of: over) == [nil, nil, nil])

        let held = ControlledResponses<UserRepositoryDouble.Request, GitHub.UserProfile>()
        let controlled = UserRepositoryDouble.controlled(by: held)
        for number in 0..<2 { held.answer(number, with: .success(.named("mona"))) }
        _ = try await controlled.profile(of: login)
        _ = try await controlled.ownProfile()
        #expect(held.requests == [.profile(of: login), .ownProfile])
    }

    @Test
    func `Code repositories`() async throws {
        var double = RepoRepositoryDouble()
        double.onPage = { _, _ throws(BrowseError) in throw .cancelled }
        double.onSearch = { _, _ throws(BrowseError) in throw .cancelled }
        double.onRepo = { _, _ throws(BrowseError) in throw .cancelled }
        let search = GitHub.RepoSearch(text: try GitHub.SearchText("tea"))
        let calls = Calls<RepoRepositoryDouble>(all: [
            ("onPage", { _ = try await $0.page(of: .own, at: nil) }),
            ("onSearch", { _ = try await $0.search(search, at: nil) }),
            ("onRepo", { _ = try await $0.repo(named: "repo1", of: GitHub.Login("octocat")) }),
        ])
        #expect(await calls.errors(of: double) == [.cancelled, .cancelled, .cancelled])
        try expectCompiled(await calls.check())
        let over = RepoRepositoryDouble(over: InMemoryRepoRepository(repos: [.numbered(1)]))
        #expect(await calls.errors(of: over) == [nil, nil, nil])

        let held = ControlledResponses<RepoRepositoryDouble.Request, GitHub.SearchPage<GitHub.Repo>>()
        held.answer(0, with: .success(GitHub.SearchPage(page: Page(items: [.numbered(7)]), totalCount: 1)))
        held.answer(1, with: .success(GitHub.SearchPage(page: Page(items: []), totalCount: 0)))
        let controlled = RepoRepositoryDouble.controlled(by: held)
        #expect(try await controlled.repo(named: "a", of: login) == .numbered(7))
        let missing = await failure { () throws(BrowseError) in try await controlled.repo(named: "b", of: login) }
        let isMissing = if case .notFound = missing { true } else { false }
        #expect(isMissing)
        #expect(held.requests == [.repo(named: "a", of: login), .repo(named: "b", of: login)])
    }

    @Test
    func `Stars`() async throws {
        var double = StarRepositoryDouble()
        double.onStarred = { () throws(BrowseError) in throw .cancelled }
        double.onSet = { _, _ throws(BrowseError) in throw .cancelled }
        double.onIsStarred = { _ throws(BrowseError) in throw .cancelled }
        let calls = Calls<StarRepositoryDouble>(all: [
            ("onStarred", { try await $0.starred { _ in } }),
            ("onSet", { try await $0.set(true, for: .numbered(1)) }),
            ("onIsStarred", { _ = try await $0.isStarred(.numbered(1)) }),
        ])
        #expect(await calls.errors(of: double) == [.cancelled, .cancelled, .cancelled])
        try expectCompiled(await calls.check())
        let stars = InMemoryStarRepository()
        #expect(await calls.errors(of: StarRepositoryDouble(over: stars)) == [nil, nil, nil])
        #expect(stars.ids == [GitHub.Repo.numbered(1).id])
    }

    @Test
    func `Characters, episodes, and locations`() async throws {
        let id = RickAndMorty.Character.ID(rawValue: 1)
        let characters = Calls<CharacterRepositoryDouble>(all: [
            ("onPage", { _ = try await $0.page(of: .init(), at: nil) }),
            ("onEntity", { _ = try await $0.entity(id) }),
            ("onEntities", { _ = try await $0.entities([id]) }),
        ])
        var double = CharacterRepositoryDouble()
        double.onPage = { _, _ throws(BrowseError) in throw .cancelled }
        double.onEntity = { _ throws(BrowseError) in throw .cancelled }
        double.onEntities = { _ throws(BrowseError) in throw .cancelled }
        #expect(await characters.errors(of: double) == [.cancelled, .cancelled, .cancelled])
        try expectCompiled(await characters.check())
        let one = InMemoryCharacterRepository([.init(id: id, name: "Rick")])
        #expect(await characters.errors(of: CharacterRepositoryDouble(over: one)) == [nil, nil, nil])

        let episodes = Calls<EpisodeRepositoryDouble>(all: [
            ("onPage", { _ = try await $0.page(of: .init(), at: nil) }),
            ("onEntity", { _ = try await $0.entity(.init(rawValue: 1)) }),
            ("onEntities", { _ = try await $0.entities([.init(rawValue: 1)]) }),
        ])
        try expectCompiled(await episodes.check())
        let pilot = InMemoryEpisodeRepository([.init(id: .init(rawValue: 1), name: "Pilot")])
        #expect(await episodes.errors(of: EpisodeRepositoryDouble(over: pilot)) == [nil, nil, nil])

        let locations = Calls<LocationRepositoryDouble>(all: [
            ("onPage", { _ = try await $0.page(of: .init(), at: nil) }),
            ("onEntity", { _ = try await $0.entity(.init(rawValue: 1)) }),
            ("onEntities", { _ = try await $0.entities([.init(rawValue: 1)]) }),
        ])
        try expectCompiled(await locations.check())
        let earth = InMemoryLocationRepository([.init(id: .init(rawValue: 1), name: "Earth")])
        #expect(await locations.errors(of: LocationRepositoryDouble(over: earth)) == [nil, nil, nil])
    }

    @Test
    func `Apps`() async throws {
        let term = try AppStore.SearchTerm("tea")
        let calls = Calls<AppRepositoryDouble>(all: [
            ("onLookUp", { _ = try await $0.lookUp(AppStore.AppID(1), in: .init()) }),
            ("onLookUp", { _ = try await $0.lookUp(AppStore.BundleID(rawValue: "a.b"), in: .init()) }),
            ("onSearch", { _ = try await $0.search(for: term, in: .init(), limit: 1) }),
        ])
        var double = AppRepositoryDouble()
        double.onLookUp = { _, _ throws(BrowseError) in throw .cancelled }
        double.onSearch = { _, _, _ throws(BrowseError) in throw .cancelled }
        #expect(await calls.errors(of: double) == [.cancelled, .cancelled, .cancelled])
        try expectCompiled(await calls.check())
        let app = AppStore.App(id: .init(1), name: "Tea", bundleID: .init(rawValue: "a.b"))
        let over = AppRepositoryDouble(over: InMemoryAppRepository(apps: [app]))
        #expect(await calls.errors(of: over) == [nil, nil, nil])
    }

    @Test
    func `Images`() async throws {
        let request = ImageRequest(WebAddress(rawValue: "https://images.example/a.png"))
        let calls = Calls<ImageRepositoryDouble>(all: [("onImage", { _ = try await $0.image(for: request) })])
        var double = ImageRepositoryDouble()
        double.onImage = { _ throws(BrowseError) in throw .cancelled }
        #expect(await calls.errors(of: double) == [.cancelled])
        try expectCompiled(await calls.check())
        let releases = Monitor(0)
        double.onReleaseMemory = { releases.withLock { $0 += 1 } }
        ImageRepositoryDouble(over: double).releaseMemory()
        #expect(releases.value == 1)
    }

    @Test
    func `Favorites`() async throws {
        let favorite = Favorite.user(.numbered(1))
        let calls = Calls<FavoriteRepositoryDouble>(all: [
            ("onAdd", { _ = try await $0.add(favorite) }),
            ("onPage", { _ = try await $0.page(of: FavoriteQuery(), at: nil) }),
            ("onIDs", { _ = try await $0.ids() }),
            ("onRemove", { _ = try await $0.remove(favorite.id) }),
            ("onUpdate", { try await $0.update([favorite]) }),
        ])
        var double = FavoriteRepositoryDouble()
        double.onUpdate = { _ throws(BrowseError) in throw .cancelled }
        double.onPage = { _, _ throws(BrowseError) in throw .cancelled }
        double.onAdd = { _ throws(BrowseError) in throw .cancelled }
        double.onRemove = { _ throws(BrowseError) in throw .cancelled }
        double.onIDs = { () throws(BrowseError) in throw .cancelled }
        #expect(await calls.errors(of: double) == Array(repeating: .cancelled, count: 5))
        try expectCompiled(await calls.check())

        let held = ControlledResponses<FavoriteRepositoryDouble.Request, Page<Favorite>>()
        let controlled = FavoriteRepositoryDouble.controlled(by: held)
        for (number, items) in [[favorite], [favorite], [favorite], []].enumerated() {
            held.answer(number, with: .success(Page(items: items)))
        }
        #expect(try await controlled.add(favorite))
        #expect(try await controlled.page(of: FavoriteQuery(), at: nil).items == [favorite])
        #expect(try await controlled.ids() == [favorite.id])
        #expect(try await !controlled.remove(favorite.id))
        #expect(held.requests == [.add(favorite), .page(of: FavoriteQuery(), at: nil), .ids, .remove(favorite.id)])
    }

    @Test
    func `Tokens`() async throws {
        let credentials = Credentials(token: try AccessToken("token-1"))
        let calls = Calls<TokenRepositoryDouble>(all: [
            ("onBegin", { _ = try await $0.begin(with: credentials) }),
            ("onCurrent", { _ = try await $0.current() }),
            ("onRevoke", { try await $0.revoke(credentials) }),
            ("onEnd", { try await $0.end() }),
        ])
        var double = TokenRepositoryDouble()
        double.onCurrent = { () throws(BrowseError) in throw .cancelled }
        double.onBegin = { _ throws(BrowseError) in throw .cancelled }
        double.onEnd = { () throws(BrowseError) in throw .cancelled }
        double.onRevoke = { _ throws(BrowseError) in throw .cancelled }
        #expect(await calls.errors(of: double) == [.cancelled, .cancelled, .cancelled, .cancelled])
        try expectCompiled(await calls.check())
        let tokens = InMemoryTokenRepository()
        #expect(await calls.errors(of: TokenRepositoryDouble(over: tokens)) == [nil, nil, nil, nil])

        let held = ControlledResponses<TokenRepositoryDouble.Request, TokenGrant?>()
        for number in 0..<4 { held.answer(number, with: .success(nil)) }
        #expect(await calls.errors(of: TokenRepositoryDouble.controlled(by: held)) == [nil, nil, nil, nil])
        #expect(held.requests == [.begin(credentials), .current, .revoke(credentials), .end])
    }

    @Test
    func `Authorization`() async throws {
        let secret = try Secret("secret-1")
        let token = try AccessToken("token-1")
        let code = DeviceCode(
            userCode: "A",
            page: WebAddress(rawValue: "https://github.com/login/device"),
            lifetime: .seconds(1),
            interval: .seconds(1),
            deviceCode: secret
        )
        let calls = Calls<AuthorizationRepositoryDouble>(all: [
            ("onExchange", { _ = try await $0.exchange(secret, verifier: secret) }),
            ("onDeviceCode", { _ = try await $0.deviceCode() }),
            ("onPoll", { _ = try await $0.poll(code) }),
            ("onRefresh", { _ = try await $0.refresh(secret) }),
        ])
        var double = AuthorizationRepositoryDouble()
        double.onExchange = { _, _ throws(BrowseError) in throw .cancelled }
        double.onDeviceCode = { () throws(BrowseError) in throw .cancelled }
        double.onPoll = { _ throws(BrowseError) in throw .cancelled }
        double.onRefresh = { _ throws(BrowseError) in throw .cancelled }
        #expect(await calls.errors(of: double) == [.cancelled, .cancelled, .cancelled, .cancelled])
        try expectCompiled(await calls.check())
        // Revocations do nothing unless they are set; all other doubles fail them.
        #expect(await failure { () throws(BrowseError) in try await double.revoke(Credentials(token: token)) } == nil)
        let failing = AuthorizationRepositoryDouble.failing(with: .cancelled)
        #expect(
            await failure { () throws(BrowseError) in try await failing.revoke(Credentials(token: token)) }
                == .cancelled
        )

        let held = ControlledResponses<AuthorizationRepositoryDouble.Request, Credentials>()
        let credentials = Credentials(token: token)
        for number in 0..<3 { held.answer(number, with: .success(credentials)) }
        let controlled = AuthorizationRepositoryDouble.controlled(by: held)
        #expect(try await controlled.exchange(secret, verifier: secret) == credentials)
        #expect(try await controlled.poll(code) == .granted(credentials))
        #expect(try await controlled.refresh(secret) == credentials)
        #expect(held.requests == [.exchange(secret), .poll(code), .refresh(secret)])
    }

    @Test
    func `Rate limits`() async throws {
        let calls = Calls<RateLimitStatusRepositoryDouble>(all: [("onRefresh", { _ = try await $0.refresh() })])
        var double = RateLimitStatusRepositoryDouble()
        double.onRefresh = { () throws(BrowseError) in throw .cancelled }
        #expect(await calls.errors(of: double) == [.cancelled])
        try expectCompiled(await calls.check())
        let status = RateLimitStatus(bucket: "core", limit: 10, remaining: 1, resetsAt: Date(timeIntervalSince1970: 0))
        double.onStatuses = { [status] }
        #expect(await RateLimitStatusRepositoryDouble(over: double).statuses == [status])
    }

    @Test
    func `Streams of changes report nothing, and end with their consumer`() async {
        let consumer = Task {
            for await _ in FavoriteRepositoryDouble().changes { Issue.record("a change") }
            for await _ in TokenRepositoryDouble().events { Issue.record("an event") }
            for await _ in RateLimitStatusRepositoryDouble().changes { Issue.record("a change") }
        }
        consumer.cancel()
        await consumer.value
    }
}
