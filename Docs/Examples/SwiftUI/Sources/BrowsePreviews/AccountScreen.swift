import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import SwiftUI

// One's own account, with signing out; the page "Sign in with SwiftUI" shows it.

struct AccountScreen: View {
    let container: Container
    @State private var isSignedIn = false

    var body: some View {
        // Read here, because the buttons don't follow the state of this view.
        let canSignOut = isSignedIn
        BrowseDetail(container.gitHubAccountViewModel(), container: container) {
            await $0.show()
        } sections: { model, details in
            Section { BrowseFacts(details.facts) }
            Section {
                BrowseLink(model.showRepos()) { Text(texts(.ownRepoList)) }
                BrowseLink(model.showStarred()) { Text(texts(.starList)) }
            }
        } actions: { model in
            // An account that can't be loaded can sign out, too.
            if canSignOut { signOut(model) }
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

    private var texts: Texts { container.texts() }

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

nonisolated extension Phrase {
    fileprivate static let ownRepoList = Phrase("app.ownRepoList", "Your Repositories", ko: "내 저장소")
    fileprivate static let starList = Phrase("app.starList", "Starred", ko: "별표 표시한 저장소")
}

#Preview("Account") {
    AccountScreen(container: .offline())
}
