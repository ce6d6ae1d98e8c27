import BrowseKit
import SwiftUI

/// The tab with everything that a person saved, by name or as it was added.
struct FavoriteListView: View {
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        SearchView(container.favoriteListViewModel(), load: { await $0.showIfNeeded() }) { model in
            let state = model.state
            RefreshRow(model: model)
            ForEach(state.sections, id: \.section) { group in
                Section(group.section.title) { rows(state.content.rows[group.positions], of: model) }
            }
            if state.sections.isEmpty { rows(state.content.rows[...], of: model) }
            NextPageRow(model: model)
        }
    }

    private func rows(_ rows: Slice<Rows<FavoriteListViewModel.Row>>, of model: FavoriteListViewModel) -> some View {
        PagedRows(model: model, rows: rows) { row in
            RouteLink(route: row.route) {
                RowLabel(title: row.favorite.title, image: row.favorite.image, container: container)
            }
            .rowActions {
                // Not a destructive role: a swipe would hide the row before it's removed, even if that fails.
                Button(texts(.removeFavorite), systemImage: "trash") {
                    Task { await model.setFavorite(row.id, to: false) }
                }
                .tint(.red)
            }
        }
    }
}
