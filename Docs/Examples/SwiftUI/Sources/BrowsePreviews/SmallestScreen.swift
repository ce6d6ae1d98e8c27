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

// The smallest app with a list and a detail; the page "Build a SwiftUI app" shows it.

struct SmallestApp: App {
    private let container = Container()

    var body: some Scene {
        WindowGroup {
            BrowseStack {
                FollowersScreen(container: container)
            } screen: { route in
                if case .gitHub(.account(let id, let login)) = route.screen {
                    ProfileScreen(id: id, login: login, container: container)
                }
            }
        }
    }
}

struct ProfileScreen: View {
    let id: GitHub.User.ID
    let login: GitHub.Login?
    let container: Container

    var body: some View {
        BrowseDetail(container.userProfileViewModel(), container: container) {
            await $0.showIfNeeded(id, label: login)
        } sections: { _, details in
            BrowseFacts(details.facts)
        } actions: { model in
            Button(container.texts()(model.state.isFavorite ? .removeFavorite : .addFavorite)) {
                Task { await model.toggleFavorite() }
            }
        }
    }
}

/// The list with placeholders while its first rows load; the page "Build a SwiftUI app" shows it.
struct FollowersWithPlaceholders: View {
    let model: FollowerListViewModel
    let container: Container

    var body: some View {
        List {
            if model.state.content.layout.placeholder == .spinner {
                ForEach(0..<12, id: \.self) { _ in
                    Text("octocat").redacted(reason: .placeholder).accessibilityHidden(true)
                }
            }
            BrowseRows(model, container: container) { row in
                TitleRow(row: row, title: row.login.rawValue, image: row.avatar, list: model, container: container)
            }
        }
        .browseStatus(of: model, container: container)
        .environment(\.browseShowsSpinner, false)
    }
}

#Preview("Smallest screen") {
    FollowersScreen(container: .offline())
}
