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
        await context.session.resume(model)
    }

    func content(of state: SignInViewModel<GitHub.User>.State, in context: PageContext) -> PageContent {
        let texts = context.texts
        let start = [
            button(.signInByBrowser, texts(.signInByBrowser), class: "primary"),
            button(.signInByCode, texts(.signInByCode)),
        ]
        let cancel = button(.cancel, texts(.cancel))
        var (status, rest): (HTML, HTML?) = (PageStatus.idle.html(), nil)
        switch state {
        case .idle,
            .signedOut where address["for"] == "star":
            rest = section("sign-in", nil, reason(in: context), group("buttons", start))
        case .askingForCode:
            status = PageStatus.loading.html([texts(.loading)])
            rest = section("sign-in", nil, cancel)
        case .waitingForCode(let prompt):
            let problem = prompt.problem.map { texts.text(of: $0) }
            status = PageStatus.loading.html([prompt.text, problem ?? texts(.waitingForCode)])
            let page = Link(prompt.page)?.html(texts(.openPage), class: "button primary")
            let buttons = group("buttons", [page, cancel].compactMap(\.self))
            rest = section("code", nil, paragraph(prompt.userCode, class: "long"), buttons)
        case .waitingForBrowser:
            status = PageStatus.loading.html([texts(.signingIn)])
            rest = section("sign-in", nil, reason(in: context), group("buttons", start + [cancel]))
        case .signingIn: status = PageStatus.loading.html([texts(.signingIn)])
        case .signedIn(let user):
            status = PageStatus.ready.html([texts(.signedIn(user.login))])
            let account = Link(PageAddress(path: "account")).html(texts(AccountViewModel.title))
            let back = address.origin.map { "<a href=\"\($0.link)\">\(texts(.back))</a>" as HTML }
            rest = section("sign-in", nil, links([back, account].compactMap(\.self)))
        case .failed(let message), .signedOut(let message):
            status = PageStatus.failed.html(message: context.html(message))
            rest = section("sign-in", nil, reason(in: context), group("buttons", start))
        }
        let title = texts(.signIn)
        var content = PageContent(
            title: title,
            parts: [
                PagePart(.header, header(title)), PagePart(.notice, context.arrivalNotice), PagePart(.status, status),
                PagePart(.details, rest),
            ]
        )
        // The seconds between the polls of a code, which are at least five.
        if case .waitingForCode = state { content.refresh = 10 }
        return content
    }

    /// Returns why a person is asked to sign in, or what signing in is for.
    private func reason(in context: PageContext) -> HTML? {
        paragraph(context.texts(address["for"] == "star" ? .signInToStar : .signInText), class: "long")
    }

    func perform(_ action: PageAction, on model: SignInViewModel<GitHub.User>, in context: PageContext) async
        -> PageOutcome
    {
        // What a sign-in is for belongs to the page on which it begins, so a star that was given up isn't set by a later one.
        if action.changesAccount, address["for"] != "star" { await context.session.forgetStar() }
        switch action.name {
        case .signInByBrowser:
            // A new attempt would replace that of another tab, so both use one, which either can finish.
            let isNew = model.pending.map { $0.expiresAt.timeIntervalSinceNow > 300 } ?? false
            if isNew, case .waitingForBrowser(let page) = model.state { return .go(page.rawValue) }
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
