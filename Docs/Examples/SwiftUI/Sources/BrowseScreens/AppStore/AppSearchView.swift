import BrowseKit
import BrowseViews
import SwiftUI

/// The tab where apps are searched for, or one is looked up by its number, identifier, or link.
struct AppSearchView: View {
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        SearchView(container.appSearchViewModel(), prompt: prompt) { model in
            ListRows(model) { row in
                FavoriteRowView(
                    row: row,
                    title: row.name,
                    subtitle: row.price,
                    image: row.icon.forRow,
                    list: model,
                    container: container
                )
            }
        }
    }

    private func prompt(_ model: AppSearchViewModel) -> (title: String, text: String) {
        let mode = model.query.mode
        return (texts(.appPromptTitle(mode)), texts(.appPromptText(mode)))
    }
}
