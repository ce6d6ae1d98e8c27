import BrowseKit
import SwiftUI

/// A location, and its residents.
struct LocationDetailView: View {
    private let id: RickAndMorty.Location.ID
    private let container: Container
    @State private var model: LocationDetailViewModel
    @Environment(\.texts) private var texts

    init(id: RickAndMorty.Location.ID, container: Container) {
        self.id = id
        self.container = container
        _model = State(initialValue: container.locationDetailViewModel())
    }

    var body: some View {
        DetailContent(model: model, content: model.state.content, notice: model.state.notice) { details in
            Section {
                LabeledContent(texts(.type), value: details.type)
                LabeledContent(texts(.dimension), value: details.dimension)
            }
            RelatedSection(title: texts(.residents), content: model.state.related) {
                await model.retry()
            } row: { row in
                CharacterRowView(row: row, container: container) { await model.related.toggleFavorite(row.id) }
            }
        }
        .navigationTitle(model.state.content.details?.name ?? "")
        .task(id: id) { await model.showIfNeeded(id) }
    }
}
