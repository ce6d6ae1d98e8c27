import BrowseKit

/// The visitor's own account.
struct AccountScreen: DetailScreen {
    let address: PageAddress

    func makeModel(in context: PageContext) -> AccountViewModel { context.container.gitHubAccountViewModel() }

    func load(_ model: AccountViewModel, in context: PageContext) async { await model.show() }

    func detail(in state: AccountViewModel.State, _ context: PageContext) -> DetailPart {
        let texts = context.texts
        var part = DetailPart(status: status(of: state, context), header: HeaderView(title: state.title))
        part.notice = state.notice
        if let question = state.question {
            let buttons = [
                ButtonView(.signOut, question.actionTitle),
                ButtonView(.cancel, texts(.cancel)),
            ]
            part.sections.append(
                SectionView(id: "question", title: question.title, text: question.text, buttons: Group(buttons))
            )
        }
        if let details = state.content.details {
            let links: [(Route, Phrase)] = [
                (.gitHub(.repoList(.own)), .ownRepos), (.gitHub(.repoList(.starred)), .ownStars),
                (.gitHub(.userProfile(details.profile.user.login)), .publicProfile),
            ]
            part.header = HeaderView(
                title: details.profile.user.login.rawValue,
                subtitle: details.name,
                image: context.image(details.profile.user.avatar, side: 96),
                links: links.compactMap { Link($0.0, title: texts($0.1)) },
                buttons: [ButtonView(.askToSignOut, texts(.signOut))]
            )
            part.sections += details.sections
        }
        return part
    }

    func performOwn(_ action: PageAction, on model: AccountViewModel, in context: PageContext) async -> PageOutcome? {
        switch action.name {
        case .askToSignOut: model.askToSignOut()
        case .cancel: model.staySignedIn()
        case .signOut:
            // Another process may have asked.
            if model.state.question == nil { model.askToSignOut() }
            await model.signOut()
        default: return nil
        }
        return .stay
    }

    private func status(of state: AccountViewModel.State, _ context: PageContext) -> StatusView {
        switch state.content.status {
        case .idle, .loading: StatusView(.loading, lines: [context.texts(.loading)])
        case .loaded: StatusView(.ready, lines: [state.content.age])
        case .failed(let message) where message.action == .signIn:
            StatusView(.empty, message: MessageView(message, at: address))
        case .failed(let message): StatusView(.failed, message: MessageView(message, at: address))
        }
    }
}
