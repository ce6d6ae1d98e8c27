import BrowseCore
import BrowseData
@_spi(Services) import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

extension Container {
    fileprivate var greeting: Dependency<String> { dependency(.localized) { $0.texts()(.hello) } }
    fileprivate var motto: Dependency<Box> { dependency(.shared) { _ in Box() } }
    fileprivate var diary: Dependency<Box> { dependency(.singleton) { _ in Box() } }
}

private final class Box: Sendable {}

extension Phrase {
    fileprivate static let hello = Phrase("test.hello", "Hello", ko: "안녕하세요")
}

/// A server's containers: one for each user, derived from one.
@Suite(.bounded)
struct `Containers of users` {
    private let services = OfflineServices(now: { Date(timeIntervalSince1970: 1_700_000_000) })
    private let events = Monitor<[String]>([])
    private let octocat = GitHub.Login("octocat")
    private let haneul = GitHub.Login("haneul-kim")

    private struct Log: HTTPObserver {
        let events: Monitor<[String]>

        func observe(_ event: HTTPEvent) {
            var text = "\(event)"
            dump(event, to: &text)
            events.withLock { [text] in $0.append(text) }
        }
    }

    private func site(cache: URL? = nil) -> Container {
        var configuration = Configuration().with { $0.observers = [Log(events: events)] }
        configuration.cacheFolder = cache
        // Waits for the disk have no limit, however busy the machine is.
        if cache != nil { configuration.clock = ImmediateClock() }
        configuration.now = { Date(timeIntervalSince1970: 1_700_000_000) }
        return Container.offline(services, configuration: configuration)
    }

    private func user(of site: Container, as login: GitHub.Login? = nil) throws -> Container {
        let token = try login.map { try services.gitHub.token(for: $0) }
        return site.container(
            for: UserStores(favorites: InMemoryFavoriteRepository()) { _ in
                InMemoryTokenStore(token.map { Credentials(token: $0) })
            }
        )
    }

    private func profile(
        in container: Container,
        _ source: LoadOptions.Source = .network
    ) async throws(BrowseError) -> String {
        try await LoadOptions(source: source).load { () throws(BrowseError) in
            try await container.userRepository().ownProfile().user.login.rawValue
        }
        .value
    }

