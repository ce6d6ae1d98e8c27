import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The tab with everything that a person saved, by name or as it was added.
struct FavoriteListView: View {
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        BrowseSearch(container.favoriteListViewModel(), container: container, load: { await $0.showIfNeeded() }) {
            model in
            BrowseRows(model, container: container, sections: model.state.sections) { row in
                BrowseLink(row.route) {
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
}
