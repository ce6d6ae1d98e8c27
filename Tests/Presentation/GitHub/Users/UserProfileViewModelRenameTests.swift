import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `A favorite account that was renamed` {
    private func user(_ id: Int64, _ login: String) -> GitHub.User {
        GitHub.User(id: GitHub.User.ID(rawValue: id), login: GitHub.Login(login))
    }

    /// Now, nobody or a stranger has the old name.
    @Test(arguments: [Texts.english, .korean], [false, true])
    func `opens by its number, and shows its present name`(texts: Texts, hasStranger: Bool) async throws {
        let favorites = InMemoryFavoriteRepository([.user(user(1, "mona"))])
        let list = FavoriteListViewModel(
            favorites: favorites,
            kinds: FavoriteKind.gitHub,
            options: ScreenOptions(texts: texts)
        )
        await list.show()
        guard case .other(let destination) = list.select(at: 0),
            case .account(let id, let label) = destination.value(as: GitHub.Screen.self)
        else {
            Issue.record("no route")
            return
        }
        #expect(label == GitHub.Login("mona"))
        var accounts = [GitHub.UserProfile(user: user(1, "mona-lisa"))]
        if hasStranger { accounts.append(GitHub.UserProfile(user: user(2, "mona"))) }
        let profile = UserProfileViewModel(accounts, favorites: favorites, texts: texts)
        await profile.show(id, label: label)
        #expect(profile.state.content.details?.profile.user.id == id)
        #expect(profile.state.title == "mona-lisa")
        #expect(profile.state.isFavorite)
        // Another account with the label isn't the one that is shown.
        await profile.showIfNeeded(id, label: label)
        #expect(profile.state.title == "mona-lisa")
    }

    @Test func `has its new name on its screen after a refresh, and is still there when that appears again`() async {
        let held = ControlledResponses<Int, GitHub.UserProfile>()
        for (request, login) in ["mona", "mona-lisa"].enumerated() {
            held.answer(request, with: .success(GitHub.UserProfile(user: user(1, login))))
        }
        let favorites = InMemoryFavoriteRepository([.user(user(1, "mona"))])
        let users = InMemoryUserRepository(held: held)
        let profile = UserProfileViewModel(repository: users, options: .english.with(favorites))
        await profile.show(.mona)
        await profile.refresh()
        #expect(profile.state.title == "mona-lisa")
        await profile.showIfNeeded(.mona)
        #expect(profile.state.title == "mona-lisa" && held.requests.count == 2)
    }

    @Test func `that was deleted isn't found, and keeps its label`() async {
        let profile = UserProfileViewModel([GitHub.UserProfile(user: user(2, "mona"))])
        await profile.show(GitHub.User.ID(rawValue: 1), label: GitHub.Login("mona"))
        #expect(profile.state.content.status.message?.kind == .notFound)
        #expect(profile.state.title == "mona")
        // The account that has the name now is another one.
        await profile.showIfNeeded(GitHub.Login("mona"))
        #expect(profile.state.content.details?.profile.user.id == GitHub.User.ID(rawValue: 2))
    }
}
