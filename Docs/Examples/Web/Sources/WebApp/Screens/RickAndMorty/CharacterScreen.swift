import BrowseKit

/// A character, and the character's episodes.
struct CharacterScreen: DetailScreen {
    static let paths = ["/characters/:id"]
    let address: PageAddress
    private let id: RickAndMorty.Character.ID

    init?(_ address: PageAddress) {
        guard let number = address.number else { return nil }
        id = RickAndMorty.Character.ID(rawValue: number)
        self.address = address
    }

    func makeModel(in context: PageContext) -> CharacterDetailViewModel { context.container.characterDetailViewModel() }

    func load(_ model: CharacterDetailViewModel, in context: PageContext) async { await model.show(id) }

    func detail(in state: CharacterDetailViewModel.State, _ context: PageContext) -> DetailPart {
        let texts = context.texts
        var part = DetailPart(state.content, at: address, in: context) { details in
            let header = HeaderView(
                title: details.name,
                subtitle: details.status,
                image: context.image(details.image, side: 300),
                marks: [context.favorite(state.isFavorite, name: details.name)]
            )
            func place(_ name: Phrase, _ value: String, _ id: RickAndMorty.Location.ID?) -> SectionView.Fact {
                SectionView.Fact(
                    name: texts(name),
                    value: value,
                    link: id.flatMap { Link(.rickAndMorty(.location($0))) }
                )
            }
            let facts = [
                SectionView.Fact(name: texts(.species), value: details.species),
                SectionView.Fact(name: texts(.type), value: details.type),
                SectionView.Fact(name: texts(.gender), value: details.gender),
                place(.origin, details.origin, details.character.origin.id),
                place(.lastLocation, details.location, details.character.location.id),
                SectionView.Fact(name: texts(.episodes), value: details.relatedCount),
                SectionView.Fact(name: texts(.created), value: details.created),
            ]
            return (header, [SectionView(id: "facts", facts: Group(facts))])
        }
        part.isFavorite = state.isFavorite
        part.notice = state.notice
        part.related = RelatedPart(texts(.episodes), state.related, at: address, in: context)
        return part
    }
}

extension PageAddress {
    /// The number in the path.
    var number: Int64? { parameters["id"].flatMap { Int64($0) } }
}
