import BrowseKit

/// An episode or a location, and the characters in it.
struct CastScreen<Entity: WebCast>: DetailScreen {
    typealias Model = RickAndMortyDetailViewModel<Entity, RickAndMortyDetails<Entity.Row>, CharacterRow>

    static var paths: [String] { [Entity.path] }
    let address: PageAddress
    private let id: Entity.ID

    init?(_ address: PageAddress) {
        guard let id = address.number.flatMap({ Entity.ID(rawValue: $0) }) else { return nil }
        self.id = id
        self.address = address
    }

    func makeModel(in context: PageContext) -> Model { Entity.makeModel(context.container) }

    func load(_ model: Model, in context: PageContext) async { await model.show(id) }

    func detail(in state: Model.State, _ context: PageContext) -> DetailPart {
        let texts = context.texts
        var part = DetailPart(state.content, at: address, in: context) { details in
            let common: [(Phrase, String)] = [(Entity.cast, details.relatedCount), (.created, details.created)]
            let values = Entity.values(of: details.row) + common
            let facts = values.map { SectionView.Fact(name: texts($0.0), value: $0.1) }
            return (HeaderView(title: Entity.name(of: details.row)), [SectionView(id: "facts", facts: Group(facts))])
        }
        part.notice = state.notice
        part.related = RelatedPart(texts(Entity.cast), state.related, at: address, in: context)
        return part
    }

    func setRelatedFavorite(_ action: PageAction, on model: Model) async {
        await model.related.setFavorite(action, in: model.state.related.rows)
    }
}

/// An entity of the Rick and Morty API with characters in it.
protocol WebCast: Identifiable, Equatable, Sendable where ID: RawRepresentable<Int64> & Sendable {
    /// The row that describes the entity.
    associatedtype Row: ListRow

    /// The path of the page.
    static var path: String { get }
    /// The title of the list of characters.
    static var cast: Phrase { get }
    /// Returns the name.
    static func name(of row: Row) -> String
    /// Returns the values that only this entity has, with their names.
    static func values(of row: Row) -> [(Phrase, String)]
    /// Creates the view model.
    @MainActor static func makeModel(_ container: Container) -> CastScreen<Self>.Model
}

extension RickAndMorty.Episode: WebCast {
    static let path = "/episodes/:id"
    static let cast = Phrase.characters

    static func name(of row: EpisodeRow) -> String { row.name }

    static func values(of row: EpisodeRow) -> [(Phrase, String)] { [(.code, row.code), (.airDate, row.airDate)] }

    static func makeModel(_ container: Container) -> EpisodeDetailViewModel { container.episodeDetailViewModel() }
}

extension RickAndMorty.Location: WebCast {
    static let path = "/locations/:id"
    static let cast = Phrase.residents

    static func name(of row: LocationRow) -> String { row.name }

    static func values(of row: LocationRow) -> [(Phrase, String)] { [(.type, row.type), (.dimension, row.dimension)] }

    static func makeModel(_ container: Container) -> LocationDetailViewModel { container.locationDetailViewModel() }
}
