import BrowseKit
import SwiftUI

/// An episode, and who appears in it.
struct EpisodeDetailView: View {
    private let id: RickAndMorty.Episode.ID
    private let container: Container
    @State private var model: EpisodeDetailViewModel
    @Environment(\.texts) private var texts

    init(id: RickAndMorty.Episode.ID, container: Container) {
        self.id = id
        self.container = container
        _model = State(initialValue: container.episodeDetailViewModel())
    }

    var body: some View {
        DetailContent(model: model, content: model.state.content, notice: model.state.notice) { details in
            Section {
                LabeledContent(texts(.episode), value: details.code)
                LabeledContent(texts(.airDate), value: details.airDate)
            }
            RelatedSection(title: texts(.charactersTab), content: model.state.related) {
                await model.retry()
            } row: { row in
                CharacterRowView(row: row, container: container) { await model.related.toggleFavorite(row.id) }
            }
        }
        .navigationTitle(model.state.content.details?.name ?? "")
        .task(id: id) { await model.showIfNeeded(id) }
    }
}
