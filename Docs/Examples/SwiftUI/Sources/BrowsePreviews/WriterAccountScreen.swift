import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import SwiftUI

// The account of a service of one's own; the page "Add a sign-in to your own service" shows it.

struct WriterAccountScreen: View {
    let container: Container

    var body: some View {
        BrowseDetail(container.writerAccountViewModel(), container: container) {
            await $0.show()
        } sections: { _, details in
            BrowseFacts(details.facts)
        } actions: { model in
            if model.state.content.status.message?.action != .signIn {
                SignOutButton(texts: container.texts()) { await model.signOut() }
            }
        }
    }
}

/// A button that asks before it signs out.
struct SignOutButton: View {
    let texts: Texts
    let signOut: @MainActor () async -> Void
    @State private var isAsking = false

    var body: some View {
        Button(texts(.signOut), role: .destructive) { isAsking = true }
            .confirmationDialog(texts(.signOut), isPresented: $isAsking) {
                Button(texts(.signOut), role: .destructive) {
                    Task { await signOut() }
                }
            }
    }
}

@MainActor
extension Container {
    /// Stands in for the one of Docs/Examples/Letters, which has the same methods.
    fileprivate func writerAccountViewModel() -> AccountViewModel { gitHubAccountViewModel() }
}

#Preview("Account of another service") {
    WriterAccountScreen(container: .offline())
}
