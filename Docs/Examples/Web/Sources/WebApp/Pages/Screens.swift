import BrowseKit

/// The screens of the site, by their addresses.
enum Screens {
    /// The screens that no route leads to, by the only segment of their paths.
    private static let named: [String: @Sendable (PageAddress) -> any Screen] = [
        "users": { UserSearchScreen(address: $0) },
        "repos": { RepoSearchScreen(address: $0) },
        "favorites": { FavoriteListScreen(address: $0) },
        "characters": { RickAndMortyListScreen<RickAndMorty.CharacterFilter>(address: $0) },
        "episodes": { RickAndMortyListScreen<RickAndMorty.EpisodeFilter>(address: $0) },
        "locations": { RickAndMortyListScreen<RickAndMorty.LocationFilter>(address: $0) },
        "apps": { AppSearchScreen(address: $0) },
        "account": { AccountScreen(address: $0) },
    ]

    /// Returns the screen at an address; `nil` if there is none.
    static func screen(at address: PageAddress) -> (any Screen)? {
        if address.path.count == 1, let make = named[address.path[0]] { return make(address) }
        switch Route(path: address.withoutQuery.text, among: .all)?.screen {
        case .gitHub(.userProfile(let login)): return UserProfileScreen(address: address, login: login)
        case .gitHub(.followList(let list)): return FollowListScreen(address: address, followList: list)
        case .gitHub(.repoList(let list)): return RepoListScreen(address: address, repoList: list)
        case .rickAndMorty(.character(let id)): return CharacterScreen(address: address, id: id)
        case .rickAndMorty(.episode(let id)): return EpisodeScreen(address: address, id: id)
        case .rickAndMorty(.location(let id)): return LocationScreen(address: address, id: id)
        case .appStore(.app(let id, _)): return AppScreen(address: address, id: id)
        case .appStore(.screenshotGallery(let id, let position, _)):
            return ScreenshotScreen(address: address, id: id, position: position)
        case .signIn: return SignInScreen(address: address)
        case .webPage, .other, nil: return nil
        }
    }
}
