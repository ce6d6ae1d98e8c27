import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The tab where apps are searched for, or one is looked up by its number, identifier, or link.
struct AppSearchView: View {
    let container: Container
    @Environment(\.texts) private var texts

    var body: some View {
        BrowseSearch(container.appSearchViewModel(), container: container, prompt: prompt) { model in
            BrowseRows(model, container: container) { row in
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
