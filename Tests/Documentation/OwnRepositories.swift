// Conformances to all repository protocols that copy the protocols' declarations. This file has one import on purpose.
import BrowseKit

nonisolated extension AppStore {
    struct OwnAppRepository: AppRepository {
        let app: App

        func lookUp(_ reference: AppReference, in storefront: Storefront) async throws(BrowseError) -> App {
            guard reference == .id(app.id) else { throw .notFound(.own) }
            return app
        }

        func search(
            for term: SearchTerm,
            in storefront: Storefront,
            limit: Int
        ) async throws(BrowseError) -> Page<App> {
            Page(items: [app])
        }
    }
}

nonisolated extension RickAndMorty {
    struct OwnCharacterRepository: CharacterRepository {
        let character: Character

        func page(of filter: CharacterFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Character> {
            Page(items: [character])
        }

        func entity(_ id: Character.ID) async throws(BrowseError) -> Character {
            guard id == character.id else { throw .notFound(.own) }
            return character
        }

        func entities(_ ids: [Character.ID]) async throws(BrowseError) -> Page<Character> {
            Page(items: [character].filter { ids.contains($0.id) })
        }
    }

    struct OwnEpisodeRepository: EpisodeRepository {
        let episode: Episode

        func page(of filter: EpisodeFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Episode> {
            Page(items: [episode])
        }

        func entity(_ id: Episode.ID) async throws(BrowseError) -> Episode {
            guard id == episode.id else { throw .notFound(.own) }
            return episode
        }

        func entities(_ ids: [Episode.ID]) async throws(BrowseError) -> Page<Episode> {
            Page(items: [episode].filter { ids.contains($0.id) })
        }
    }

    struct OwnLocationRepository: LocationRepository {
        let location: Location

        func page(of filter: LocationFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Location> {
            Page(items: [location])
        }

        func entity(_ id: Location.ID) async throws(BrowseError) -> Location {
            guard id == location.id else { throw .notFound(.own) }
            return location
        }

        func entities(_ ids: [Location.ID]) async throws(BrowseError) -> Page<Location> {
            Page(items: [location].filter { ids.contains($0.id) })
        }
    }
}

nonisolated extension GitHub {
    struct OwnFollowerRepository: FollowerRepository {
        let user: User

        func page(of list: FollowList, at cursor: PageCursor?) async throws(BrowseError) -> Page<User> {
            Page(items: [user])
        }
    }

    struct OwnUserRepository: UserRepository {
        let user: User

        func profile(of login: Login) async throws(BrowseError) -> UserProfile {
            guard login == user.login else { throw .notFound(.own) }
            return UserProfile(user: user)
        }

        func profile(ofID id: User.ID) async throws(BrowseError) -> UserProfile {
            guard id == user.id else { throw .notFound(.own) }
            return UserProfile(user: user)
        }

        func ownProfile() async throws(BrowseError) -> UserProfile { UserProfile(user: user) }

        func search(for text: SearchText, at cursor: PageCursor?) async throws(BrowseError) -> Page<User> {
            Page(items: [user], totalCount: 1)
        }
    }

    struct OwnRepoRepository: RepoRepository {
        let repo: Repo

        func page(of list: RepoList, at cursor: PageCursor?) async throws(BrowseError) -> Page<Repo> {
            Page(items: [repo])
        }

        func search(_ search: RepoSearch, at cursor: PageCursor?) async throws(BrowseError) -> Page<Repo> {
            Page(items: [repo], totalCount: 1)
        }

        func details(named name: String, of owner: Login) async throws(BrowseError) -> RepoDetails {
            guard name == repo.name else { throw .notFound(.own) }
            return RepoDetails(repo: repo)
        }

        func details(of id: Repo.ID) async throws(BrowseError) -> RepoDetails {
            guard id == repo.id else { throw .notFound(.own) }
            return RepoDetails(repo: repo)
        }

        func readme(of id: Repo.ID) async throws(BrowseError) -> Readme? { nil }
    }

    actor OwnStarRepository: StarRepository {
        private var starredIDs: Set<Repo.ID> = []

        // An actor must not run `receive`, which isn't sendable.
        nonisolated(nonsending) func starred(
            receive: nonisolated(nonsending) (Page<Repo.ID>) async throws(BrowseError) -> Void
        ) async throws(BrowseError) {
            try await receive(Page(items: Array(await starredIDs)))
        }

        func set(_ isStarred: Bool, for repo: Repo) async throws(BrowseError) {
            if isStarred { starredIDs.insert(repo.id) } else { starredIDs.remove(repo.id) }
        }

        func isStarred(_ repo: Repo) async throws(BrowseError) -> Bool { starredIDs.contains(repo.id) }
    }

    actor OwnTokenRepository: TokenRepository {
        private var grant: TokenGrant?
        private var grantCount = 0

        func current() async throws(BrowseError) -> TokenGrant? { grant }

        func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
            grantCount += 1
            let new = TokenGrant(id: grantCount, credentials: credentials)
            grant = new
            return new
        }

        func identify(_ grant: TokenGrant.ID, as user: StoredUser) async {
            if self.grant?.id == grant { self.grant?.credentials.user = user }
        }

        func end() async throws(BrowseError) { grant = nil }

        func revoke(_ credentials: Credentials) async throws(BrowseError) {}

        nonisolated var events: AsyncStream<TokenEvent> { AsyncStream { $0.finish() } }
    }

    struct OwnAuthorizationRepository: AuthorizationRepository {
        func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
            throw .signInFailed(.notConfigured(missing: "page"))
        }

        func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> Credentials {
            Credentials(token: code)
        }

        func deviceCode() async throws(BrowseError) -> DeviceCode { throw .signInFailed(.deviceFlowDisabled) }

        func poll(_ code: DeviceCode) async throws(BrowseError) -> DevicePoll { .pending }

        func refresh(_ refreshToken: Secret) async throws(BrowseError) -> Credentials {
            Credentials(token: refreshToken)
        }

        var canRevoke: Bool { false }
        func revoke(_ credentials: Credentials) async throws(BrowseError) {}
    }
}

actor OwnFavoriteRepository: FavoriteRepository {
    private var favorites: [Favorite] = []
    private var lastNumber: Int64 = 0
    private let continuation: AsyncStream<FavoriteChange>.Continuation
    nonisolated let changes: AsyncStream<FavoriteChange>

    init() { (changes, continuation) = AsyncStream.makeStream() }

    func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
        Page(items: favorites.filter { query.kinds.isEmpty || query.kinds.contains($0.id.kind) })
    }

    func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        guard !favorites.contains(where: { $0.id == favorite.id }) else { return false }
        lastNumber += 1
        var added = favorite
        added.sequenceNumber = lastNumber
        favorites.append(added)
        continuation.yield(.added(added))
        return true
    }

    func update(_ favorites: [Favorite]) async throws(BrowseError) {
        for var favorite in favorites {
            guard let index = self.favorites.firstIndex(where: { $0.id == favorite.id }),
                self.favorites[index] != favorite
            else { continue }
            favorite.sequenceNumber = self.favorites[index].sequenceNumber
            self.favorites[index] = favorite
            continuation.yield(.updated(favorite))
        }
    }

    func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        guard let index = favorites.firstIndex(where: { $0.id == id }) else { return false }
        let removed = favorites.remove(at: index)
        continuation.yield(.removed(id, sequenceNumber: removed.sequenceNumber ?? 0))
        return true
    }

    func ids() async throws(BrowseError) -> Set<Favorite.ID> { Set(favorites.map(\.id)) }
}

nonisolated struct OwnRateLimitStatusRepository: RateLimitStatusRepository {
    var statuses: [RateLimitStatus] { [] }
    var changes: AsyncStream<[RateLimitStatus]> { AsyncStream { $0.finish() } }
    func refresh() async throws(BrowseError) -> [RateLimitStatus] { statuses }
}

nonisolated struct OwnImageRepository: ImageRepository {
    func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage { throw .notFound(.own) }
    func cachedImage(for request: ImageRequest) -> EncodedImage? { nil }
    func invalidate(_ request: ImageRequest) {}
    func discard(_ request: ImageRequest) {}
    func releaseMemory() {}
}

nonisolated extension BrowseError.RequestInfo {
    static let own = BrowseError.RequestInfo(endpoint: "own repository")
}
