import BrowseKit

/// A search on GitHub, which follows while a person types.
protocol SearchScreen: ListScreen where Model: SearchModel, State: SearchState<Row> {
    /// The title of the page.
    static var title: Phrase { get }

    /// Returns the fields of the form after the text.
    func choices(_ texts: Texts) -> [FormView.Field]
    /// Applies the fields of the form, or of the address.
    @MainActor func apply(_ fields: [String: String], to model: Model)
}

/// A view model that searches for a text.
@MainActor
protocol SearchModel {
    /// Searches at once.
    func submit() async
}

/// The state of a search.
protocol SearchState<Row> {
    associatedtype Row: ListRow
    var content: ListState<Row> { get }
    var notice: Message? { get }
    var hint: String? { get }
    var summary: String? { get }
    var isWaiting: Bool { get }
}

extension UserSearchViewModel: SearchModel {}
extension UserSearchViewModel.State: SearchState {}
extension RepoSearchViewModel: SearchModel {}
extension RepoSearchViewModel.State: SearchState {}

extension SearchScreen {
    @MainActor
    func start(_ model: Model) async {
        apply(address.query, to: model)
        await model.submit()
    }

    @MainActor
    func input(_ fields: [String: String], to model: Model) { apply(fields, to: model) }

    func list(in state: State, _ context: PageContext) -> ListPart<Row> {
        ListPart(
            title: context.texts(Self.title),
            content: state.content,
            notice: state.notice,
            hint: state.hint,
            summary: state.summary,
            isWaiting: state.isWaiting
        )
    }

    func form(in context: PageContext) -> FormView? {
        let texts = context.texts
        return FormView(at: address, [.text("q", texts(.query), in: address)] + choices(texts), button: texts(.search))
    }
}
