import BrowseKit
import HTTPTypes

/// A screen with the details of one thing, and maybe a list of related items.
///
/// Its page has a header, a notice, a status, the details, and the related rows.
protocol DetailScreen: Screen where Model: DetailViewModel {
    /// Returns the header and the sections of a loaded thing.
    func details(_ details: Model.State.Details, of state: Model.State, in context: PageContext) -> (HTML, [HTML?])
    /// Returns the parts of related items; by default there are none.
    func related(to state: Model.State, in context: PageContext) -> [PagePart]
    /// Returns the title of a loaded thing; the default is that of the state.
    func title(of state: Model.State, in context: PageContext) -> String
    /// Returns what is above the sections, whether the thing is loaded or not; by default nothing.
    func lead(of state: Model.State, in context: PageContext) -> HTML?
}

/// Returns the header of a page, with a rating, marks, links, and buttons.
func header(_ title: String, _ subtitle: String? = nil, image: HTML? = nil, _ rest: HTML?...) -> HTML {
    // The name of a repository breaks after its owner.
    let lines = title.split(separator: "/", omittingEmptySubsequences: false).map { "\(String($0))" as HTML }
    let name: HTML = "\(lines[0])\(lines.dropFirst().map { "/<wbr><span>\($0)</span>" })"
    return "\(image)<h1>\(name)</h1>\(paragraph(subtitle, class: "subtitle"))\(rest.compactMap(\.self))"
}

extension DetailScreen {
    func related(to state: Model.State, in context: PageContext) -> [PagePart] { [] }

    func lead(of state: Model.State, in context: PageContext) -> HTML? { nil }

    func title(of state: Model.State, in context: PageContext) -> String { state.title }

    func content(of state: Model.State, in context: PageContext) -> PageContent {
        var content = PageContent(title: title(of: state, in: context), parts: [])
        var (top, sections): (HTML?, [HTML?]) = (nil, [])
        let status: HTML
        switch state.content.status {
        case .idle, .loading: status = PageStatus.loading.html([context.texts(.loading)])
        case .loaded(let details):
            status = PageStatus.ready.html([state.content.age])
            (top, sections) = self.details(details, of: state, in: context)
        case .failed(let message):
            content.title = message.title
            if message.kind == .notFound { content.status = .notFound }
            let kind = message.action == .signIn ? PageStatus.empty : .failed
            var shown = context.html(message, hasTitle: false)
            if message.kind == .notFound { shown.help = context.homeHelp }
            // An account needs a session, and the lists don't.
            if kind == .empty {
                shown.help = "\(shown.help)\(group("help", [listLinks(context.texts)].compactMap(\.self)))"
            }
            status = kind.html(message: shown)
        }
        if content.title.isEmpty { content.title = context.texts(.loading) }
        content.parts = [
            PagePart(.header, top ?? header(content.title)),
            PagePart(.notice, context.notice(state.notice)), PagePart(.status, status),
            PagePart(.details, "\(lead(of: state, in: context))\(sections.compactMap(\.self))"),
        ]
        content.parts += related(to: state, in: context)
        return content
    }

    /// Loads the thing, adds it to the favorites, and returns whether it's one now.
    @MainActor
    func addFavorite(in context: PageContext) async -> Bool {
        let model = makeModel(in: context)
        await load(model, in: context)
        guard model.state.content.details != nil else { return false }
        await model.setFavorite(to: true)
        return model.state.isFavorite
    }

    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        if let outcome = await performOwn(action, on: model, in: context) { return outcome }
        switch action.name {
        case .retry: await model.retry()
        case .refresh: await model.refresh()
        case .dismiss: model.dismissNotice()
        case .favorite: await model.setFavorite(to: action.isOn)
        default: break
        }
        return .stay
    }
}
