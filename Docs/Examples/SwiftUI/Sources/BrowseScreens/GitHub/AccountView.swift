import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The sheet with one's own account.
struct AccountView: View {
    let container: Container
    @State private var isSignedIn = false
    @Environment(\.dismiss) private var dismiss
    @Environment(\.texts) private var texts

    var body: some View {
        // Read here, because the buttons don't follow the state of this view.
        let canSignOut = isSignedIn
        BrowseDetail(container.gitHubAccountViewModel(), container: container) {
            await $0.show()
        } sections: { model, details in
            Section {
                RowLabel(
                    title: details.name,
                    subtitle: details.memberSince,
                    image: details.profile.user.avatar,
                    container: container
                )
            }
            Section {
                BrowseLink(model.showPublicProfile()) { Text(texts(.profile)) }
                BrowseLink(model.showRepos()) { Text(texts(.ownRepositories)) }
                BrowseLink(model.showStarred()) { Text(texts(.starred)) }
            }
        } actions: { model in
            // An account that can't be loaded can sign out, too.
            if canSignOut { signOut(model) }
            Button(texts(.close)) { dismiss() }
        }
        .task {
            for await session in container.gitHubSession().sessions {
                isSignedIn =
                    switch session {
                    case .restoring, .signedOut: false
                    case .signingIn, .unidentified, .identified, .ready: true
                    }
            }
        }
    }

    private func signOut(_ model: AccountViewModel) -> some View {
        let isAsking = Binding {
            model.state.question != nil
        } set: {
            if !$0 { model.staySignedIn() }
        }
        return Button(texts(.signOut), role: .destructive) { model.askToSignOut() }
            .confirmationDialog(
                model.state.question?.title ?? "",
                isPresented: isAsking,
                titleVisibility: .visible,
                presenting: model.state.question
            ) { question in
                Button(question.actionTitle, role: .destructive) {
                    Task { await model.signOut() }
                }
                Button(texts(.cancel), role: .cancel) { model.staySignedIn() }
            } message: { question in
                Text(question.text)
            }
    }
}
