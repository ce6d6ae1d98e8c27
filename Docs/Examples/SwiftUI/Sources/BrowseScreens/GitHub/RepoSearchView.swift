import BrowseKit
import BrowseViews
import SwiftUI

/// The tab where repositories are searched for, starred, and made favorites.
struct RepoSearchView: View {
    let container: Container
    @State private var showsAccount = false
    @Environment(\.texts) private var texts

    var body: some View {
        SearchView(container.repoSearchViewModel(), prompt: { _ in (texts(.repoPromptTitle), texts(.repoPrompt)) }) {
            model in
            ListRows(model) { RepoRowView(row: $0, list: model, container: container) }
        }
        .toolbar {
            Button(texts(AccountViewModel.title), systemImage: "person.crop.circle") { showsAccount = true }
        }
        .sheet(isPresented: $showsAccount) {
            RouteStack(container: container) { AccountView(container: container) }.presentationSizing(.form)
        }
    }
}
