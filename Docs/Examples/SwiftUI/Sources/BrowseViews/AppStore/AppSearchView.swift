import BrowseKit
import SwiftUI

/// The tab where apps are searched for, or one is looked up by its number, identifier, or link.
struct AppSearchView: View {
    private let container: Container
    @State private var model: AppSearchViewModel
    @FocusState private var isSearching: Bool
    @Environment(\.texts) private var texts

    init(container: Container) {
        self.container = container
        _model = State(initialValue: container.appSearchViewModel())
    }

    var body: some View {
        List {
            if let summary = model.state.hint ?? model.state.summary {
                Text(summary).font(.footnote).foregroundStyle(.secondary)
            }
            ListRows(model: model, content: model.state.content) { row in
                RouteLink(route: row.route) {
                    RowLabel(
                        title: row.name,
                        subtitle: row.price,
                        image: row.icon.forRow,
                        isFavorite: row.isFavorite,
                        container: container
                    )
                }
                .rowActions {
                    FavoriteButton(isFavorite: row.isFavorite) { await model.toggleFavorite(row.id) }
                }
            }
        }
        .listStatus(model.state.content, notice: model.state.notice, of: model, prompt: prompt) { _ in
            isSearching = true
        }
        .searchable(text: $model.query, prompt: texts(.appPrompt(model.mode)))
        .searchScopes($model.mode, activation: .onSearchPresentation) {
            Text(texts(.searchApps)).tag(AppSearchViewModel.Mode.search)
            Text(texts(.lookUpApp)).tag(AppSearchViewModel.Mode.lookUp)
        }
        .searchFocused($isSearching)
        .exactInput()
        .onSubmit(of: .search) {
            Task {
                await model.submit()
                announce(model.state.hint)
            }
        }
        .navigationTitle(texts(.appStoreTab))
    }

    /// Takes the place of rows before the first search, unless a hint does.
    private var prompt: SearchPrompt? {
        guard model.state.hint == nil else { return nil }
        return SearchPrompt(title: texts(.appPromptTitle(model.mode)), text: texts(.appPromptText(model.mode)))
    }
}
