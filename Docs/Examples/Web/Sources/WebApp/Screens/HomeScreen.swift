import BrowseKit

/// The start: what the SDK is, things to try, and a list that is live.
struct HomeScreen: Screen {
    let address: PageAddress

    func makeModel(in context: PageContext) -> CharacterListViewModel { context.container.characterListViewModel() }

    func load(_ model: CharacterListViewModel, in context: PageContext) async { await model.submit() }

    func content(of state: CharacterListViewModel.State, in context: PageContext) -> PageContent {
        let texts = context.texts
        let rows = PagePart(state.content.rows.prefix(6), .grid, level: 3, in: context)
        let cast: HTML = "<h2>\(texts(.cast))</h2>\(state.content.html(context))"
        var content = PageContent(
            title: PageContent.siteName,
            parts: [
                PagePart(.header, hero(in: context)), PagePart(.notice, context.notice(state.notice)),
                PagePart(.details, cards(in: context)),
                PagePart(.related, cast), rows,
            ]
        )
        content.description = texts(.startText)
        return content
    }

    private func hero(in context: PageContext) -> HTML {
        let texts = context.texts
        let pages = context.project.map { project in
            [(project + "#readme", Phrase.readme), (project + "/tree/main/Docs", .documentation)].compactMap { page in
                Link(WebAddress(rawValue: page.0))?.html(texts(page.1))
            }
        }
        let documents = pages.flatMap(WebApp.links)
        return """
            <div class="hero"><div><img src="/assets/icon.svg" width="48" height="48" alt=""><h1>\(texts(.startTitle))</h1>\
            <p class="lead">\(texts(.startText))</p>\(documents)</div>\
            <figure><figcaption>\(texts(.code))</figcaption><pre><code>\(Self.sample)</code></pre></figure></div>
            """
    }

    private func cards(in context: PageContext) -> HTML {
        let texts = context.texts
        let cards: [(title: Phrase, text: Phrase, searches: [(page: String, text: String)])] = [
            (.gitHub, .tryGitHub, [("users", "octocat"), ("repos", "hello")]),
            (.rickAndMorty, .tryRickAndMorty, [("characters", "ada"), ("episodes", "S01")]),
            (.appStore, .tryAppStore, [("apps", "tea"), ("apps", "notes")]),
        ]
        let list = cards.map { card -> HTML in
            let searches = card.searches.map { search -> HTML in
                let link = Link(PageAddress(path: search.page, query: ["q": search.text, "name": search.text]))
                return "<li>\(link.html("\(texts(Site.title(of: search.page))): \(search.text)"))</li>"
            }
            return """
                <li class="card"><h3>\(texts(card.title))</h3><p>\(texts(card.text))</p><ul class="links" role="list">\(searches)</ul></li>
                """
        }
        return "<section><h2>\(texts(.tryThis))</h2><ul class=\"cards\" role=\"list\">\(list)</ul></section>"
    }

    /// The code of the list below, as in this project's README.
    private static let sample = """
        let container = Container()
        let model = container.characterListViewModel()
        await model.submit()
        for row in model.state.content.rows {
            print(row.character.name, row.status)
        }
        """

    func perform(_ action: PageAction, on model: CharacterListViewModel, in context: PageContext) async -> PageOutcome {
        switch action.name {
        case .retry: await model.retry()
        case .dismiss: model.dismissNotice()
        case .favorite:
            guard let id = CharacterRow.ID(action.row) else { return .missing }
            await model.set(.favorite, of: id, to: action.isOn)
        default: break
        }
        return .stay
    }
}
