import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The followers of an account, or those it follows.
struct FollowerListView: View {
    private let list: GitHub.FollowList
    private let container: Container
    @State private var model: FollowerListViewModel
    @Environment(\.texts) private var texts

    init(list: GitHub.FollowList, container: Container) {
        self.list = list
        self.container = container
        _model = State(initialValue: container.followerListViewModel())
    }

    var body: some View {
        List {
            BrowseRows(model, container: container) { row in
                FavoriteRowView(
                    row: row,
                    title: row.login.rawValue,
                    image: row.avatar,
                    list: model,
                    container: container
                )
            }
        }
        .browseStatus(of: model, container: container)
        .searchable(text: $model.filter, prompt: texts(.filter))
        .browseExactInput()
        .task(id: list) { await model.showIfNeeded(list) }
    }
}
