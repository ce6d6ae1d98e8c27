import BrowseKit

/// A screen with a list.
///
/// Its page has a header, a form, a notice, the status of the list, its rows, and a link to more of them.
protocol ListScreen: Screen where Model: ListViewModel<State, Row> {
    associatedtype State
    associatedtype Row: WebRow

    /// Loads the first page.
    @MainActor func start(_ model: Model) async
    /// Applies what a person types while the page is open; the default does nothing.
    @MainActor func input(_ fields: [String: String], to model: Model)

    /// Returns the parts of a state.
    func list(in state: State, _ context: PageContext) -> ListPart<Row>
    /// Returns the form above the list; `nil` if there is none.
    func form(in context: PageContext) -> FormView?
}

/// The parts of a list screen's state.
struct ListPart<Row: WebRow>: Sendable {
    /// The title of the page.
    var title: String
    /// The links below the title.
    var links: [Link] = []
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
    /// The arrangement of the rows.
    var style = RowList.Style.list
    /// The headings above rows, by position.
    var headings: [Int: String] = [:]
}

/// The most rows that an open page loads.
let rowLimit = 2_000

extension ListScreen {
    func form(in context: PageContext) -> FormView? { nil }

    @MainActor
    func input(_ fields: [String: String], to model: Model) {}

    @MainActor
    func load(_ model: Model, in context: PageContext) async {
        await start(model)
        for _ in 1..<address.pageCount where !Task.isCancelled { await model.loadMore() }
    }

    func content(of state: State, in context: PageContext) -> PageContent {
        let part = list(in: state, context)
        let header = HeaderView(title: part.title, links: part.links)
        var parts = [PagePart(.header, .template("header", header))]
        if let form = form(in: context) { parts.append(PagePart(.form, .template("form", form), isInput: true)) }
        let rows = RowList(part.content.rows, style: part.style, headings: part.headings, in: context)
        parts += [
            PagePart(.notice, .template("notice", NoticeView(part.notice, in: context))),
            PagePart(.status, .template("status", StatusView(part, at: address, in: context))),
            PagePart(.rows, .rows(rows)),
            PagePart(.more, .template("more", MoreView(part.content, at: address, in: context))),
        ]
        return PageContent(title: part.title, parts: parts)
    }

    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        await performCommon(action, on: model, in: context)
    }

    /// Performs an action that any list has.
    @MainActor
    func performCommon(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        if let outcome = await performOwn(action, on: model, in: context) { return outcome }
        switch action.name {
        case .input: input(action.fields, to: model)
        case .more: if list(in: model.state, context).content.rows.count < rowLimit { await model.loadMore() }
        case .appeared:
            guard list(in: model.state, context).content.rows.count < rowLimit, let id = Row.ID(action.row) else {
                break
            }
            await model.rowAppeared(id)
        case .retry: await model.retry()
        case .refresh: await model.refresh()
        case .dismiss: model.dismissNotice()
        default: break
        }
        return .stay
    }
}

extension ListScreen where Row: FavoriteRow {
    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        guard action.name == .favorite else { return await performCommon(action, on: model, in: context) }
        await model.setFavorite(action, in: list(in: model.state, context).content.rows)
        return .stay
    }
}

extension ListScreen where Row == RepoRow, Model: StarringList {
    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        let rows = list(in: model.state, context).content.rows
        switch action.name {
        case .favorite: await model.setFavorite(action, in: rows)
        case .star:
            guard let row = rows.row(of: action), row.isStarred != action.isOn else { break }
            return PageOutcome(await model.toggleStar(row.id))
        default: return await performCommon(action, on: model, in: context)
        }
        return .stay
    }
}

extension ListIntents where Row: WebRow & FavoriteRow {
    /// Sets the favorite mark of a row, unless it's set already.
    func setFavorite(_ action: PageAction, in rows: Rows<Row>) async {
        guard let row = rows.row(of: action), row.isFavorite != action.isOn else { return }
        await toggleFavorite(row.id)
    }
}

extension Rows where Element: WebRow {
    /// Returns the row of an action, if the list has it.
    fileprivate func row(of action: PageAction) -> Element? {
        Element.ID(action.row).flatMap { id in first { $0.id == id } }
    }
}
