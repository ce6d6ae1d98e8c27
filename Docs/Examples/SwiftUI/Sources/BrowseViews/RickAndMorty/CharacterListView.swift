import BrowseKit
import SwiftUI

/// The tab with all characters, or those that a person looks for.
struct CharacterListView: View {
    private let container: Container
    @State private var model: CharacterListViewModel
    @Environment(\.texts) private var texts

    init(container: Container) {
        self.container = container
        _model = State(initialValue: container.characterListViewModel())
    }

    var body: some View {
        List {
            ListRows(model: model, content: model.state.content) { row in
                CharacterRowView(row: row, container: container) { await model.toggleFavorite(row.id) }
            }
        }
        .listStatus(model.state.content, notice: model.state.notice, of: model) { _ in await model.clearFilter() }
        .searchable(text: $model.query.name, prompt: texts(.name))
        .navigationTitle(model.state.title)
        .toolbar {
            Menu(texts(.filter), systemImage: "line.3.horizontal.decrease") {
                Picker(texts(.status), selection: $model.query.status) {
                    Text(texts(.any)).tag(RickAndMorty.Character.Status?.none)
                    ForEach(RickAndMorty.Character.Status.known, id: \.self) { status in
                        Text(texts.status(status)).tag(Optional(status))
                    }
                }
                // A submenu: inline, both lists would begin with an "Any" that doesn't say of what.
                .pickerStyle(.menu)
                Picker(texts(.gender), selection: $model.query.gender) {
                    Text(texts(.any)).tag(RickAndMorty.Character.Gender?.none)
                    ForEach(RickAndMorty.Character.Gender.known, id: \.self) { gender in
                        Text(texts.gender(gender)).tag(Optional(gender))
                    }
                }
                .pickerStyle(.menu)
            }
        }
        .task { await model.showIfNeeded() }
    }
}

/// A character in a list.
struct CharacterRowView: View {
    let row: CharacterRow
    let container: Container
    let toggleFavorite: @MainActor () async -> Void

    var body: some View {
        RouteLink(route: row.route) {
            RowLabel(
                title: row.name,
                subtitle: row.species,
                image: row.image,
                isFavorite: row.isFavorite,
                container: container
            )
        }
        .rowActions {
            FavoriteButton(isFavorite: row.isFavorite, toggle: toggleFavorite)
        }
    }
}
