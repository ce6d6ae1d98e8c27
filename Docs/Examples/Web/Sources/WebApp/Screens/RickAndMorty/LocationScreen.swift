import BrowseKit

/// A location, and its residents.
struct LocationScreen: DetailScreen {
    let address: PageAddress
    let id: RickAndMorty.Location.ID

    func makeModel(in context: PageContext) -> LocationDetailViewModel { context.container.locationDetailViewModel() }

    func load(_ model: LocationDetailViewModel, in context: PageContext) async { await model.show(id) }

    func detail(in state: LocationDetailViewModel.State, _ context: PageContext) -> DetailPart {
        let texts = context.texts
        var part = DetailPart(state.content, at: address, in: context) { details in
            let facts = [
                SectionView.Fact(name: texts(.type), value: details.type),
                SectionView.Fact(name: texts(.dimension), value: details.dimension),
                SectionView.Fact(name: texts(.residents), value: details.relatedCount),
                SectionView.Fact(name: texts(.created), value: details.created),
            ]
            return (HeaderView(title: details.name), [SectionView(id: "facts", facts: Group(facts))])
        }
        part.notice = state.notice
        part.related = RelatedPart(texts(.residents), state.related, at: address, in: context)
        return part
    }

    func setRelatedFavorite(_ action: PageAction, on model: LocationDetailViewModel) async {
        await model.related.setFavorite(action, in: model.state.related.rows)
    }
}
