import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// A character, and the episodes they appear in.
struct CharacterDetailView: View {
    let id: RickAndMorty.Character.ID
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        BrowseDetail(container.characterDetailViewModel(), container: container) {
            await $0.showIfNeeded(id)
        } sections: { model, details in
            BrowseImage(details.image, label: details.name, container: container)
                .frame(maxWidth: .infinity, minHeight: 200)
            Section { BrowseFacts(details.facts) }
            BrowseRelatedSection(texts(CharacterRow.relatedTitle), content: model.state.related, list: model.related) {
                row in
                BrowseLink(row.route) { LabeledContent(row.name, value: row.code) }
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
        BrowseDetail(container.episodeDetailViewModel(), container: container) {
            await $0.showIfNeeded(id)
        } sections: { model, details in
            Section { BrowseFacts(details.facts) }
            BrowseRelatedSection(texts(EpisodeRow.relatedTitle), content: model.state.related, list: model.related) {
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
        BrowseDetail(container.locationDetailViewModel(), container: container) {
            await $0.showIfNeeded(id)
        } sections: { model, details in
            Section { BrowseFacts(details.facts) }
            BrowseRelatedSection(texts(LocationRow.relatedTitle), content: model.state.related, list: model.related) {
                CharacterRowView(row: $0, list: model.related, container: container)
            }
        } actions: { _ in
        }
    }
}
