import BrowseKit
import BrowseMocks
import SwiftUI

/// The smallest list that loads pages as its rows appear; the README shows it.
struct FollowersScreen: View {
    let open: (Route) -> Void
    @State private var model: FollowerListViewModel

    init(container: Container, open: @escaping (Route) -> Void) {
        self.open = open
        _model = State(initialValue: container.followerListViewModel())
    }

    var body: some View {
        List {
            ForEach(model.state.content.rows) { row in
                Text(row.login.rawValue)
                    .task { await model.rowAppeared(row.id) }
            }
            if let message = model.state.content.status.message {
                Button(message.text) {
                    Task {
                        if let action = message.action, let route = await model.perform(action) { open(route) }
                    }
                }
            }
        }
        .refreshable { await Task { await model.refresh() }.value }
        .task { await model.showIfNeeded(.followers(of: GitHub.Login("octocat"))) }
    }
}

#Preview("Smallest screen") {
    FollowersScreen(container: .offline()) { _ in }
}
