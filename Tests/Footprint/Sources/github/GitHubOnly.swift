import BrowseGitHub

/// Loads followers with a view model, and shows the favorites.
@main
struct GitHubOnly {
    static func main() async {
        let container = Container(services: [GitHubSettings.self])
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        for user in followers.state.content.rows { print(user.login) }
        let favorites = container.favoriteListViewModel()
        await favorites.show()
        for row in favorites.state.content.rows { print(row.favorite.title) }
    }
}
