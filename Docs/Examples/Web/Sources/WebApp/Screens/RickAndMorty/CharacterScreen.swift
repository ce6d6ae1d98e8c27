import BrowseKit

/// A character, and the character's episodes.
struct CharacterScreen: DetailScreen {
    let address: PageAddress
    let id: RickAndMorty.Character.ID

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
