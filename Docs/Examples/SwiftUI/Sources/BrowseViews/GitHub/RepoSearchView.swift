import BrowseKit
import SwiftUI

/// The tab where repositories are searched for, starred, and made favorites.
struct RepoSearchView: View {
    private let container: Container
    @State private var model: RepoSearchViewModel
    @State private var showsAccount = false
    @FocusState private var isSearching: Bool
    @Environment(\.texts) private var texts

    init(container: Container) {
        self.container = container
        _model = State(initialValue: container.repoSearchViewModel())
    }

    var body: some View {
        List {
            if let summary = model.state.hint ?? model.state.summary {
                Text(summary).font(.footnote).foregroundStyle(.secondary)
            }
            RepoRows(model: model, content: model.state.content, container: container)
        }
        .listStatus(model.state.content, notice: model.state.notice, of: model, prompt: prompt) { _ in
            isSearching = true
        }
        .searchable(text: $model.query, prompt: texts(.repositoriesTab))
        .searchFocused($isSearching)
        .exactInput()
        .onSubmit(of: .search) {
            Task {
                await model.submit()
                announce(model.state.hint)
            }
        }
        .navigationTitle(texts(.repositoriesTab))
        .toolbar {
            Menu(texts(.sort), systemImage: "arrow.up.arrow.down") {
                Picker(texts(.sort), selection: $model.sort) {
                    ForEach(GitHub.RepoSearch.Sort.allCases, id: \.self) { Text(texts(.sort($0))) }
                }
                Picker(texts(.order), selection: $model.order) {
                    Text(texts(.descending)).tag(GitHub.RepoSearch.Order.descending)
                    Text(texts(.ascending)).tag(GitHub.RepoSearch.Order.ascending)
                }
            }
            Button(texts(.account), systemImage: "person.crop.circle") { showsAccount = true }
        }
        .sheet(isPresented: $showsAccount) {
            RouteStack(container: container) { AccountView(container: container) }.presentationSizing(.form)
        }
    }

    /// Takes the place of rows before the first search, unless a hint does.
    private var prompt: SearchPrompt? {
        model.state.hint == nil ? SearchPrompt(title: texts(.repoPromptTitle), text: texts(.repoPrompt)) : nil
    }
}
