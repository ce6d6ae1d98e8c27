import BrowseKit

/// Signing in, by a code or in a browser.
///
/// The view model belongs to the visitor, because a sign-in in a browser returns on another page.
struct SignInScreen: Screen {
    let address: PageAddress

    func makeModel(in context: PageContext) -> SignInViewModel<GitHub.User> {
        context.session.signIn(in: context.container)
    }

    func load(_ model: SignInViewModel<GitHub.User>, in context: PageContext) async {
        await context.container.gitHubSession().start()
        if await context.session.resume(model) { await context.onPolling() }
    }

    func content(of state: SignInViewModel<GitHub.User>.State, in context: PageContext) -> PageContent {
        let texts = context.texts
        var part = DetailPart(status: StatusView(.idle), header: HeaderView(title: texts(.signIn)))
        let start = [
            ButtonView(.signInByBrowser, texts(.signInByBrowser)), ButtonView(.signInByCode, texts(.signInByCode)),
        ]
        let cancel = ButtonView(.cancel, texts(.cancel))
        var section = SectionView(id: "sign-in")
        switch state {
        case .idle: section.buttons = Group(start)
        case .askingForCode:
            part.status = StatusView(.loading, lines: [texts(.loading)])
            section.buttons = Group([cancel])
        case .waitingForCode(let prompt):
            part.status = StatusView(.loading, lines: [prompt.text, texts(.waitingForCode)])
            section.id = "code"
            section.text = prompt.userCode
            section.links = Group([Link(prompt.page, title: texts(.openPage))].compactMap(\.self))
            section.buttons = Group([cancel])
        case .waitingForBrowser:
            part.status = StatusView(.loading, lines: [texts(.signingIn)])
            section.buttons = Group(start + [cancel])
        case .signingIn: part.status = StatusView(.loading, lines: [texts(.signingIn)])
        case .signedIn(let user):
            part.status = StatusView(.ready, lines: [texts(.signedIn(user.login))])
            section.links = Group([Link(address: "/account", title: texts(AccountViewModel.title))])
        case .failed(let message), .signedOut(let message):
            part.status = StatusView(.failed, message: MessageView(title: message.title, text: message.text))
            section.buttons = Group(start)
        }
        part.sections = [section]
        return PageContent(part, in: context)
    }

    func perform(_ action: PageAction, on model: SignInViewModel<GitHub.User>, in context: PageContext) async
        -> PageOutcome
    {
        switch action.name {
        case .signInByBrowser:
            // The page is the configured server's, which is this site on fixtures.
            guard case .webPage(let page)? = model.signInByBrowser() else { return .stay }
            await context.session.save(model)
            return .go(page.rawValue)
        case .signInByCode:
            // Without JavaScript, the next page shows the code.
            await context.session.signInByCode(model)
        case .cancel:
            model.cancel()
            await context.session.save(model)
        default: break
        }
        return .stay
    }
}
