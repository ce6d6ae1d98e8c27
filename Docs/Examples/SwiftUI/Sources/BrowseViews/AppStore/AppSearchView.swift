import BrowseKit
import SwiftUI

/// The tab where apps are searched for, or one is looked up by its number, identifier, or link.
struct AppSearchView: View {
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        SearchView(container.appSearchViewModel(), prompt: prompt) { model in
            ListRows(model: model) { row in
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

    private func prompt(_ model: AppSearchViewModel) -> SearchPrompt {
        let mode = model.query.mode
        return SearchPrompt(title: texts(.appPromptTitle(mode)), text: texts(.appPromptText(mode)))
    }
}
