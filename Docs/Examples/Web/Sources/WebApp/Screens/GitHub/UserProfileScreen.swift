import BrowseKit

/// The profile of an account.
struct UserProfileScreen: DetailScreen {
    let address: PageAddress
    let show: @MainActor @Sendable (UserProfileViewModel) async -> Void

    func makeModel(in context: PageContext) -> UserProfileViewModel { context.container.userProfileViewModel() }

    func load(_ model: UserProfileViewModel, in context: PageContext) async { await show(model) }

    func detail(in state: UserProfileViewModel.State, _ context: PageContext) -> DetailPart {
        DetailPart(state, at: address, in: context) { details in
            let lists = details.facts.filter { listIDs.contains($0.id) }
            let user = details.profile.user
            let header = HeaderView(
                title: state.title,
                subtitle: details.name,
                image: context.image(user.avatar, side: 96),
                marks: [context.favorite(state.isFavorite, name: state.title)],
                links: lists.compactMap { fact in
                    fact.route.flatMap { Link($0, title: "\(fact.label): \(fact.value)") }
                } + [user.webPage.flatMap { Link($0, title: context.texts(.onGitHub)) }].compactMap(\.self),
                // The view model shows a notice instead of an empty list.
                buttons: lists.filter { $0.route == nil }.compactMap { fact in
                    PageAction.Name(rawValue: fact.id).map { ButtonView($0, "\(fact.label): \(fact.value)") }
                }
            )
            return (header, details.sections)
        }
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
private let listIDs: Set<Fact.ID> = ["followers", "following", "repos"]

extension UserProfileViewModel.Details {
    /// The biography, and the facts that don't lead to lists.
    var sections: [SectionView] {
        let facts = facts.filter { !listIDs.contains($0.id) && !["name", "bio"].contains($0.id) }
        return [SectionView(id: "bio", text: bio), SectionView(id: "profile", facts: facts)]
    }
}
