import BrowseKit

/// The results of a query, with a form of its fields, whose ids are the names in the address.
struct SearchScreen<Model: SearchViewModel>: ListScreen where Model.Row: WebRow {
    let address: PageAddress
    var style = PagePart.RowStyle.list
    /// Whether results follow while a person types; otherwise, a search begins with the form.
    var isLive = true
    /// The milliseconds without typing, besides the view model's own, before a search without a token.
    var pause = 0
    var examples: [String] = []
    var headings: @Sendable (Model.State) -> [Int: String] = { _ in [:] }
    /// Returns the favorite of a row, if the row goes with it; a notice then offers to undo that.
    var favorite: (@Sendable (Model.Row) -> Favorite)?
    let make: @MainActor @Sendable (Container) -> Model
    /// The favorite that was removed last, the address of its page, and whether it was added again.
    private let removed = Shared<(favorite: Favorite, address: String?, isUndone: Bool)?>(nil)

    func makeModel(in context: PageContext) -> Model { make(context.container) }

    func start(_ model: Model) async {
        model.query = query(address.query, in: model.state)
        // An empty field is no mistake before the form is sent.
        if isLive || !address.query.isEmpty { await model.submit() }
    }

    func input(_ fields: [String: String], to model: Model) async {
        let new = query(fields, in: model.state)
        // Another query hides the row for another reason.
        if new != model.query { removed.value = nil }
        model.query = new
        // A field that was cleared says what to enter, like one that nobody has used.
        let isBlank = model.state.content.status == .idle && !model.state.isWaiting
        if fields["submit"] != nil || isLive && isBlank { await model.submit() }
    }

    func headings(in state: Model.State) -> [Int: String] { headings(state) }

    func title(of state: Model.State) -> String {
        let text = state.fields.first { if case .text = $0.input { true } else { false } }?.value(in: state.query)
        return [text, state.title].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " – ")
    }

    func form(of state: Model.State, in context: PageContext) -> HTML? {
        // The page may be described before its load begins.
        let query = query(address.query, in: state)
        let fields = state.fields.map { input($0, value: $0.value(in: query)) }
        let pause = isLive ? (context.hasToken ? 0 : pause) : nil
        let title = context.texts(favorite == nil ? .search : .filter)
        let (path, rows) = (address.withoutQuery.text, favorite == nil ? 0 : context.address.rowCount)
        return searchForm(fields, path: path, rows: rows, pause: pause, button: title)
    }

    func status(of state: Model.State, in context: PageContext) -> HTML {
        let status = state.content.html(context, [state.hint, state.summary], isWaiting: state.isWaiting)
        if favorite != nil, case .empty = state.content.status {
            return "\(status)\(group("help favorites", [listLinks(context.texts)].compactMap(\.self)))"
        }
        guard state.content.status == .idle, !examples.isEmpty, !state.isWaiting else { return status }
        let links = examples.map { Link(context.address.with("q", $0)).html($0) }
        return "\(status)<p class=\"remark\">\(context.texts(.examples)) \(links)</p>"
    }

    func notice(of state: Model.State, in context: PageContext) -> HTML {
        guard let (removed, address, isUndone) = removed.value, !isUndone,
            !state.content.rows.contains(where: { favorite?($0).id == removed.id })
        else { return context.arrivalNotice }
        let texts = context.texts
        return context.notice(
            texts(.removed(removed.title)),
            button(.undo, to: address, texts(.undo)),
            button(.dismiss, texts(.dismiss))
        )
    }

    @MainActor
    func performOwn(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome? {
        switch action.name {
        case .favorite where !action.isOn:
            if let row = model.state.content.rows.first(where: { "\($0.id)" == action.row }) {
                removed.value = favorite.map { ($0(row), row.view(in: context).link?.address, false) }
            } else if removed.value?.favorite.id.description == action.row {
                // The second click of two finds it done.
                return .stay
            }
        case .undo:
            guard let (favorite, _, _) = removed.value else { return await addAgain(action.value, in: context) }
            guard (try? await context.container.favoriteRepository().add(favorite)) != nil else { return .missing }
            removed.value?.isUndone = true
            return .stay
        case .dismiss: removed.value = nil
        default: break
        }
        return nil
    }

    /// Adds a removed favorite by its own page, because this one was opened again since then.
    @MainActor
    private func addAgain(_ address: String, in context: PageContext) async -> PageOutcome {
        guard let address = PageAddress(address), let screen = Screens.screen(at: address) as? any DetailScreen
        else { return .missing }
        // That page says why it isn't a favorite.
        return await screen.addFavorite(in: context) ? .stay : .go(address.text)
    }

    private func query(_ values: [String: String], in state: Model.State) -> Model.State.Query {
        state.fields.reduce(state.query) { $1.setting(values[$1.id, default: ""], in: $0) }
    }

    private func input(_ field: QueryField<Model.State.Query>, value: String) -> HTML {
        let choices: [(id: String, title: String)]
        switch field.input {
        case .text: return textField(field.id, field.title, value)
        case .choice(let list): choices = list.map { ($0.id, $0.title) }
        }
        let options = choices.map { choice -> HTML in
            let selected: HTML? = choice.id == value ? " selected" : nil
            return "<option value=\"\(choice.id)\"\(selected)>\(choice.title)</option>"
        }
        // Otherwise, Firefox restores a choice that the list doesn't have.
        let select: HTML = "<select name=\"\(field.id)\" autocomplete=\"off\">\(options)</select>"
        return "<label><span>\(field.title)</span>\(select)</label>"
    }
}

/// Returns a form for the query of the address; the list follows after a pause in milliseconds.
///
/// A form whose filter hides some of the loaded rows has their number, so that it searches all of them.
func searchForm(_ fields: [HTML], path: String, rows: Int = 0, pause: Int? = 0, button title: String) -> HTML {
    let live: HTML? = pause.map { " data-live=\"\($0)\"" }
    let count: HTML? = rows > 0 ? "<input type=\"hidden\" name=\"rows\" value=\"\(rows)\">" : nil
    return """
        <form method="get" action="\(path)" role="search"\(live)>\(fields)\(count)<button>\(title)</button></form>
        """
}

/// Returns a field for a text as it is typed, such as a username: it isn't corrected or capitalized.
///
/// Browsers cut off a pasted text without a word, so there is room for more than the 256 characters that services
/// accept: for a link, for qualifiers, and for a text whose hint says what is too much. Its address still fits in
/// ``PageAddress/lengthLimit``.
func textField(_ name: String, _ label: String, _ text: String) -> HTML {
    """
    <label><span>\(label)</span><input type="search" name="\(name)" value="\(value: text)" maxlength="400" \
    aria-describedby="status" autocapitalize="none" autocomplete="off" autocorrect="off" spellcheck="false"></label>
    """
}

extension FavoriteListViewModel.State {
    /// The letter above each group's first row, by position.
    var headings: [Int: String] {
        Dictionary(uniqueKeysWithValues: sections.map { ($0.positions.lowerBound, $0.title) })
    }
}
