import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowseRickAndMortyDomain
import BrowseTesting
import Foundation
import TestLimits
import Testing

/// The repositories of the API, on the offline services, and those in memory follow the rules.
@Suite(.bounded)
struct RepositoryConformanceTests {
    @Test(arguments: FollowerRepositoryConformance.rules(list: .followers(of: GitHub.Login("octocat"))))
    func `Follower repositories follow the rules`(rule: ConformanceRule<any GitHub.FollowerRepository>) async throws {
        let remote = Container.offline().followerRepository()
        try await rule.verify(remote)
        try await rule.verify(Samples.followers)
    }

    @Test(arguments: Samples.userRules(own: nil))
    func `User repositories follow the rules`(rule: ConformanceRule<any GitHub.UserRepository>) async throws {
        try await rule.verify(Container.offline().userRepository())
        try await rule.verify(Samples.users())
    }

    @Test(arguments: Samples.userRules(own: GitHub.Login("octocat")))
    func `User repositories with an account follow the rules`(
        rule: ConformanceRule<any GitHub.UserRepository>
    ) async throws {
        try await rule.verify(try await Samples.signedIn().userRepository())
        try await rule.verify(Samples.users(own: GitHub.Login("octocat")))
    }

    @Test(arguments: Samples.repoRules(isSignedIn: false))
    func `Repositories of code repositories follow the rules`(
        rule: ConformanceRule<any GitHub.RepoRepository>
    ) async throws {
        try await rule.verify(Container.offline().repoRepository())
        // In memory, lists need no account.
        if !rule.name.contains("without a signed-in user") { try await rule.verify(try await Samples.repos()) }
    }

