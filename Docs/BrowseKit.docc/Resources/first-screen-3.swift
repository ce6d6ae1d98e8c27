import BrowseKit

/// The followers of an account, with the number of favorites among them.
@MainActor
final class AudienceViewModel: ListViewModel {
    struct State: ListScreenState {
        var title = ""
        var content = ListState<UserRow>()
        var notice: Message?
        var favoriteCount: Int { content.rows.count { $0.isFavorite } }
    }

    var states: States<State> { store.states }
    var list: ListControls<UserRow> { pages.controls }

    private let store = StateStore(State())
    private let pages: ListController<UserRow>
    private let repository: any GitHub.FollowerRepository

    init(container: Container) {
        let options = container.screenOptions(for: .gitHub)
        repository = container.followerRepository()
        pages = ListController(in: store, at: \.content, notice: \.notice, options: options)
    }

    func show(_ login: GitHub.Login) async {
        store.update { $0.title = "Audience of \(login)" }
        let load = pages.begin(empty: Message(kind: .empty, title: "No Followers", text: "")) {
            [repository] cursor throws(BrowseError) in
            try await repository.page(of: .followers(of: login), at: cursor)
        } row: { user in
            UserRow(user)
        }
        await load()
    }
}
