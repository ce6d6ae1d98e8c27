public import BrowseKit
public import BrowseSwiftUI
public import SwiftUI

/// The screen of a route.
public struct DestinationView: View {
    private let route: Route
    private let container: Container

    /// Creates the screen of a route.
    public init(route: Route, container: Container) {
        self.route = route
        self.container = container
    }

    /// The screen.
    public var body: some View {
        screen.environment(\.texts, container.texts())
    }

    @ViewBuilder private var screen: some View {
        switch route.screen {
        case .gitHub(.followList(let list)): FollowerListView(list: list, container: container)
        case .gitHub(.userProfile(let login)): UserProfileView(login: login, container: container)
        case .gitHub(.account(let id, let label)): UserProfileView(login: label, id: id, container: container)
        case .gitHub(.repoList(let list)): RepoListView(list: list, container: container)
        case .gitHub(.repo(let id, let label)):
            RepoDetailView(container: container) { await $0.showIfNeeded(id, label: label) }
        case .gitHub(.repoNamed(let name, let owner)):
            RepoDetailView(container: container) { await $0.showIfNeeded(named: name, of: owner) }
        case .rickAndMorty(.character(let id)): CharacterDetailView(id: id, container: container)
        case .rickAndMorty(.episode(let id)): EpisodeDetailView(id: id, container: container)
        case .rickAndMorty(.location(let id)): LocationDetailView(id: id, container: container)
        case .appStore(.app(let id, let preview)): AppDetailView(id: id, preview: preview, container: container)
        case .appStore(.screenshotGallery(let id, let position, let preview)):
            ScreenshotGalleryView(id: id, position: position, preview: preview, container: container)
        case .signIn: SignInView(container: container)
        // The stack opens web pages in the browser; a service of your own has its screens here.
        case .webPage, .other: EmptyView()
        }
    }
}

extension BrowseStack where Screen == DestinationView {
    /// Creates a stack with the screens of this app.
    public init(container: Container, restoredAs name: String? = nil, @ViewBuilder root: () -> Root) {
        self.init(restoredAs: name, among: .all, root: root) {
            DestinationView(route: $0, container: container)
        }
    }
}
