public import BrowseKit
import Foundation
public import SwiftUI

/// A navigation stack whose destinations are routes.
public struct RouteStack<Root: View>: View {
    private let container: Container
    private let texts: Texts
    private let name: String?
    private let root: Root
    @State private var navigator = Navigator()
    @Environment(\.openURL) private var openURL

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - container: Creates the view models.
    ///   - name: Identifies the stack in its window, to restore its path; `nil` doesn't restore it.
    ///   - root: The first screen.
    public init(container: Container, restoredAs name: String? = nil, @ViewBuilder root: () -> Root) {
        self.container = container
        texts = container.texts()
        self.name = name
        self.root = root()
    }

    /// The stack.
    public var body: some View {
        NavigationStack(path: $navigator.path) {
            root.navigationDestination(for: Route.self) { route in
                DestinationView(route: route, container: container)
            }
        }
        .environment(\.openRoute, OpenRouteAction(navigator))
        .onChange(of: navigator.page) {
            guard let page = navigator.page else { return }
            openURL(page)
            navigator.page = nil
        }
        .sheet(isPresented: $navigator.isSigningIn) {
            SignInView(container: container).presentationSizing(.form)
        }
        .modifier(PathRestoration(of: navigator, as: name))
        // Last, so that the sheet has them too.
        .environment(\.texts, texts)
    }
}

/// Stores the path of a stack with its window.
private struct PathRestoration: ViewModifier {
    private let navigator: Navigator
    private let isEnabled: Bool
    @SceneStorage private var storedPath: String

    init(of navigator: Navigator, as name: String?) {
        self.navigator = navigator
        isEnabled = name != nil
        _storedPath = SceneStorage(wrappedValue: "", "path.\(name ?? "")")
    }

    func body(content: Content) -> some View {
        content
            .onAppear {
                if isEnabled { navigator.restore(storedPath) }
            }
            .onChange(of: navigator.path) {
                if isEnabled { storedPath = navigator.storedPath }
            }
    }
}

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
        switch route.screen {
        case .gitHub(.followList(let list)): FollowerListView(list: list, container: container)
        case .gitHub(.userProfile(let login)): UserProfileView(login: login, container: container)
        case .gitHub(.account(let id, let label)): UserProfileView(login: label, id: id, container: container)
        case .gitHub(.repoList(let list)): RepoListView(list: list, container: container)
        case .rickAndMorty(.character(let id)): CharacterDetailView(id: id, container: container)
        case .rickAndMorty(.episode(let id)): EpisodeDetailView(id: id, container: container)
        case .rickAndMorty(.location(let id)): LocationDetailView(id: id, container: container)
        case .appStore(.app(let id, let preview)): AppDetailView(id: id, preview: preview, container: container)
        case .appStore(.screenshotGallery(let id, let position, let preview)):
            ScreenshotGalleryView(id: id, position: position, preview: preview, container: container)
        // A navigator opens the first two in other ways; a service of your own has its screens here.
        case .signIn, .webPage, .other: EmptyView()
        }
    }
}
