import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The tab where repositories are searched for, starred, and made favorites.
struct RepoSearchView: View {
    let container: Container
    @State private var showsAccount = false
    @Environment(\.texts) private var texts

    var body: some View {
        BrowseSearch(
            container.repoSearchViewModel(),
            container: container,
            prompt: { _ in (texts(.repoPromptTitle), texts(.repoPrompt)) }
        ) {
            model in
            BrowseRows(model, container: container) { RepoRowView(row: $0, list: model, container: container) }
        }
        .toolbar {
            Button(texts(AccountViewModel.title), systemImage: "person.crop.circle") { showsAccount = true }
        }
        .sheet(isPresented: $showsAccount) {
            BrowseStack(container: container) { AccountView(container: container) }.presentationSizing(.form)
        }
    }
}