    @Test func `A grant in memory ends also if its credentials can't be deleted`() async throws {
        let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "token"))
        let credentials = Credentials(token: try AccessToken("in-memory"))
        let tokens = InMemoryTokenRepository(credentials) { call throws(BrowseError) in
            if case .end = call { throw full }
            return nil
        }
        await #expect(throws: full) { try await tokens.end() }
        #expect(try await tokens.current() == nil)
    }

    @Test(arguments: StarRepositoryConformance.rules(repo: Samples.unstarred))
    func `Star repositories follow the rules`(rule: ConformanceRule<any GitHub.StarRepository>) async throws {
        try await rule.verify(try await Samples.signedIn().starRepository())
        try await rule.verify(Samples.stars())
    }

    @Test func `A favorite in memory has what a file would have, and no older version of it`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "favorites-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let repositories: [any FavoriteRepository] = [
            InMemoryFavoriteRepository(), SQLiteFavoriteRepository(folder: folder),
        ]
        for favorites in repositories {
            let note = Favorite(Note(name: "a", text: "unsaved"))
            _ = try await favorites.add(note)
            let old = Favorite.Payload(version: 0, data: Data("{}".utf8))
            try await favorites.update([Favorite(id: note.id, title: "old", image: nil, payload: old)])
            let stored = try await favorites.page(of: FavoriteQuery(), at: nil).items.first
            #expect(stored?.title == "a" && stored?.value(as: Note.self)?.text == nil)
        }
    }

    /// An entity whose format lacks a property.
    private struct Note: Favoritable, Hashable {
        private enum CodingKeys: String, CodingKey { case name }

        static let favoriteKind = Favorite.Kind(rawValue: "tests.note")
        let name: String
        var text: String?
        var favoriteKey: String { name }
        var favoriteTitle: String { name }
    }

    @Test(arguments: CharacterRepositoryConformance.rules())
    func `Character repositories follow the rules`(
        rule: ConformanceRule<any RickAndMorty.CharacterRepository>
    ) async throws {
        try await rule.verify(Container.offline().characterRepository())
        try await rule.verify(Samples.characters)
    }

    @Test(arguments: EpisodeRepositoryConformance.rules())
    func `Episode repositories follow the rules`(
        rule: ConformanceRule<any RickAndMorty.EpisodeRepository>
    ) async throws {
        try await rule.verify(Container.offline().episodeRepository())
        try await rule.verify(Samples.episodes)
    }

    @Test(arguments: LocationRepositoryConformance.rules())
    func `Location repositories follow the rules`(
        rule: ConformanceRule<any RickAndMorty.LocationRepository>
    ) async throws {
        try await rule.verify(Container.offline().locationRepository())
        try await rule.verify(Samples.locations)
    }

    @Test(arguments: Samples.appRules)
    func `App repositories follow the rules`(rule: ConformanceRule<any AppStore.AppRepository>) async throws {
        try await rule.verify(Container.offline().appRepository())
        try await rule.verify(Samples.apps)
    }

    /// Returns the names of the rules that new repositories violate.
    private func violated<Subject: Sendable>(
        _ rules: [ConformanceRule<Subject>],
        by subject: () -> Subject
    ) async -> Set<String> {
        var names: Set<String> = []
        for rule in rules {
            do { try await rule.verify(subject()) } catch { names.insert(rule.name) }
        }
        return names
    }

    @Test func `A user repository that returns another account violates a rule`() async {
        struct Guessing: GitHub.UserRepository {
            let good = Samples.users()

            func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
                try await good.profile(of: login)
            }

            func profile(ofID id: GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile {
                do throws(BrowseError) { return try await good.profile(ofID: id) } catch .notFound {
                    return try await good.profile(of: GitHub.Login("octocat"))
                }
            }

            func ownProfile() async throws(BrowseError) -> GitHub.UserProfile { try await good.ownProfile() }

            func search(
                for text: GitHub.SearchText,
                at cursor: PageCursor?
            ) async throws(BrowseError) -> Page<GitHub.User> {
                try await good.search(for: text, at: cursor)
            }
        }
        let names = await violated(Samples.userRules(own: nil)) { Guessing() }
        #expect(names == ["A number that no account has is `.notFound`."])
    }

    @Test func `A star repository that reads a canceled list, or fails without a repository, violates the rules`() async
    {
        struct Careless: GitHub.StarRepository {
            let good = Samples.stars()

            func starred(
                receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
            ) async throws(BrowseError) {
                try await receive(Page(items: good.ids))
            }

            func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
                try await good.set(isStarred, for: repo)
            }

            func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool {
                guard repo.id.rawValue < .max else { throw .notFound(BrowseError.RequestInfo(endpoint: "TEST")) }
                return try await good.isStarred(repo)
            }
        }
        let names = await violated(StarRepositoryConformance.rules(repo: Samples.unstarred)) { Careless() }
        let list = "A canceled read of the starred list is `.cancelled`."
        #expect(names == [list, "A repository that doesn't exist isn't starred."])
    }

    @Test func `A character repository that reads several after a cancellation violates a rule`() async {
        struct Persistent: RickAndMorty.Repository {
            typealias Entity = RickAndMorty.Character
            let good = Samples.characters

            func page(
                of filter: RickAndMorty.CharacterFilter,
                at cursor: PageCursor?
            ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
                try await good.page(of: filter, at: cursor)
            }

            func entity(_ id: RickAndMorty.Character.ID) async throws(BrowseError) -> RickAndMorty.Character {
                try await good.entity(id)
            }

            func entities(
                _ ids: [RickAndMorty.Character.ID]
            ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
                // Not a child task, so it isn't canceled.
                try await Task { [good] in
                    await Result.of { () throws(BrowseError) in try await good.entities(ids) }
                }
                .value.get()
            }
        }
        let names = await violated(CharacterRepositoryConformance.rules()) { Persistent() }
        #expect(names == ["A canceled read of several items is `.cancelled`."])
    }

    @Test(arguments: Samples.imageRules)
    func `Image repositories follow the rules`(rule: ConformanceRule<any ImageRepository>) async throws {
        let remote = Container.offline().imageRepository()
        try await rule.verify(remote)
        let image = try await remote.image(for: Samples.image)
        try await rule.verify(InMemoryImageRepository([Samples.image.address: image]))
    }
}

