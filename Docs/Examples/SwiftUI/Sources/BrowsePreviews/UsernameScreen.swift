import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import SwiftUI

/// A field for a username; the page "Build a SwiftUI app" shows it.
struct UsernameScreen: View {
    @State private var model: FollowerSearchViewModel
    @Environment(\.openBrowseRoute) private var openRoute

    init(container: Container) {
        _model = State(initialValue: container.followerSearchViewModel())
    }

    var body: some View {
        Form {
            TextField("octocat", text: $model.query).browseExactInput()
                .onSubmit { openRoute(model.submit()) }
            if let hint = model.state.hint { Text(hint).foregroundStyle(.red) }
        }
    }
}

#Preview("Username") {
    BrowseStack {
        UsernameScreen(container: .offline())
    } screen: { _ in
    }
}
