import BrowseKit
import BrowseMocks

@main @MainActor
struct Audience {
    static func main() async {
        let container = Container.offline()
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        print(followers.state.title)
        for row in followers.state.content.rows.prefix(10) { print(row.login) }
    }
}
