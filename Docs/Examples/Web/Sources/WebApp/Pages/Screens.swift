import BrowseKit

/// The screens of the site, by their paths.
enum Screens {
    /// All screens.
    static let all: [any Screen.Type] = [
        UserSearchScreen.self, FollowListScreen.self, UserProfileScreen.self,
        RepoSearchScreen.self, RepoListScreen.self, FavoriteListScreen.self,
        SignInScreen.self, AccountScreen.self,
        RickAndMortyListScreen<RickAndMorty.CharacterFilter>.self, CharacterScreen.self,
        RickAndMortyListScreen<RickAndMorty.EpisodeFilter>.self, EpisodeScreen.self,
        RickAndMortyListScreen<RickAndMorty.LocationFilter>.self, LocationScreen.self,
        AppSearchScreen.self, AppScreen.self, ScreenshotScreen.self,
    ]

    /// Returns the screen at an address; `nil` if there is none.
    static func screen(at address: PageAddress) -> (any Screen)? {
        for type in all {
            for path in type.paths {
                guard let parameters = address.parameters(of: path) else { continue }
                var address = address
                address.parameters = parameters
                return type.init(address)
            }
        }
        return nil
    }
}
