import BrowseKit

struct UserProfileScreen: DetailScreen {
    let address: PageAddress
    let show: @MainActor @Sendable (UserProfileViewModel) async -> Void

    func makeModel(in context: PageContext) -> UserProfileViewModel { context.container.userProfileViewModel() }

    func load(_ model: UserProfileViewModel, in context: PageContext) async { await show(model) }

    func details(_ details: UserProfileViewModel.Details, of state: UserProfileViewModel.State, in context: PageContext)
        -> (HTML, [HTML?])
    {
        let user = details.profile.user
        let lists = details.facts.filter { listIDs.contains($0.id) }
        // The view model shows a notice instead of an empty list.
        let buttons = lists.filter { $0.route == nil }.compactMap { fact in
            PageAction.Name(rawValue: fact.id).map { button($0, "\(fact.label): \(fact.value)") }
        }
        let listLinks = lists.compactMap { Link($0.route)?.html("\($0.label): \($0.value)") }
        let page = user.webPage.flatMap { Link($0)?.html(context.texts(.onGitHub)) }
        let header = header(
            state.title,
            details.name,
            image: context.image(user.avatar, 96),
            group("marks", [context.favorite(state.isFavorite, name: state.title)]),
            group("buttons", buttons),
            links(listLinks + [page].compactMap(\.self))
        )
        return (header, details.sections)
    }

    func performOwn(_ action: PageAction, on model: UserProfileViewModel, in context: PageContext) async -> PageOutcome?
    {
        switch action.name {
        case .followers: PageOutcome(model.showFollowers())
        case .following: PageOutcome(model.showFollowing())
        case .repos: PageOutcome(model.showRepos())
        default: nil
        }
    }
}

/// The facts that lead to lists, whose ids are the names of actions.
private let listIDs: Set<String> = ["followers", "following", "repos"]

extension UserProfileViewModel.Details {
    /// The biography, and the facts that don't lead to lists.
    var sections: [HTML?] {
        let rest = facts.filter { !listIDs.contains($0.id) && !["name", "bio"].contains($0.id) }
        return [
            section("bio", nil, paragraph(self["bio"]?.value, class: "long")),
            section("profile", nil, WebApp.facts(rest)),
        ]
    }
}