/// Repositories that follow the rules, with the data that the rules need.
enum Samples {
    static func userRules(own: GitHub.Login?) -> [ConformanceRule<any GitHub.UserRepository>] {
        guard let text = try? GitHub.SearchText("everyone-1") else { return [] }
        return UserRepositoryConformance.rules(login: GitHub.Login("octocat"), search: text, own: own)
    }

    static func repoRules(isSignedIn: Bool) -> [ConformanceRule<any GitHub.RepoRepository>] {
        guard let text = try? GitHub.SearchText("octocat/") else { return [] }
        return RepoRepositoryConformance.rules(
            list: .publicRepos(of: GitHub.Login("octocat")),
            search: GitHub.RepoSearch(text: text),
            isSignedIn: isSignedIn
        )
    }

    static var appRules: [ConformanceRule<any AppStore.AppRepository>] {
        guard let term = try? AppStore.SearchTerm("mockworks") else { return [] }
        return AppRepositoryConformance.rules(search: term, missing: AppStore.AppID(999))
    }

    static var imageRules: [ConformanceRule<any ImageRepository>] {
        ImageRepositoryConformance.rules(image: image, missing: missingImage)
    }

    static let image = request("https://avatars.githubusercontent.com/u/1")
    static let missingImage = request("https://avatars.githubusercontent.com/elsewhere")

    private static func request(_ address: String) -> ImageRequest {
        ImageRequest(WebAddress(rawValue: address), side: 80)
    }

    static let followers = InMemoryFollowerRepository(
        lists: [.followers(of: GitHub.Login("octocat")): (1...250).map(user)]
    )

    static func users(own: GitHub.Login? = nil) -> InMemoryUserRepository {
        let names = ["octocat"] + (1000...1250).map { "everyone-\($0)" }
        let profiles = names.enumerated().map { number, name in
            GitHub.UserProfile(
                user: GitHub.User(id: GitHub.User.ID(rawValue: Int64(number) + 1), login: GitHub.Login(name))
            ) { $0.memberSince = Date(timeIntervalSince1970: 0) }
        }
        return InMemoryUserRepository(profiles: profiles, own: own)
    }

    static func repos() async throws -> InMemoryRepoRepository {
        InMemoryRepoRepository(repos: (1...250).map(repo))
    }

    static let unstarred = repo(5_000_043_831, of: "octocat", named: "hello-tentacles")

    static func stars() -> InMemoryStarRepository {
        InMemoryStarRepository((1...250).map { GitHub.Repo.ID(rawValue: Int64($0)) })
    }

    static func signedIn() async throws -> Container {
        let services = OfflineServices()
        let token = try services.gitHub.token(for: GitHub.Login("octocat"))
        return Container.offline(services, configuration: Configuration().with { $0.gitHub.token = token })
    }

    static let characters = InMemoryCharacterRepository(
        (1...50).map { RickAndMorty.Character(id: .init(rawValue: $0), name: "Rick \($0)") }
    )
    static let episodes = InMemoryEpisodeRepository(
        (1...50).map { RickAndMorty.Episode(id: .init(rawValue: $0), name: "Pilot \($0)") }
    )
    static let locations = InMemoryLocationRepository(
        (1...50).map { RickAndMorty.Location(id: .init(rawValue: $0), name: "Earth \($0)") }
    )
    static let apps = InMemoryAppRepository(
        apps: (1...5).map {
            AppStore.App(id: .init($0), name: "Mockworks \($0)") { $0.bundleID = .init(rawValue: "test.App\($0)") }
        }
    )

    static func user(_ number: Int) -> GitHub.User {
        GitHub.User(id: GitHub.User.ID(rawValue: Int64(number)), login: GitHub.Login("user-\(number)"))
    }

    static func repo(_ number: Int) -> GitHub.Repo { repo(number, of: "octocat", named: "repo-\(number)") }

    private static func repo(_ number: Int, of owner: String, named name: String) -> GitHub.Repo {
        GitHub.Repo(id: GitHub.Repo.ID(rawValue: Int64(number)), name: name, fullName: "\(owner)/\(name)") {
            $0.owner = GitHub.User(id: GitHub.User.ID(rawValue: 1), login: GitHub.Login(owner))
        }
    }
}
