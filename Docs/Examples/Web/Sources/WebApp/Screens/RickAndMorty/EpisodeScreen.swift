import BrowseKit

/// An episode, and the characters in it.
struct EpisodeScreen: DetailScreen {
    let address: PageAddress
    let id: RickAndMorty.Episode.ID

    func makeModel(in context: PageContext) -> EpisodeDetailViewModel { context.container.episodeDetailViewModel() }

    func load(_ model: EpisodeDetailViewModel, in context: PageContext) async { await model.show(id) }

    func detail(in state: EpisodeDetailViewModel.State, _ context: PageContext) -> DetailPart {
        let texts = context.texts
        var part = DetailPart(state.content, at: address, in: context) { details in
            let facts = [
                SectionView.Fact(name: texts(.code), value: details.code),
                SectionView.Fact(name: texts(.airDate), value: details.airDate),
                SectionView.Fact(name: texts(.characters), value: details.relatedCount),
                SectionView.Fact(name: texts(.created), value: details.created),
            ]
            return (HeaderView(title: details.name), [SectionView(id: "facts", facts: Group(facts))])
        }
        part.notice = state.notice
        part.related = RelatedPart(texts(.characters), state.related, at: address, in: context)
        return part
    }

    func setRelatedFavorite(_ action: PageAction, on model: EpisodeDetailViewModel) async {
        await model.related.setFavorite(action, in: model.state.related.rows)
    }
}
