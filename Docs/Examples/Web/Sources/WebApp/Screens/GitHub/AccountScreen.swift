import BrowseKit

struct AccountScreen: DetailScreen {
    let address: PageAddress

    func makeModel(in context: PageContext) -> AccountViewModel { context.container.gitHubAccountViewModel() }

    func load(_ model: AccountViewModel, in context: PageContext) async { await model.show() }

    func title(of state: AccountViewModel.State, in context: PageContext) -> String {
        state.content.details?.profile.user.login.rawValue ?? state.title
    }

    func details(_ details: UserProfileViewModel.Details, of state: AccountViewModel.State, in context: PageContext)
        -> (HTML, [HTML?])
    {
        let (texts, user) = (context.texts, details.profile.user)
        let routes: [(Route, Phrase)] = [
            (.gitHub(.repoList(.own)), .ownRepos), (.gitHub(.repoList(.starred)), .ownStars),
            (.gitHub(.account(user.id, label: user.login)), .publicProfile),
        ]
        let header = header(
            user.login.rawValue,
            details.name,
            image: context.image(user.avatar, 96),
            links(routes.compactMap { Link($0.0)?.html(texts($0.1)) }),
            group("buttons", state.question == nil ? [button(.askToSignOut, texts(.signOut))] : [])
        )
        return (header, details.sections)
    }

    func lead(of state: AccountViewModel.State, in context: PageContext) -> HTML? {
        guard let question = state.question else { return nil }
        let buttons = [button(.signOut, question.actionTitle), button(.cancel, context.texts(.cancel))]
        let text = section("", question.title, paragraph(question.text, class: "long"), group("buttons", buttons))
        // The script focuses it, because the button that led to it is gone.
        return "<div class=\"question\" role=\"group\" aria-label=\"\(question.title)\" tabindex=\"-1\">\(text)</div>"
    }

    func performOwn(_ action: PageAction, on model: AccountViewModel, in context: PageContext) async -> PageOutcome? {
        switch action.name {
        case .askToSignOut: model.askToSignOut()
        case .cancel: model.staySignedIn()
        case .signOut:
            // Another process may have asked.
            if model.state.question == nil { model.askToSignOut() }
            await model.signOut()
            // The page loads again, because the visitor's id was replaced.
            guard let notice = model.state.notice else { break }
            let isStored = if case .storageFailed? = notice.error { true } else { false }
            await context.session.save(outcome: isStored ? context.texts(.notSignedOut) : notice.text)
        default: return nil
        }
        return .stay
    }
}
