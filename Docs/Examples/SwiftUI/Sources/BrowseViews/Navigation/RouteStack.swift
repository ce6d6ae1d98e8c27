package import BrowseKit
package import SwiftUI

/// A navigation stack whose destinations are routes.
package struct RouteStack<Root: View>: View {
    private let container: Container
    private let root: Root
    @State private var path: [Route] = []
    @State private var isSigningIn = false
    @Environment(\.openURL) private var openURL

    package init(container: Container, @ViewBuilder root: () -> Root) {
        self.container = container
        self.root = root()
    }

    package var body: some View {
        NavigationStack(path: $path) {
            root.navigationDestination(for: Route.self) { route in
                DestinationView(route: route, container: container)
            }
        }
        .environment(\.openRoute, OpenRouteAction(open))
        .sheet(isPresented: $isSigningIn) {
            SignInView(container: container).presentationSizing(.form)
        }
    }

    private func open(_ route: Route) {
        switch route {
        case .signIn: isSigningIn = true
        case .webPage(let page): if let url = page.url { openURL(url) }
        default: path.append(route)
        }
    }
}

/// The screen of a route.
package struct DestinationView: View {
    private let route: Route
    private let container: Container

    package init(route: Route, container: Container) {
        self.route = route
        self.container = container
    }

    package var body: some View {
        switch route {
        case .followList(let list): FollowerListView(list: list, container: container)
        case .userProfile(let login): UserProfileView(login: login, container: container)
        case .repoList(let list): RepoListView(list: list, container: container)
        case .character(let id): CharacterDetailView(id: id, container: container)
        case .episode(let id): EpisodeDetailView(id: id, container: container)
        case .location(let id): LocationDetailView(id: id, container: container)
        case .app(let app): AppDetailView(app: app, container: container)
        case .screenshotGallery(let gallery): ScreenshotGalleryView(gallery: gallery, container: container)
        // RouteStack opens the first two in other ways; a service of your own has its screens here.
        case .signIn, .webPage, .other: EmptyView()
        }
    }
}
