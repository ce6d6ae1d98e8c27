import Accessibility
import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The tab where a person types the username whose followers they want to see.
struct FollowerSearchView: View {
    @State private var model: FollowerSearchViewModel
    @Environment(\.openBrowseRoute) private var openRoute
    @Environment(\.texts) private var texts

    init(container: Container) {
        _model = State(initialValue: container.followerSearchViewModel())
    }

    var body: some View {
        Form {
            Section {
                TextField(texts(.username), text: $model.query)
                    .usernameInput()
                    .onSubmit(submit)
                Button(texts(.showFollowers), action: submit)
                    .disabled(!model.state.canSubmit)
            } footer: {
                if let hint = model.state.hint { Text(hint).foregroundStyle(.red) }
            }
        }
        .formStyle(.grouped)
        .navigationTitle(texts(.followersTab))
    }

    private func submit() {
        openRoute(model.submit())
        if let hint = model.state.hint { AccessibilityNotification.Announcement(hint).post() }
    }
}

extension View {
    /// Takes a username.
    ///
    /// The content type isn't `.username`, which would suggest the person's own accounts from the keychain.
    fileprivate func usernameInput() -> some View {
        #if os(iOS)
        browseExactInput().keyboardType(.asciiCapable).submitLabel(.go)
        #else
        browseExactInput()
        #endif
    }
}
