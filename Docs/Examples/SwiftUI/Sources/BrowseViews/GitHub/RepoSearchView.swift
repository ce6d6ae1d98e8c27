import BrowseKit
import SwiftUI

/// The tab where repositories are searched for, starred, and made favorites.
struct RepoSearchView: View {
    let container: Container
    @State private var showsAccount = false
    @Environment(\.texts) private var texts

    var body: some View {
        let prompt = SearchPrompt(title: texts(.repoPromptTitle), text: texts(.repoPrompt))
        SearchView(container.repoSearchViewModel(), prompt: { _ in prompt }) {
            RepoRows(model: $0, container: container)
        }
        .toolbar {
            Button(texts(AccountViewModel.title), systemImage: "person.crop.circle") { showsAccount = true }
        }
        .sheet(isPresented: $showsAccount) {
            RouteStack(container: container) { AccountView(container: container) }.presentationSizing(.form)
        }
    }
}
