import BrowseKit

/// The profile of an account.
struct UserProfileScreen: DetailScreen {
    let address: PageAddress
    let login: GitHub.Login

    func makeModel(in context: PageContext) -> UserProfileViewModel { context.container.userProfileViewModel() }

    func load(_ model: UserProfileViewModel, in context: PageContext) async { await model.show(login) }

    func detail(in state: UserProfileViewModel.State, _ context: PageContext) -> DetailPart {
        var part = DetailPart(state.content, at: address, in: context) { details in
            let profile = details.profile
            let name = profile.user.login.rawValue
            let texts = context.texts
            let user = profile.user.login
            let lists: [(PageAction.Name, Phrase, String, Int?, Route)] = [
                (
                    .followers, .followers, details.followers, profile.followerCount,
                    .gitHub(.followList(.followers(of: user)))
                ),
                (
                    .following, .following, details.following, profile.followingCount,
                    .gitHub(.followList(.following(by: user)))
                ),
                (
                    .repos, .repos, details.publicRepos, profile.publicRepoCount,
                    .gitHub(.repoList(.publicRepos(of: user)))
                ),
            ]
            let header = HeaderView(
                title: name,
                subtitle: details.name,
                image: context.image(profile.user.avatar, side: 96),
                marks: [context.favorite(state.isFavorite, name: name)],
                links: lists.compactMap { _, title, count, number, route in
                    number == 0 ? nil : Link(route, title: "\(texts(title)): \(count)")
                } + [profile.user.webPage.flatMap { Link($0, title: texts(.onGitHub)) }].compactMap(\.self),
                // The view model shows a notice instead of an empty list.
                buttons: lists.compactMap { action, title, count, number, _ in
                    number == 0 ? ButtonView(action, "\(texts(title)): \(count)") : nil
                }
            )
            return (header, details.sections(in: context))
        }
        part.isFavorite = state.isFavorite
        part.notice = state.notice
        return part
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

extension UserProfileViewModel.Details {
    /// Returns the biography and the facts.
    func sections(in context: PageContext) -> [SectionView] {
        let texts = context.texts
        let facts = [
            SectionView.Fact(name: texts(.company), value: company),
            SectionView.Fact(name: texts(.location), value: location),
            SectionView.Fact(name: texts(.blog), value: blog, link: profile.blog.flatMap { Link($0) }),
            SectionView.Fact(name: texts(.gists), value: publicGists),
        ]
        return [
            SectionView(id: "bio", text: bio), SectionView(id: "profile", subtitle: memberSince, facts: Group(facts)),
        ]
    }
}
