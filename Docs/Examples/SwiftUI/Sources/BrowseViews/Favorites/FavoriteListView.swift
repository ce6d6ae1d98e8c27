import BrowseKit
import SwiftUI

/// The tab with everything that a person saved, by name or by kind.
struct FavoriteListView: View {
    private let container: Container
    @State private var model: FavoriteListViewModel
    @Environment(\.texts) private var texts

    init(container: Container) {
        self.container = container
        _model = State(initialValue: container.favoriteListViewModel())
    }

    var body: some View {
        let content = model.state.content
        List {
            RefreshRow(model: model, content: content)
            ForEach(model.state.sections, id: \.section) { group in
                Section(group.section.title) { rows(content.rows[group.positions]) }
            }
            ForEach(model.state.kinds, id: \.kind) { group in
                Section(group.title) { rows(content.rows[group.positions]) }
            }
            if model.state.sections.isEmpty, model.state.kinds.isEmpty { rows(content.rows[...]) }
            NextPageRow(model: model, content: content)
        }
        .listStatus(content, notice: model.state.notice, of: model) { _ in model.query.filter = "" }
        .searchable(text: $model.query.filter, prompt: texts(.filter))
        .navigationTitle(texts(.favoritesTab))
        .toolbar {
            Menu(texts(.sort), systemImage: "arrow.up.arrow.down") {
                Picker(texts(.sort), selection: $model.query.order) {
                    Text(texts(.byName)).tag(FavoriteQuery.Order.name)
                    Text(texts(.byKind)).tag(FavoriteQuery.Order.kind)
                    Text(texts(.byDate)).tag(FavoriteQuery.Order.added)
                }
                .pickerStyle(.inline)
            }
        }
        .task { await model.showIfNeeded() }
    }

    private func rows(_ rows: Slice<Rows<FavoriteListViewModel.Row>>) -> some View {
        PagedRows(model: model, rows: rows) { row in
            RouteLink(route: row.route) {
                RowLabel(title: row.favorite.title, image: row.favorite.image, container: container)
            }
            .rowActions {
                // Not a destructive role: a swipe would hide the row before it's removed, even if that fails.
                Button(texts(.removeFavorite), systemImage: "trash") {
                    Task { await model.remove(row.id) }
                }
                .tint(.red)
            }
        }
    }
}
