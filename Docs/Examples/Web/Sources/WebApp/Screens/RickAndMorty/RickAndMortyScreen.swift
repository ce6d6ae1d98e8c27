import BrowseKit

/// A character, an episode, or a location, with its related items.
struct RickAndMortyScreen<Row: RickAndMortyRow, Related: RickAndMortyRow & WebRow>: DetailScreen
where Related.Entity == Row.Entity.Related {
    typealias Model = RickAndMortyDetailViewModel<Row, Related>

    let address: PageAddress
    let id: Row.ID
    /// Returns the header of a loaded thing; the default has only the title.
    var header: @Sendable (Model.State, RickAndMortyDetails<Row>, PageContext) -> HTML = { state, _, _ in
        WebApp.header(state.title)
    }
    let make: @MainActor @Sendable (Container) -> Model

    func makeModel(in context: PageContext) -> Model { make(context.container) }

    func load(_ model: Model, in context: PageContext) async { await model.show(id) }

    func details(_ details: RickAndMortyDetails<Row>, of state: Model.State, in context: PageContext)
        -> (HTML, [HTML?])
    {
        (header(state, details, context), [section("facts", nil, facts(details.facts))])
    }

    func related(to state: Model.State, in context: PageContext) -> [PagePart] {
        let title = state.content.details.map { _ in "<h2>\(context.texts(Row.relatedTitle))</h2>" as HTML }
        // The end of the list, such as that some can't be read, is above the rows, which end the page.
        let heading: HTML = "\(title)\(state.related.html(context))\(state.related.more(in: context))"
        return [PagePart(.related, heading), PagePart(state.related.rows, level: 3, in: context)]
    }

    func performOwn(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome? {
        guard action.name == .favorite, !action.row.isEmpty else { return nil }
        guard let id = Related.ID(action.row), model.state.related.rows.contains(where: { $0.id == id })
        else { return .missing }
        await model.related.set(.favorite, of: id, to: action.isOn)
        return .stay
    }
}

/// Returns the header of a character: a portrait, and a favorite mark.
@Sendable
func characterHeader(
    of state: CharacterDetailViewModel.State,
    _ details: RickAndMortyDetails<CharacterRow>,
    in context: PageContext
) -> HTML {
    header(
        state.title,
        details.status,
        image: context.image(details.image, 300),
        group("marks", [context.favorite(state.isFavorite, name: state.title)])
    )
}
