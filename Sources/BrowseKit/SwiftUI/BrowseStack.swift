#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import BrowseCore
import Observation
public import SwiftUI

/// A navigation stack whose destinations are routes.
///
/// It pushes most routes, shows the sign-in in a sheet, and opens web pages in the browser. Screens
/// that asked for a sign-in load again when the sheet is closed.
public struct BrowseStack<Root: View, Screen: View>: View {
    private let name: String?
    private let types: [any RouteDestination.Type]
    private let root: Root
    private let screen: (Route) -> Screen
    @State private var navigator = Navigator()
    @SceneStorage private var storedPath: String
    @Environment(\.openURL) private var openURL

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - name: Identifies the stack in its window, to restore its path; `nil` doesn't restore it.
    ///   - types: The destinations that can be restored.
    ///   - root: The first screen.
    ///   - screen: Creates the screen of a route, and the sheet of `.signIn`.
    public init(
        restoredAs name: String? = nil,
        among types: [any RouteDestination.Type] = [],
        @ViewBuilder root: () -> Root,
        @ViewBuilder screen: @escaping (Route) -> Screen
    ) {
        self.name = name
        self.types = types
        self.root = root()
        self.screen = screen
        _storedPath = SceneStorage(wrappedValue: "", "path.\(name ?? "")")
    }

    /// The stack.
    public var body: some View {
        NavigationStack(path: $navigator.path) {
            // The identity of the route is that of its view model.
            root.navigationDestination(for: Route.self) { screen($0).id($0) }
        }
        .sheet(isPresented: $navigator.isSigningIn) {
            navigator.signInCount += 1
        } content: {
            screen(.signIn).presentationSizing(.form)
        }
        // Around the sheet, which has the environment of the view that presents it.
        .environment(\.openBrowseRoute, OpenBrowseRouteAction(of: navigator) { open($0) })
        .environment(\.signInCount, navigator.signInCount)
        .onAppear {
            // Paths contain no spaces. Ignores those that this version of the app doesn't know.
            guard name != nil, navigator.path.isEmpty else { return }
            navigator.path = storedPath.split(separator: " ").compactMap { Route(path: String($0), among: types) }
        }
        .onChange(of: navigator.path) {
            if name != nil { storedPath = navigator.path.compactMap(\.path).joined(separator: " ") }
        }
    }

    private func open(_ route: Route) {
        switch route {
        case .signIn: navigator.isSigningIn = true
        case .webPage(let page):
            if let url = page.url { openURL(url) }
        // A double click, or a link that is opened again, shows the screen once.
        default: if navigator.path.last != route { navigator.path.append(route) }
        }
    }
}

/// The navigation of a stack.
@MainActor @Observable
private final class Navigator {
    var path: [Route] = []
    var isSigningIn = false
    /// The number of times the sheet has been closed.
    var signInCount = 0
}

/// Opens a route, such as one that an intent of a view model returns; `nil` opens nothing.
///
/// Read it from the environment, as you do `openURL`. A ``BrowseStack`` sets it; your own
/// navigation can, too, and then opens the screens of links.
public struct OpenBrowseRouteAction: Equatable, Sendable {
    private let owner: ObjectIdentifier?
    private let open: @MainActor @Sendable (Route) -> Void
    /// Whether screens are pushed by navigation links, rather than by an app's own action.
    let hasLinks: Bool

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - owner: Identifies the action. A closure is another one in each evaluation, and all
    ///     readers would be evaluated again.
    ///   - open: Opens a route, and retains the owner; `nil` opens none, and leaves screens to the
    ///     navigation stack around them.
    public init(of owner: AnyObject? = nil, open: (@MainActor @Sendable (Route) -> Void)? = nil) {
        self.owner = owner.map(ObjectIdentifier.init)
        self.open = open ?? { _ in }
        hasLinks = open == nil || owner is Navigator
    }

    /// Opens a route.
    @MainActor
    public func callAsFunction(_ route: Route?) {
        if let route { open(route) }
    }

    /// Returns whether two actions have the same owner; those without one are never equal.
    public static func == (left: OpenBrowseRouteAction, right: OpenBrowseRouteAction) -> Bool {
        left.owner != nil && left.owner == right.owner
    }
}

extension EnvironmentValues {
    /// Opens a route in the navigation of the view.
    @Entry public var openBrowseRoute: OpenBrowseRouteAction = OpenBrowseRouteAction()
    /// Whether lists and searches show a spinner in place of rows that load; `true` by default.
    ///
    /// Set it to `false` around a list that has placeholders for these rows.
    @Entry public var browseShowsSpinner: Bool = true
    /// The number of times a person has loaded the screen again.
    ///
    /// A refresh whose rows are equal changes nothing else that their failed images could notice.
    @Entry var refreshCount: Int = 0
    /// The number of times the sign-in of the stack has been closed.
    @Entry var signInCount: Int = 0
}
#endif
