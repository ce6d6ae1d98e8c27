import BrowseKit
import BrowseMocks

@main @MainActor
struct Audience {
    static func main() async {
        let container = Container.offline()
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        show(followers)
        print("m: more, a number: favorite, anything else: quit")
        while let line = readLine() {
            if line == "m" {
                await followers.loadMore()
            } else if let number = Int(line), followers.state.content.rows.indices.contains(number - 1) {
                await followers.toggleFavorite(followers.state.content.rows[number - 1].id)
            } else {
                break
            }
            show(followers)
        }
    }

    static func show(_ followers: FollowerListViewModel) {
        print(followers.state.title)
        for (number, row) in zip(1..., followers.state.content.rows.prefix(10)) {
            print(number, row.login, row.isFavorite ? "♥" : "")
        }
        print(followers.state.content.loadedCount, "loaded")
    }
}
