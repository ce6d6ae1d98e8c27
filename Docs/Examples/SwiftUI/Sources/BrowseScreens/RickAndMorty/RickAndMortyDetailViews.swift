import BrowseKit
import BrowseViews
import SwiftUI

/// A character, and the episodes they appear in.
struct CharacterDetailView: View {
    let id: RickAndMorty.Character.ID
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        DetailView(container.characterDetailViewModel()) {
            await $0.showIfNeeded(id)
        } sections: { model, details in
            RemoteImage(details.image, label: details.name, container: container)
                .frame(maxWidth: .infinity, minHeight: 200)
            Section { FactRows(details.facts) }
            RelatedSection(texts(CharacterRow.relatedTitle), content: model.state.related, list: model.related) { row in
                RouteLink(row.route) { LabeledContent(row.name, value: row.code) }
            }
        } actions: {
            FavoriteToggle(model: $0)
        }
    }
}

/// An episode, and who appears in it.
struct EpisodeDetailView: View {
    let id: RickAndMorty.Episode.ID
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        DetailView(container.episodeDetailViewModel()) {
            await $0.showIfNeeded(id)
        } sections: { model, details in
            Section { FactRows(details.facts) }
            RelatedSection(texts(EpisodeRow.relatedTitle), content: model.state.related, list: model.related) {
                CharacterRowView(row: $0, list: model.related, container: container)
            }
        } actions: { _ in
        }
    }
}

/// A location, and its residents.
struct LocationDetailView: View {
    let id: RickAndMorty.Location.ID
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        DetailView(container.locationDetailViewModel()) {
            await $0.showIfNeeded(id)
        } sections: { model, details in
            Section { FactRows(details.facts) }
            RelatedSection(texts(LocationRow.relatedTitle), content: model.state.related, list: model.related) {
                CharacterRowView(row: $0, list: model.related, container: container)
            }
        } actions: { _ in
        }
    }
}
