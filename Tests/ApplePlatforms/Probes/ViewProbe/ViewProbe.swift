import BrowseKit
import SwiftUI

/// A view that uses the SDK and SwiftUI in ways that must not compile.
struct ViewProbe: View {
    @State private var model: FollowerListViewModel

    var body: some View {
        List {
            // A route isn't a view.
            model.select(GitHub.User.ID(rawValue: 1))
        }
        // Not a binding.
        .searchable(text: model.filter, prompt: "")
        .onSubmit {
            // Only intents change the state.
            model.state.filter = ""
        }
    }

    /// Views belong to the main actor, and so do their models.
    nonisolated func refresh() {
        model.dismissNotice()
    }
}