    @Test func `trap at a line that overrides a value of all users`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Container().container(for: UserStores(folder: .temporaryDirectory)).motto.override { _ in Box() }
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let report = /UserContainerTests\.swift:\d+: .*Dependency overridden for a user: motto\. Override it/
        #expect(output.contains(report), "\(output)")
    }

    @Test func `have one rate limit while signed out, and one for each account`() async throws {
        let site = site()
        let (one, two) = (try user(of: site), try user(of: site))
        let signedIn = try user(of: site, as: haneul)
        services.setScenario(.rateLimited(until: Date(timeIntervalSince1970: 1_700_000_600)))
        await #expect(throws: BrowseError.self) { try await one.userRepository().profile(of: octocat) }
        services.setScenario(.normal)
        // The server would respond, but another user has used up the limit.
        await #expect {
            try await two.userRepository().profile(of: octocat)
        } throws: { error in
            if case .rateLimited? = error as? BrowseError { true } else { false }
        }
        #expect(try await signedIn.userRepository().profile(of: octocat).user.login == octocat)
    }

    @Test func `report the rate limits of their own account, from the gate that requests pass`() async throws {
        let site = site()
        let (one, two) = (try user(of: site), try user(of: site))
        let signedIn = try user(of: site, as: haneul)
        func core(_ container: Container) async -> Int? {
            await container.gitHubRateLimits().statuses.first { $0.bucket == "core" }?.remaining
        }
        _ = try await one.userRepository().profile(of: octocat)
        let remaining = try #require(await core(one))
        // Signed-out users have one limit.
        #expect(await core(two) == remaining)
        // The offline GitHub counts all accounts together.
        _ = try await signedIn.userRepository().profile(of: octocat)
        #expect(await core(signedIn) == remaining - 1)
        #expect(await core(one) == remaining)
        #expect(try await signedIn.gitHubRateLimits().refresh().contains { $0.remaining == remaining - 1 })
        #expect(await core(two) == remaining)
        for await statuses in two.gitHubRateLimits().changes where !statuses.isEmpty {
            #expect(await statuses == two.gitHubRateLimits().statuses)
            break
        }
    }

    @Test func `keep private cached responses apart`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let site = site(cache: folder)
        let (one, two) = (try user(of: site, as: octocat), try user(of: site, as: haneul))
        let signedOut = try user(of: site)
        #expect(try await profile(in: one) == "octocat")
        #expect(try await profile(in: one, .cacheOnly) == "octocat")
        for other in [two, signedOut] {
            await #expect(throws: BrowseError.self) { try await profile(in: other, .cacheOnly) }
        }
        #expect(try await profile(in: two) == "haneul-kim")
        #expect(try await profile(in: one, .cacheOnly) == "octocat")
        // Public responses are shared, with those that are signed out.
        _ = try await signedOut.userRepository().profile(of: octocat)
        let options = LoadOptions(source: .cacheOnly)
        let newcomer = try user(of: site)
        _ = try await options.load { () throws(BrowseError) in
            try await newcomer.userRepository().profile(of: octocat)
        }
    }

    @Test func `see nothing of each other`() async throws {
        let site = site()
        let (one, two) = (try user(of: site, as: octocat), try user(of: site, as: haneul))
        for container in [one, two] { await container.gitHubSession().start() }
        #expect(one.gitHubSession().current.user?.login == octocat)
        #expect(two.gitHubSession().current.user?.login == haneul)

        let repo = try #require(try await one.repoRepository().page(of: .publicRepos(of: haneul), at: nil).items.first)
        let wasStarred = two.gitHubSession().stars.isStarred(repo.id)
        _ = one.gitHubSession().stars.setStarred(!one.gitHubSession().stars.isStarred(repo.id), for: repo)
        #expect(two.gitHubSession().stars.isStarred(repo.id) == wasStarred)

        _ = try await one.favoriteRepository().add(Favorite(repo))
        #expect(try await one.favoriteRepository().ids() == [repo.favoriteID])
        for other in [two, try user(of: site), site] { #expect(try await other.favoriteRepository().ids().isEmpty) }

        try await one.gitHubSession().signOut()
        #expect(try await two.gitHubTokenRepository().current() != nil)
        #expect(try await profile(in: two) == "haneul-kim")
        // What the site itself has is nobody's.
        await site.gitHubSession().start()
        #expect(site.gitHubSession().current == .signedOut(.noSession))
    }

    @Test func `log no token`() async throws {
        let site = site()
        let (one, two) = (try user(of: site, as: octocat), try user(of: site, as: haneul))
        let tokens = try [octocat, haneul].map { try services.gitHub.token(for: $0).text }
        for container in [one, two] { #expect(try await !profile(in: container).isEmpty) }
        let log = events.value.joined()
        #expect(log.contains("/user") && events.value.count >= 4)
        for token in tokens { #expect(!log.contains(token)) }
    }

    @Test func `share what is declared as shared, and nothing else`() throws {
        let site = site()
        let (one, two) = (try user(of: site), try user(of: site))
        #expect(one.responseCache() === two.responseCache() && one.responseCache() === site.responseCache())
        #expect(one.gitHubMiddleware().rateLimits === two.gitHubMiddleware().rateLimits)
        #expect(one.motto() === two.motto() && one.motto() === site.motto())
        #expect(one.diary() !== two.diary() && one.diary() !== site.diary() && one.diary() === one.diary())
        #expect(one.gitHubSession() !== two.gitHubSession() && one.gitHubSession() !== site.gitHubSession())
        #expect(one.gitHubTokenRepository() !== two.gitHubTokenRepository())
        let folders = [site, one, two].map(\.configuration.storageFolder)
        #expect(Set(folders).count == 3)
    }

    @Test func `have stores in folders of their own`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "users-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let site = site()
        func user(_ name: String) -> Container { site.container(for: UserStores(folder: folder.appending(path: name))) }
        let token = try services.gitHub.token(for: octocat)
        try await user("one").gitHubSession().signIn(with: Credentials(token: token))
        _ = try await user("one").favoriteRepository().add(
            Favorite(GitHub.User(id: .init(rawValue: 1), login: octocat))
        )
        #expect(try await user("one").gitHubTokenRepository().current()?.credentials.token == token)
        #expect(try await user("one").favoriteRepository().ids().count == 1)
        #expect(try await user("two").gitHubTokenRepository().current() == nil)
        #expect(try await user("two").favoriteRepository().ids().isEmpty)
    }

    @Test func `ignore a token of the site`() async throws {
        var configuration = Configuration()
        configuration.gitHub.token = try services.gitHub.token(for: haneul)
        let site = Container.offline(services, configuration: configuration)
        #expect(try await profile(in: site) == "haneul-kim")
        let signedOut = try user(of: site)
        #expect(try await signedOut.gitHubTokenRepository().current() == nil)
        await #expect(throws: BrowseError.self) { try await profile(in: signedOut) }
        #expect(try await profile(in: user(of: site, as: octocat)) == "octocat")
    }

    @Test func `share everything but texts in another language`() async throws {
        let site = site()
        let token = try services.gitHub.token(for: octocat)
        let stores = UserStores(favorites: InMemoryFavoriteRepository()) { _ in
            InMemoryTokenStore(Credentials(token: token))
        }
        let korean = site.container(for: stores, locale: Locale(identifier: "ko_KR"))
        let english = korean.localized(for: Locale(identifier: "en_US"))
        #expect(korean.texts().language == .korean && english.texts().language == .english)
        #expect(korean.greeting() == "안녕하세요" && english.greeting() == "Hello")
        #expect(english.localized(for: Locale(identifier: "ko_KR")).greeting() == "안녕하세요")
        #expect(korean.gitHubSession() === english.gitHubSession())
        let mona = Favorite(GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona")))
        _ = try await korean.favoriteRepository().add(mona)
        #expect(try await english.favoriteRepository().ids() == [mona.id])
        #expect(await korean.favoriteListViewModel().titleWhenShown == "즐겨찾기")
        #expect(await english.favoriteListViewModel().titleWhenShown == "Favorites")
        // Not only users' containers.
        #expect(site.localized(for: Locale(identifier: "ko_KR")).texts().language == .korean)
        #expect(site.localized(for: Locale(identifier: "ko_KR")).gitHubSession() === site.gitHubSession())
    }

    @Test func `have a time zone, too`() throws {
        let noon = Date(timeIntervalSince1970: 43_200)
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        let site = site()
        let stores = UserStores(favorites: InMemoryFavoriteRepository()) { _ in InMemoryTokenStore() }
        let english = Locale(identifier: "en_US")
        let visitor = site.container(for: stores, locale: english, timeZone: seoul)
        #expect(visitor.texts().formats.time(noon).hasPrefix("9:00"))
        let korean = visitor.localized(for: Locale(identifier: "ko_KR"))
        #expect(korean.texts().formats.time(noon).contains("9:00"))
    }

    @Test func `use the overrides of what they share, and no others`() async throws {
        let site = site()
        let box = Box()
        site.motto.override { _ in box }
        site.diary.override { _ in box }
        let one = try user(of: site)
        #expect(one.motto() === box && one.diary() !== box)
        let own = Box()
        let two = try user(of: site)
        two.localized(for: Locale(identifier: "ko_KR")).diary.override { _ in own }
        #expect(two.diary() === own && one.diary() !== own)
    }

    #if os(macOS) || os(Linux)
    @Test func `can't override what they share`() async {
        await #expect(processExitsWith: .failure) {
            let site = Container(services: [])
            let stores = UserStores(favorites: InMemoryFavoriteRepository()) { _ in InMemoryTokenStore(nil) }
            site.container(for: stores).transport.override { $0.transport() }
        }
    }
    #endif
}

extension FavoriteListViewModel {
    @MainActor fileprivate var titleWhenShown: String {
        get async {
            await show()
            return state.title
        }
    }
}
