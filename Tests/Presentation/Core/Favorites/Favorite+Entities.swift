import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseRickAndMortyDomain

extension Favorite {
    static func user(_ user: GitHub.User) -> Favorite { Favorite(user) }
    static func repo(_ repo: GitHub.Repo) -> Favorite { Favorite(repo) }
    static func character(_ character: RickAndMorty.Character) -> Favorite { Favorite(character) }
    static func app(_ app: AppStore.App) -> Favorite { Favorite(app) }
}
