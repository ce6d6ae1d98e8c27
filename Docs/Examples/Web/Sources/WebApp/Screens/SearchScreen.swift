import BrowseKit

/// The results of a query, with a form of its fields, whose ids are the names in the address.
struct SearchScreen<Model: SearchViewModel>: ListScreen where Model.Row: WebRow {
    let address: PageAddress
    var style = RowList.Style.list
    /// Whether results follow while a person types; otherwise, a search begins with the form.
    var isLive = true
    var headings: @Sendable (Model.State) -> [Int: String] = { _ in [:] }
    let make: @MainActor @Sendable (Container) -> Model

    func makeModel(in context: PageContext) -> Model { make(context.container) }

    func start(_ model: Model) async {
        model.query = query(address.query, in: model.state)
        // An empty field is no mistake before the form is sent.
        if isLive || !address.query.isEmpty { await model.submit() }
    }

    func input(_ fields: [String: String], to model: Model) { model.query = query(fields, in: model.state) }

    func headings(in state: Model.State) -> [Int: String] { headings(state) }

    func form(of state: Model.State, in context: PageContext) -> FormView? {
        // The page may be described before its load begins.
        let query = query(address.query, in: state)
        let fields = state.fields.map { FormView.Field($0, value: $0.value(in: query)) }
        let button = context.texts(.search)
        return FormView(path: address.withoutQuery.text, fields: fields, button: button, isLive: isLive)
    }

    private func query(_ values: [String: String], in state: Model.State) -> Model.State.Query {
        state.fields.reduce(state.query) { $1.setting(values[$1.id, default: ""], in: $0) }
    }
}

extension FavoriteListViewModel.State {
    /// The letter above each group's first row, by position.
    var headings: [Int: String] {
        Dictionary(uniqueKeysWithValues: sections.map { ($0.positions.lowerBound, $0.section.title) })
    }
}
