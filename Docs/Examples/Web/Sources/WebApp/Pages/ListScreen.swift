import BrowseKit

/// A screen with a list.
///
/// Its page has a header, a form, the status of the list, its rows, and a link to more of them.
protocol ListScreen: Screen where Model: ListViewModel<State, Row> {
    associatedtype State
    associatedtype Row: WebRow

    /// Loads the first page.
    @MainActor func start(_ model: Model) async
    /// Applies what a person types while the page is open; the default does nothing.
    @MainActor func input(_ fields: [String: String], to model: Model)

    /// The parts of the state.
    func list(in state: State, _ context: PageContext) -> ListPart<Row>
    /// The form above the list; `nil` if it has none.
    func form(in context: PageContext) -> FormView?
    /// The links below the title.
    func links(in context: PageContext) -> [Link]
}

/// The parts of a list screen's state.
struct ListPart<Row: WebRow>: Sendable {
    /// The title of the page.
    var title: String
    /// The list.
    var content: ListState<Row>
    /// The message beside the list.
    var notice: Message?
    /// The reason why the text can't be searched for.
    var hint: String?
    /// The number of results.
    var summary: String?
    /// Whether a search begins soon.
    var isWaiting = false
    /// The class of the list: `list` or `grid`.
    var style = "list"
    /// The headings above rows, by position.
    var headings: [Int: String] = [:]
}

extension ListScreen {
    func links(in context: PageContext) -> [Link] { [] }
    func form(in context: PageContext) -> FormView? { nil }
    @MainActor
    func input(_ fields: [String: String], to model: Model) {}

    @MainActor
    func load(_ model: Model) async {
        await start(model)
        for _ in 1..<address.pageCount { await model.loadMore() }
    }

    func content(of state: State, in context: PageContext) -> PageContent {
        let part = list(in: state, context)
        var parts = [
            PagePart(
                id: "header",
                content: .template("header", HeaderView(title: part.title, links: links(in: context)))
            )
        ]
        if let form = form(in: context) {
            parts.append(PagePart(id: "form", content: .template("form", form), isInput: true))
        }
        parts += [
            PagePart(id: "notice", content: .template("notice", NoticeView(part.notice, in: context))),
            PagePart(id: "status", content: .template("status", StatusView(part, address: address, in: context))),
            PagePart(
                id: "rows",
                content: .rows(RowList(part.content.rows, style: part.style, headings: part.headings, in: context))
            ),
            PagePart(id: "more", content: .template("more", MoreView(part.content, address: address, in: context))),
        ]
        return PageContent(title: part.title, parts: parts)
    }

    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        await performCommon(action, on: model)
    }

    /// Performs an action that all lists have.
    @MainActor
    func performCommon(_ action: PageAction, on model: Model) async -> PageOutcome {
        if action.name == PageAction.input { input(action.fields, to: model) } else { await model.perform(action) }
        return .stay
    }
}

/// A list of rows that can be favorites.
extension ListScreen where Row: FavoriteRow {
    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        if action.name == PageAction.favorite {
            let rows = list(in: model.state, context).content.rows
            if let row = rows.first(where: { $0.key == action.row }), row.isFavorite != action.isOn {
                await model.toggleFavorite(row.id)
            }
            return .stay
        }
        return await performCommon(action, on: model)
    }
}

extension ListIntents where Row: WebRow {
    /// Performs an action that all lists have.
    func perform(_ action: PageAction) async {
        switch action.name {
        case PageAction.more: await loadMore()
        case PageAction.retry: await retry()
        case PageAction.refresh: await refresh()
        case PageAction.dismiss: dismissNotice()
        default: break
        }
    }
}
