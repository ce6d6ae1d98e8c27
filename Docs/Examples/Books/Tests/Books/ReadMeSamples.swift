import BrowseKit
import BrowseMocks
import Foundation

// Compiles the samples of the README as an app does: in another package, with these imports only.

@MainActor
private enum ReadMe {
    static func firstScreen() async {
        let container = Container.offline()  // bundled fixtures; Container() uses the real services
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        if case .failed(let message) = followers.state.content.status { print(message.title, message.text) }
        if followers.state.content.canLoadMore { await followers.loadMore() }
        followers.filter = "ash"  // of the loaded rows
        for user in followers.state.content.rows { print(user.login) }
    }

    static func real(secret: String) async throws {
        var configuration = Configuration(locale: Locale(identifier: "ko_KR"))
        configuration.gitHub.token = try AccessToken(secret)
        let container = Container(configuration)
        let profile = try await container.userRepository().profile(of: GitHub.Login("octocat"))
        _ = profile
    }

    static func search(container: Container) async {
        let search = container.userSearchViewModel()
        search.query = "lunar"  // in an app, bound to a text field: searches after a pause in typing
        await search.submit()
        if let user = search.state.content.rows.first { await search.toggleFavorite(user.id) }
        let favorites = container.favoriteListViewModel()
        await favorites.show()
        for group in favorites.state.sections { print(group.section.title, group.positions.count) }
    }

    static func signIn() async {
        var configuration = Configuration()
        configuration.gitHub.app = OAuthApp.gitHub(clientID: "Iv1.yours")
        let container = Container(configuration)
        let signIn = container.gitHubSignInViewModel()
        let prompts = Task {
            for await case .waitingForCode(let prompt) in signIn.states { print(prompt.text) }
        }
        await signIn.signInByCode()
        prompts.cancel()
        let repos = container.repoSearchViewModel()
        repos.query = "swift"
        await repos.submit()
        if let repo = repos.state.content.rows.first, await repos.toggleStar(repo.id) == .signIn {
            print("Sign in first")
        }
    }

    static func services(container: Container) async throws {
        let characters = container.characterListViewModel()
        characters.query.name = "mr."  // filters while typing
        await characters.submit()
        if let first = characters.state.content.rows.first { await characters.toggleFavorite(first.id) }
        let app = container.appDetailViewModel()
        await app.show(try AppStore.AppReference("https://apps.apple.com/kr/app/id1500000001"))
        let favorites = container.favoriteListViewModel()
        favorites.query.order = .kind
        await favorites.show()
        for group in favorites.state.kinds { print(group.title, group.positions.count) }
    }

    struct View {
        func reload(_ rows: Rows<UserRow>) {}
        func apply(_ update: ListChange.Update, from rows: Rows<UserRow>) {}
    }

    static func changes(followers: FollowerListViewModel, view: View) async {
        var shown = Rows<UserRow>()
        for await state in followers.states(.newest) {
            switch state.content.rows.change(since: shown) {
            case .none: break
            case .reset: view.reload(state.content.rows)
            case .update(let update): view.apply(update, from: state.content.rows)
            }
            shown = state.content.rows
        }
    }

    static func held() {
        let held = ControlledResponses<UserRepositoryDouble.Request, GitHub.UserProfile>()
        let container = Container()
        container.userRepository.override { _ in UserRepositoryDouble.controlled(by: held) }
    }
}
