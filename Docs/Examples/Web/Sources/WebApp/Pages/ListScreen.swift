import BrowseKit
import HTTPTypes

/// A screen with a list.
///
/// Its page has a header, a form, a notice, the status of the list, its rows, and a link to more of them.
protocol ListScreen: Screen where Model: ListViewModel, Model.Row: WebRow {
    @MainActor func start(_ model: Model) async
    /// Applies the fields of the form; the default does nothing.
    @MainActor func input(_ fields: [String: String], to model: Model) async

    /// The arrangement of the rows; the default is a list.
    var style: PagePart.RowStyle { get }
    /// Returns the title of the document; by default that of the list.
    func title(of state: Model.State) -> String
    /// The account that the list belongs to, to which its header leads; by default there is none.
    var owner: GitHub.Login? { get }
    /// Returns the headings above rows, by position; by default there are none.
    func headings(in state: Model.State) -> [Int: String]
    /// Returns the form above the list; `nil` if there is none.
    func form(of state: Model.State, in context: PageContext) -> HTML?
    func status(of state: Model.State, in context: PageContext) -> HTML
    /// Returns the notice if the state has none; by default that of an action before the sign-in.
    func notice(of state: Model.State, in context: PageContext) -> HTML
}

/// The most rows that an open page loads.
let rowLimit = 2_000

extension ListScreen {
    var style: PagePart.RowStyle { .list }

    var owner: GitHub.Login? { nil }

    func title(of state: Model.State) -> String { state.title }

    func headings(in state: Model.State) -> [Int: String] { [:] }

    func form(of state: Model.State, in context: PageContext) -> HTML? { nil }

    func status(of state: Model.State, in context: PageContext) -> HTML { state.content.html(context) }

    func notice(of state: Model.State, in context: PageContext) -> HTML { context.arrivalNotice }

    @MainActor
    func input(_ fields: [String: String], to model: Model) async {}

    @MainActor
    func load(_ model: Model, in context: PageContext) async {
        await start(model)
        if address.rowCount > model.state.content.loadedCount { await model.loadAll(upTo: address.rowCount) }
    }

    func content(of state: Model.State, in context: PageContext) -> PageContent {
        let list = state.content
        let profile = owner.flatMap { Link(.gitHub(.userProfile($0)))?.html(context.texts(.publicProfile)) }
        let header = header(state.title, nil, links([profile].compactMap(\.self)))
        var content = PageContent(title: title(of: state), parts: [PagePart(.header, header)])
        if let form = form(of: state, in: context) { content.parts.append(PagePart(.form, form)) }
        content.parts += [
            PagePart(.notice, state.notice == nil ? notice(of: state, in: context) : context.notice(state.notice)),
            PagePart(.status, status(of: state, in: context)),
            PagePart(list.rows, style, headings: headings(in: state), in: context),
            PagePart(.more, list.more(in: context)),
        ]
        content.loadedCount = list.loadedCount
        if case .failed(let message) = list.status, message.kind == .notFound { content.status = .notFound }
        return content
    }

    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        if let outcome = await performOwn(action, on: model, in: context) { return outcome }
        let hasRoom = model.state.content.hasRoom
        switch action.name {
        case .input: await input(action.fields, to: model)
        case .more: if hasRoom { await model.loadMore() }
        case .loadAll:
            // Until a failed page is retried, nothing else is loaded.
            if case .failedMore = model.state.content.status { await model.retry() }
            await model.loadAll(upTo: rowLimit)
        case .appeared: if hasRoom, let id = Model.Row.ID(action.row) { await model.rowAppeared(id) }
        case .retry: await model.retry()
        case .refresh: await model.refresh()
        case .dismiss: model.dismissNotice()
        case .favorite, .star:
            guard let id = Model.Row.ID(action.row), model.state.content.rows.contains(where: { $0.id == id })
            else { return .missing }
            let route = await model.set(action.name == .star ? .star : .favorite, of: id, to: action.isOn)
            guard route == .signIn else { return .stay }
            if let row = model.state.content.rows.first(where: { $0.id == id }) as? RepoRow {
                await context.session.save(row.repo)
            }
            // Signing in leads back to the row, and then the star is set.
            let count = model.state.content.loadedCount
            let from = context.address.with("rows", "\(count)").with("row", action.row)
            return .go(PageAddress(path: "sign-in", query: ["for": "star", "from": from.text]).text)
        default: break
        }
        return .stay
    }

    @MainActor
    func loadedCount(_ model: Model) -> Int { model.state.content.loadedCount }
}

extension ListState where Row: WebRow {
    /// Whether an open page may load more rows; those that a filter hides count, too.
    fileprivate var hasRoom: Bool { loadedCount < rowLimit }

    /// Returns a message without the button that loads all rows, if there is no room for them.
    private func fitting(_ message: Message) -> Message {
        var message = message
        if message.action == .loadAll, !hasRoom { (message.action, message.actionTitle) = (nil, nil) }
        return message
    }

    /// Returns the status of the first page; that of further pages is at the end of the list.
    func html(_ context: PageContext, _ lines: [String?] = [], isWaiting: Bool = false) -> HTML {
        let lines = lines + [age]
        let loading = lines + [context.texts(.loading)]
        return switch status {
        case _ where isWaiting: PageStatus.loading.html(loading)
        case .idle: PageStatus.idle.html(lines)
        case .loading, .refreshing: PageStatus.loading.html(loading)
        // The number of loaded rows would seem to be that of all.
        case .ready where layout.footer == nil && lines.allSatisfy { $0 == nil }:
            PageStatus.ready.html([context.texts(.rowCount(rows.count))])
        // The end of the list says what the filter hides.
        case .failedMore(let message) where rows.isEmpty:
            PageStatus.failed.html(lines, message: context.html(message))
        case .ready, .loadingMore, .failedMore, .incomplete:
            PageStatus.ready.html(
                lines,
                announcement: lines.contains { $0 != nil } ? nil : context.texts(.rowCount(rows.count))
            )
        case .empty(let message), .noMatches(let message):
            PageStatus.empty.html(lines, message: context.html(fitting(message)))
        case .failed(let message), .failedRefresh(let message):
            PageStatus.failed.html(lines, message: context.html(message))
        }
    }

    /// Returns the end of the list: a link to further rows, or why there are none yet, or none here.
    func more(in context: PageContext) -> HTML? {
        switch layout.footer {
        case .spinner: return PageStatus.loading.html([context.texts(.loading)])
        case .message(let message): return PageStatus.ready.html(message: context.html(fitting(message)))
        case .more where hasRoom:
            // The new rows follow the last one, whose id is known.
            let next = context.address.with("rows", "\(loadedCount + 1)").with("row", rows.last.map { "\($0.id)" }).link
            return "<a class=\"more\" href=\"\(next)\" rel=\"next\">\(context.texts(.more))</a>"
        case .more: return PageStatus.ready.html([context.texts(.rowLimit(rowLimit))])
        case nil: return nil
        }
    }
}
