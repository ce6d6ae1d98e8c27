import BrowseKit

/// The screens of the site, by their addresses.
enum Screens {
    /// The screens that no route leads to, by the only segment of their paths.
    private static let named: [String: @Sendable (PageAddress) -> any Screen] = [
        // Without a token, GitHub accepts 10 searches a minute.
        "users": {
            SearchScreen(address: $0, pause: 400, examples: ["octocat", "mojombo"]) { $0.userSearchViewModel() }
        },
        "repos": { SearchScreen(address: $0, pause: 400, examples: ["hello", "kernel"]) { $0.repoSearchViewModel() } },
        "favorites": { SearchScreen(address: $0, headings: \.headings) { $0.favoriteListViewModel() } },
        "characters": { SearchScreen(address: $0, style: .grid) { $0.characterListViewModel() } },
        "episodes": { SearchScreen(address: $0) { $0.episodeListViewModel() } },
        "locations": { SearchScreen(address: $0) { $0.locationListViewModel() } },
        // The App Store accepts about 20 requests a minute.
        "apps": { SearchScreen(address: $0, isLive: false, examples: ["tea", "notes"]) { $0.appSearchViewModel() } },
        "account": { AccountScreen(address: $0) },
    ]

    /// Returns the screen at an address; `nil` if there is none.
    static func screen(at address: PageAddress) -> (any Screen)? {
        if address.path.count == 1, let make = named[address.path[0]] { return make(address) }
        switch Route(path: address.withoutQuery.text, among: .all)?.screen {
        case .gitHub(.userProfile(let login)): return UserProfileScreen(address: address) { await $0.show(login) }
        case .gitHub(.account(let id, let label)):
            return UserProfileScreen(address: address) { await $0.show(id, label: label) }
        case .gitHub(.followList(let list)): return FollowListScreen(address: address, followList: list)
        case .gitHub(.repoList(let list)): return RepoListScreen(address: address, repoList: list)
        case .rickAndMorty(.character(let id)):
            return RickAndMortyScreen(address: address, id: id, header: characterHeader) {
                $0.characterDetailViewModel()
            }
        case .rickAndMorty(.episode(let id)):
            return RickAndMortyScreen(address: address, id: id) { $0.episodeDetailViewModel() }
        case .rickAndMorty(.location(let id)):
            return RickAndMortyScreen(address: address, id: id) { $0.locationDetailViewModel() }
        case .appStore(.app(let id, _)): return AppScreen(address: address, id: id)
        case .appStore(.screenshotGallery(let id, let position, _)):
            return ScreenshotScreen(address: address, id: id, position: position)
        case .signIn: return SignInScreen(address: address)
        case .webPage, .other, nil: return nil
        }
    }
}
