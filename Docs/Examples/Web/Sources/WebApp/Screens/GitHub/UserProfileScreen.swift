import BrowseKit

/// The profile of an account.
struct UserProfileScreen: DetailScreen {
    static let paths = ["/users/:login"]
    let address: PageAddress
    private let login: GitHub.Login

    init?(_ address: PageAddress) {
        login = GitHub.Login(address.parameters["login"] ?? "")
        guard login.isValid else { return nil }
        self.address = address
    }

    func makeModel(in context: PageContext) -> UserProfileViewModel { context.container.userProfileViewModel() }

    func load(_ model: UserProfileViewModel, in context: PageContext) async { await model.show(login) }

    func detail(in state: UserProfileViewModel.State, _ context: PageContext) -> DetailPart {
        var part = DetailPart(state.content, at: address, in: context) { details in
            let profile = details.profile
            let name = profile.user.login.rawValue
            let texts = context.texts
            let header = HeaderView(
                title: name,
                subtitle: details.name,
                image: context.image(profile.user.avatar, side: 96),
                marks: [context.favorite(state.isFavorite, name: name)],
                links: [profile.user.webPage.flatMap { Link($0, title: texts(.onGitHub)) }].compactMap(\.self),
                buttons: [
                    ButtonView(.followers, "\(texts(.followers)): \(details.followers)"),
                    ButtonView(.following, "\(texts(.following)): \(details.following)"),
                    ButtonView(.repos, "\(texts(.repos)): \(details.publicRepos)"),
                ]
            )
            return (header, [details.section(in: context)])
        }
        part.isFavorite = state.isFavorite
        part.notice = state.notice
        return part
    }

    // The view model shows a notice instead of an empty list.
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

extension UserProfileViewModel.Details {
    /// The facts of the profile.
    func section(in context: PageContext) -> SectionView {
        let texts = context.texts
        let facts = [
            SectionView.Fact(name: texts(.company), value: company),
            SectionView.Fact(name: texts(.location), value: location),
            SectionView.Fact(name: texts(.blog), value: blog, link: profile.blog.flatMap { Link($0) }),
            SectionView.Fact(name: texts(.gists), value: publicGists),
        ]
        return SectionView(id: "profile", subtitle: memberSince, facts: Group(facts), text: bio)
    }
}
