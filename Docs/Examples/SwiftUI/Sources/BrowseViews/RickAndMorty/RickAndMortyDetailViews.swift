import BrowseKit
import SwiftUI

/// A character, and the episodes they appear in.
struct CharacterDetailView: View {
    let id: RickAndMorty.Character.ID
    let container: Container

    var body: some View {
        RickAndMortyDetailView(id: id, model: container.characterDetailViewModel()) { details in
            RemoteImage(address: details.image, label: details.name, container: container)
                .frame(maxWidth: .infinity, minHeight: 200)
        } actions: { model in
            FavoriteToggle(model: model)
        } row: { _, row in
            RouteLink(route: row.route) { LabeledContent(row.name, value: row.code) }
        }
    }
}

/// An episode, and who appears in it.
struct EpisodeDetailView: View {
    let id: RickAndMorty.Episode.ID
    let container: Container

    var body: some View {
        RickAndMortyDetailView(id: id, model: container.episodeDetailViewModel()) { _ in
            EmptyView()
        } actions: { _ in
            EmptyView()
        } row: {
            CharacterRowView(row: $1, list: $0.related, container: container)
        }
    }
}

/// A location, and its residents.
struct LocationDetailView: View {
    let id: RickAndMorty.Location.ID
    let container: Container

    var body: some View {
        RickAndMortyDetailView(id: id, model: container.locationDetailViewModel()) { _ in
            EmptyView()
        } actions: { _ in
            EmptyView()
        } row: {
            CharacterRowView(row: $1, list: $0.related, container: container)
        }
    }
}

/// The facts about a thing, below a header, and the related rows.
private struct RickAndMortyDetailView<
    Row: RickAndMortyRow,
    Related: RickAndMortyRow,
    Header: View,
    Actions: View,
    RowView: View
>: View where Related.Entity == Row.Entity.Related {
    typealias Model = RickAndMortyDetailViewModel<Row, Related>

    private let id: Row.ID
    @State private var model: Model
    private let header: (RickAndMortyDetails<Row>) -> Header
    private let actions: (Model) -> Actions
    private let row: (Model, Related) -> RowView
    @Environment(\.texts) private var texts

    init(
        id: Row.ID,
        model: Model,
        @ViewBuilder header: @escaping (RickAndMortyDetails<Row>) -> Header,
        @ViewBuilder actions: @escaping (Model) -> Actions,
        @ViewBuilder row: @escaping (Model, Related) -> RowView
    ) {
        self.id = id
        _model = State(initialValue: model)
        self.header = header
        self.actions = actions
        self.row = row
    }

    var body: some View {
        DetailContent(model: model) { details in
            header(details)
            Section { FactRows(facts: details.facts) }
            RelatedSection(title: texts(Row.relatedTitle), content: model.state.related) {
                await model.related.perform($0)
            } row: {
                row(model, $0)
            }
        }
        .toolbar { actions(model) }
        .task(id: id) { await model.showIfNeeded(id) }
    }
}
