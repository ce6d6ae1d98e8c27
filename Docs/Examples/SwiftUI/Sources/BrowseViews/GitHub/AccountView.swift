import BrowseKit
import SwiftUI

/// The sheet with one's own account.
struct AccountView: View {
    private let container: Container
    @State private var model: AccountViewModel
    @Environment(\.dismiss) private var dismiss
    @Environment(\.texts) private var texts

    init(container: Container) {
        self.container = container
        _model = State(initialValue: container.gitHubAccountViewModel())
    }

    var body: some View {
        DetailContent(model: model) { details in
            Section {
                RowLabel(
                    title: details.name,
                    subtitle: details.memberSince,
                    image: details.profile.user.avatar,
                    container: container
                )
            }
            Section {
                RouteLink(route: model.showPublicProfile()) { Text(texts(.profile)) }
                RouteLink(route: model.showRepos()) { Text(texts(.ownRepositories)) }
                RouteLink(route: model.showStarred()) { Text(texts(.starred)) }
            }
            Button(texts(.signOut), role: .destructive) { model.askToSignOut() }
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
        .toolbar {
            ToolbarItem(placement: .cancellationAction) {
                Button(texts(.close)) { dismiss() }
            }
        }
        .task { await model.show() }
    }

    private var isAsking: Binding<Bool> {
        Binding {
            model.state.question != nil
        } set: {
            if !$0 { model.staySignedIn() }
        }
    }
}
