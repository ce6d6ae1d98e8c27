import BrowseKit

/// A character, an episode, or a location, with its related items.
struct RickAndMortyScreen<Row: RickAndMortyRow, Related: RickAndMortyRow & WebRow>: DetailScreen
where Related.Entity == Row.Entity.Related {
    typealias Model = RickAndMortyDetailViewModel<Row, Related>

    let address: PageAddress
    let id: Row.ID
    /// Returns the header of a loaded thing; the default has only the title.
    var header: @Sendable (Model.State, RickAndMortyDetails<Row>, PageContext) -> HeaderView = { state, _, _ in
        HeaderView(title: state.title)
    }
    let make: @MainActor @Sendable (Container) -> Model

    func makeModel(in context: PageContext) -> Model { make(context.container) }

    func load(_ model: Model, in context: PageContext) async { await model.show(id) }

    func detail(in state: Model.State, _ context: PageContext) -> DetailPart {
        var part = DetailPart(state, at: address, in: context) {
            (header(state, $0, context), [SectionView(id: "facts", facts: $0.facts)])
        }
        part.related = RelatedPart(context.texts(Row.relatedTitle), state.related, at: address, in: context)
        return part
    }

    func performOwn(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome? {
        guard action.name == .favorite, !action.row.isEmpty else { return nil }
        await Related.setFavorite(action, in: model.related)
        return .stay
    }
}

/// Returns the header of a character: a portrait, and a favorite mark.
@Sendable
func characterHeader(
    of state: CharacterDetailViewModel.State,
    _ details: RickAndMortyDetails<CharacterRow>,
    in context: PageContext
) -> HeaderView {
    HeaderView(
        title: state.title,
        subtitle: details.status,
        image: context.image(details.image, side: 300),
        marks: [context.favorite(state.isFavorite, name: state.title)]
    )
}
