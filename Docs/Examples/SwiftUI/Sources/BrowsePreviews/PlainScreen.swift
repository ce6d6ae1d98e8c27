import BrowseKit
import BrowseMocks
import SwiftUI

/// A list without BrowseSwiftUI; the page "Add a screen of your own" shows it.
struct PlainFollowersScreen: View {
    let container: Container
    let open: (Route) -> Void
    @State private var model: FollowerListViewModel

    init(container: Container, open: @escaping (Route) -> Void) {
        self.container = container
        self.open = open
        _model = State(initialValue: container.followerListViewModel())
    }

    var body: some View {
        let content = model.state.content
        List {
            if let notice = model.state.notice {
                view(of: notice)
                Button(container.texts()(.close)) { model.dismissNotice() }
            }
            if let message = content.layout.header { view(of: message) }
            if let age = content.age { Text(age).font(.footnote) }
            ForEach(content.rows) { row in
                Text(row.login.rawValue)
                    .task { await model.rowAppeared(row.id) }
            }
            switch content.layout.placeholder ?? content.layout.footer {
            case .spinner?: ProgressView()
            case .message(let message)?: view(of: message)
            case .more?: Button(container.texts()(.more)) { Task { await model.loadMore() } }
            case nil: EmptyView()
            }
        }
        .navigationTitle(model.state.title)
        .refreshable { await Task { await model.refresh() }.value }
        .task { await model.showIfNeeded(.followers(of: GitHub.Login("octocat"))) }
    }

    private func view(of message: Message) -> some View {
        VStack(alignment: .leading) {
            Text(message.title).font(.headline)
            Text(message.text)
            // `.changeInput` is for screens with fields.
            if let action = message.action, action != .changeInput, let title = message.actionTitle {
                Button(title) {
                    Task {
                        if let route = await model.perform(action) { open(route) }
                    }
                }
            }
        }
    }
}

#Preview("Screen without BrowseSwiftUI") {
    PlainFollowersScreen(container: .offline()) { _ in }
}
