import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import SwiftUI

/// The smallest list that loads pages as its rows appear; the README shows it.
struct FollowersScreen: View {
    let container: Container
    @State private var model: FollowerListViewModel

    init(container: Container) {
        self.container = container
        _model = State(initialValue: container.followerListViewModel())
    }

    var body: some View {
        List {
            BrowseRows(model, container: container) { row in
                BrowseLink(row.route) { Text(row.login.rawValue) }
            }
        }
        .browseStatus(of: model, container: container)
        .task { await model.showIfNeeded(.followers(of: GitHub.Login("octocat"))) }
    }
}

#Preview("Smallest screen") {
    FollowersScreen(container: .offline())
}
