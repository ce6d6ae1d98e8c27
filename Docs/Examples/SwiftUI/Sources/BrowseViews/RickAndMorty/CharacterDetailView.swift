import BrowseKit
import SwiftUI

/// A character, and the episodes they appear in.
struct CharacterDetailView: View {
    private let id: RickAndMorty.Character.ID
    private let container: Container
    @State private var model: CharacterDetailViewModel
    @Environment(\.texts) private var texts

    init(id: RickAndMorty.Character.ID, container: Container) {
        self.id = id
        self.container = container
        _model = State(initialValue: container.characterDetailViewModel())
    }

    var body: some View {
        DetailContent(model: model, content: model.state.content, notice: model.state.notice) { details in
            RemoteImage(address: details.image, label: details.name, container: container)
                .frame(maxWidth: .infinity, minHeight: 200)
            Section {
                LabeledContent(texts(.status), value: details.status)
                LabeledContent(texts(.species), value: details.species)
                LabeledContent(texts(.gender), value: details.gender)
                RouteLink(route: model.showOrigin()) { LabeledContent(texts(.origin), value: details.origin) }
                RouteLink(route: model.showLocation()) { LabeledContent(texts(.location), value: details.location) }
            }
            RelatedSection(title: texts(.episodes), content: model.state.related) {
                await model.retry()
            } row: { row in
                RouteLink(route: row.route) { LabeledContent(row.name, value: row.code) }
            }
        }
        .navigationTitle(model.state.content.details?.name ?? "")
        .toolbar {
            FavoriteButton(isFavorite: model.state.isFavorite) { await model.toggleFavorite() }
                .disabled(model.state.content.details == nil)
        }
        .task(id: id) { await model.showIfNeeded(id) }
    }
}
