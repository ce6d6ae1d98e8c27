import BrowseKit

/// Loads followers with a view model.
@main
struct Kit {
    static func main() async {
        let followers = Container().followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        for user in followers.state.content.rows { print(user.login) }
    }
}
