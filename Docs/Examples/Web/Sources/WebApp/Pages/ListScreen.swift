import BrowseKit

/// A screen with a list.
///
/// Its page has a header, a form, a notice, the status of the list, its rows, and a link to more of them.
protocol ListScreen: Screen where Model: ListViewModel, Model.Row: WebRow {
    /// Loads the first page.
    @MainActor func start(_ model: Model) async
    /// Applies what a person types while the page is open; the default does nothing.
    @MainActor func input(_ fields: [String: String], to model: Model)

    /// The arrangement of the rows; the default is a list.
    var style: RowList.Style { get }
    /// Returns the headings above rows, by position; by default there are none.
    func headings(in state: Model.State) -> [Int: String]
    /// Returns the form above the list; `nil` if there is none.
    func form(of state: Model.State, in context: PageContext) -> FormView?
}

/// The most rows that an open page loads.
let rowLimit = 2_000

extension ListScreen {
    var style: RowList.Style { .list }

    func headings(in state: Model.State) -> [Int: String] { [:] }

    func form(of state: Model.State, in context: PageContext) -> FormView? { nil }

    @MainActor
    func input(_ fields: [String: String], to model: Model) {}

    @MainActor
    func load(_ model: Model, in context: PageContext) async {
        await start(model)
        for _ in 1..<address.pageCount where !Task.isCancelled { await model.loadMore() }
    }

    func content(of state: Model.State, in context: PageContext) -> PageContent {
        let list = state.content
        var parts = [PagePart(.header, .template("header", HeaderView(title: state.title)))]
        if let form = form(of: state, in: context) {
            parts.append(PagePart(.form, .template("form", form), isInput: true))
        }
        let rows = RowList(list.rows, style: style, headings: headings(in: state), in: context)
        let search = state as? any SearchScreenState
        parts += [
            PagePart(.notice, .template("notice", NoticeView(state.notice, in: context))),
            PagePart(.status, .template("status", StatusView(list, of: search, at: address, in: context))),
            PagePart(.rows, .rows(rows)),
            PagePart(.more, .template("more", MoreView(list, at: address, in: context))),
        ]
        return PageContent(title: state.title, parts: parts)
    }

    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        let hasRoom = model.state.content.rows.count < rowLimit
        switch action.name {
        case .input: input(action.fields, to: model)
        case .more: if hasRoom { await model.loadMore() }
        case .loadAll: await model.loadAll(upTo: rowLimit)
        case .appeared: if hasRoom, let id = Model.Row.ID(action.row) { await model.rowAppeared(id) }
        case .retry: await model.retry()
        case .refresh: await model.refresh()
        case .dismiss: model.dismissNotice()
        case .favorite: await Model.Row.setFavorite(action, in: model)
        case .star:
            guard let id = RepoRow.ID(action.row) else { break }
            return PageOutcome(await (model as? any StarringList)?.setStar(id, to: action.isOn))
        default: break
        }
        return .stay
    }
}
