import BrowseKit
import TestLimits
import Testing

@Suite(.bounded) struct `Repositories of your own` {
    private let user = GitHub.User(id: .init(rawValue: 1), login: .init("mona"))
    private let repo = GitHub.Repo(id: .init(rawValue: 2), name: "hello", fullName: "mona/hello")

    @Test @MainActor func `replace the container's`() async throws {
        let container = Container()
        let app = AppStore.App(id: .init(3), name: "Tea")
        let episode = RickAndMorty.Episode(id: .init(rawValue: 4), name: "Pilot")
        let character = RickAndMorty.Character(id: .init(rawValue: 6), name: "Rick")
        let location = RickAndMorty.Location(id: .init(rawValue: 5), name: "Earth")
        container.followerRepository.override { [user] _ in GitHub.OwnFollowerRepository(user: user) }
        container.userRepository.override { [user] _ in GitHub.OwnUserRepository(user: user) }
        container.repoRepository.override { [repo] _ in GitHub.OwnRepoRepository(repo: repo) }
        container.starRepository.override { _ in GitHub.OwnStarRepository() }
        container.gitHubAuthorizationRepository.override { _ in GitHub.OwnAuthorizationRepository() }
        container.appRepository.override { _ in AppStore.OwnAppRepository(app: app) }
        container.characterRepository.override { _ in RickAndMorty.OwnCharacterRepository(character: character) }
        container.episodeRepository.override { _ in RickAndMorty.OwnEpisodeRepository(episode: episode) }
        container.locationRepository.override { _ in RickAndMorty.OwnLocationRepository(location: location) }
        container.favoriteRepository.override { _ in OwnFavoriteRepository() }
        container.gitHubRateLimits.override { _ in OwnRateLimitStatusRepository() }
        container.imageRepository.override { _ in OwnImageRepository() }
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        #expect(followers.state.content.rows.map(\.login) == [user.login])
        #expect(try await container.userRepository().profile(of: user.login).user == user)
        try await container.starRepository().set(true, for: repo)
        #expect(try await container.starRepository().isStarred(repo))
        #expect(try await container.favoriteRepository().add(Favorite(user)))
        #expect(try await container.appRepository().lookUp(.id(app.id), in: .init()) == app)
        #expect(try await container.characterRepository().entity(character.id) == character)
        #expect(try await container.episodeRepository().entity(episode.id) == episode)
        #expect(try await container.locationRepository().entity(location.id) == location)
        #expect(throws: BrowseError.signInFailed(.notConfigured(missing: "page"))) {
            try container.gitHubAuthorizationRepository().webPage(state: "", verifier: try Secret("verifier"))
        }
    }

    @Test func `store a session`() async throws {
        let tokens: any TokenRepository = GitHub.OwnTokenRepository()
        let grant = try await tokens.begin(with: Credentials(token: try Secret("token")))
        let stored = try #require(Credentials(token: try Secret("token"), user: user).user)
        await tokens.identify(grant.id, as: stored)
        #expect(try await tokens.current()?.credentials.user == stored)
    }
}
