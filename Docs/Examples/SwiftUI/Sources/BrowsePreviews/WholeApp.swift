import BrowseKit
import BrowseMocks
import BrowseScreens
import BrowseSwiftUI
import Foundation
import SwiftUI

// An app with tabs; the page "Build a SwiftUI app" shows it.

/// A stack with the screens of the app.
struct AppStack<Root: View>: View {
    let container: Container
    /// The name under which the stack is restored; `nil` doesn't restore it.
    var name: String?
    @ViewBuilder let root: Root

    var body: some View {
        BrowseStack(restoredAs: name, among: .all + [BookScreen.self]) {
            root
        } screen: { route in
            AppScreen(route: route, container: container)
        }
    }
}

/// The screen of a route.
struct AppScreen: View {
    let route: Route
    let container: Container

    var body: some View {
        switch route.screen {
        case .gitHub(.account(let id, let login)): ProfileScreen(id: id, login: login, container: container)
        case .gitHub(.repo(let id, let label)): RepoScreen(id: id, label: label, container: container)
        case .rickAndMorty(.episode(let id)): EpisodeScreen(id: id, container: container)
        case .signIn: SignInForm(container.gitHubSignInViewModel(), container: container)
        case .other(let destination):
            switch destination.value(as: BookScreen.self) {
            case .book(let id)?: BookView(id: id, container: container)
            case .subject(let subject)?: BookListView(subject: subject, container: container)
            case nil: EmptyView()
            }
        default: EmptyView()
        }
    }
}

/// Opens a link in the stack around a view, also if its tab appears only after the link came.
struct LinkOpener: ViewModifier {
    @Binding var link: Route?
    @Environment(\.openBrowseRoute) private var openRoute

    func body(content: Content) -> some View {
        content.task(id: link) {
            openRoute(link)
            link = nil
        }
    }
}

// Several sign-ins in one stack; the page "Sign in with SwiftUI" shows it.

/// An `AppStack` for screens of two services that have a sign-in.
struct StackOfServices<Root: View>: View {
    enum Service { case gitHub, letters }

    let container: Container
    /// The name under which the stack is restored; `nil` doesn't restore it.
    var name: String?
    /// The service of the root.
    let service: Service
    @ViewBuilder let root: Root
    /// The service of the screen that appeared last.
    @State private var current = Service.gitHub

    var body: some View {
        // Read here, because the sheet of the stack doesn't follow the state of this view.
        let asking = current
        BrowseStack(restoredAs: name, among: .all + [BookScreen.self, LetterScreen.self]) {
            // Also when a person goes back to it.
            root.onAppear { current = service }
        } screen: { route in
            let screen = AppScreen(route: route, container: container)
            switch route.screen {
            case .signIn where asking == .letters:
                SignInForm(container.lettersSignInViewModel(), container: container)
            case .other(let destination) where destination.value(as: LetterScreen.self) != nil:
                screen.onAppear { current = .letters }
            default:
                screen.onAppear { current = .gitHub }
            }
        }
    }
}

struct WholeApp: App {
    @State private var container = Container.app()
    @State private var number = 0

    var body: some Scene {
        WindowGroup { AppTabs(container: container, use: use).id(number) }
    }

    /// Replaces the container, and with it the view models and tasks of all screens.
    private func use(_ new: Container) {
        container = new
        number += 1
    }
}

nonisolated enum AppTab: String { case followers, favorites, settings }

struct AppTabs: View {
    let container: Container
    let use: @MainActor (Container) -> Void
    @SceneStorage("tab") private var tab: AppTab = .followers
    @State private var link: Route?
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
        let texts = container.texts()
        // A number in a stored path is that of another repository on another server.
        let server = container.configuration.gitHub.webURL.host() ?? ""
        TabView(selection: $tab) {
            Tab(texts(.followers), systemImage: "person.2", value: AppTab.followers) {
                AppStack(container: container, name: "\(server).followers") {
                    FollowersScreen(container: container).modifier(LinkOpener(link: $link))
                }
            }
            Tab(texts(FavoriteListViewModel.title), systemImage: "heart", value: AppTab.favorites) {
                AppStack(container: container, name: "\(server).favorites") { FavoritesScreen(container: container) }
            }
            Tab(texts(.settings), systemImage: "gear", value: AppTab.settings) {
                SettingsForm(container: container, use: use)
            }
        }
        .onOpenURL { url in
            link = Route(path: url.path(percentEncoded: true), among: .all + [BookScreen.self])
            if link != nil { tab = .followers }
        }
        .task { await container.gitHubSession().start() }
        .onChange(of: scenePhase) {
            // A widget can have changed the favorites meanwhile.
            if scenePhase == .active { Task { await container.appDidBecomeActive() } }
        }
    }
}

nonisolated extension Container {
    /// Creates the container of the app, and that of its widgets in another process.
    static func app(_ configuration: Configuration? = nil) -> Container {
        let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.browse")
        let server = UserDefaults.app.string(forKey: "server") ?? "https://github.com"
        let configuration = (configuration ?? Configuration(server: server) ?? Configuration()).with {
            // The numbers of favorites belong to a server.
            let host = $0.gitHub.webURL.host() ?? ""
            $0.storageFolder = (group ?? Configuration.defaultStorageFolder).appending(path: host)
        }
        return Container(configuration, services: .all + [BooksSettings.self])
    }
}

nonisolated extension Phrase {
    fileprivate static let followers = Phrase("app.followers", "Followers", ko: "팔로워")
    fileprivate static let settings = Phrase("app.settings", "Settings", ko: "설정")
}

// These stand in for a service of one's own, and for the form of BrowseScreens, which isn't public.

private typealias BooksSettings = AppStoreSettings

private nonisolated enum BookScreen: RouteDestination {
    case book(String)
    case subject(String)

    static let routeName = "open-library"

    var routePath: [String] {
        switch self {
        case .book(let id): ["books", id]
        case .subject(let subject): ["subjects", subject]
        }
    }

    init?(routePath path: [String]) {
        switch (path.first, path.last) {
        case ("books", let id?): self = .book(id)
        case ("subjects", let subject?): self = .subject(subject)
        default: return nil
        }
    }
}

private nonisolated enum LetterScreen: RouteDestination {
    case letter(String)

    static let routeName = "letters"

    var routePath: [String] {
        switch self {
        case .letter(let id): [id]
        }
    }

    init?(routePath path: [String]) {
        guard let id = path.first else { return nil }
        self = .letter(id)
    }
}

@MainActor
extension Container {
    /// Stands in for the one of Docs/Examples/Letters.
    fileprivate func lettersSignInViewModel() -> SignInViewModel<GitHub.User> { gitHubSignInViewModel() }
}

private struct BookView: View {
    let id: String
    let container: Container

    var body: some View { Text(id) }
}

private struct BookListView: View {
    let subject: String
    let container: Container

    var body: some View { Text(subject) }
}

private struct SignInForm<User: SessionUser>: View {
    private let container: Container

    init(_ model: SignInViewModel<User>, container: Container) { self.container = container }

    var body: some View { DestinationView(route: .signIn, container: container) }
}

#Preview("Two sign-ins") {
    let container = Container.offline()
    StackOfServices(container: container, service: .gitHub) { FollowersScreen(container: container) }
}

#Preview("Rate limited") {
    AppTabs(container: .offline(.rateLimited(until: .now + 60))) { _ in }
}
