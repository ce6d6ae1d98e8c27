import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import SwiftUI

// A row for several lists, and the favorites; the page "Build a SwiftUI app" shows them.

/// A row with an image and a title, which leads to its screen, and can be a favorite.
struct TitleRow<Row: FavoriteRow, Intents: ListIntents<Row>>: View {
    let row: Row
    let title: String
    let image: WebAddress?
    let list: Intents
    let container: Container

    var body: some View {
        BrowseLink(row.route) {
            HStack {
                BrowseImage(image, side: 40, container: container)
                    .frame(width: 40, height: 40)
                Text(title).frame(maxWidth: .infinity, alignment: .leading)
                if row.isFavorite {
                    Image(systemName: "heart.fill").accessibilityLabel(texts(FavoriteListViewModel.title))
                }
            }
        }
        .swipeActions { favoriteButton }
        .contextMenu { favoriteButton }
    }

    private var favoriteButton: some View {
        Button(texts(row.isFavorite ? .removeFavorite : .addFavorite), systemImage: "heart") {
            Task { await list.toggleFavorite(row.id) }
        }
    }

    private var texts: Texts { container.texts() }
}

struct FavoritesScreen: View {
    let container: Container

    var body: some View {
        BrowseSearch(container.favoriteListViewModel(), container: container, load: { await $0.showIfNeeded() }) {
            model in
            BrowseRows(model, container: container, sections: model.state.sections) { row in
                TitleRow(
                    row: row,
                    title: row.favorite.title,
                    image: row.favorite.image,
                    list: model,
                    container: container
                )
            }
        }
    }
}

#Preview("Favorites") {
    FavoritesScreen(container: .offline())
}
