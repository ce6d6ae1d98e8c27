public import BrowseAppStoreDomain
public import BrowseAppStorePresentation
public import BrowseDomain
public import BrowseGitHubDomain
public import BrowseGitHubPresentation
public import BrowsePresentation
public import BrowseRickAndMortyDomain
public import BrowseRickAndMortyPresentation

/// The screen of a route, over which a front end of all services can switch exhaustively.
public enum ServiceScreen: Hashable, Sendable {
    /// A screen of GitHub.
    case gitHub(GitHub.Screen)
    /// A screen of the Rick and Morty API.
    case rickAndMorty(RickAndMorty.Screen)
    /// A screen of the App Store.
    case appStore(AppStore.Screen)
    /// Signing in: `SignInViewModel`.
    case signIn
    /// A web page, outside of the app.
    case webPage(WebAddress)
    /// A screen of another service.
    case other(Route.Destination)
}

extension Route {
    /// The screen, by service.
    public var screen: ServiceScreen {
        switch self {
        case .signIn: .signIn
        case .webPage(let page): .webPage(page)
        case .other(let destination):
            destination.value(as: GitHub.Screen.self).map(ServiceScreen.gitHub)
                ?? destination.value(as: RickAndMorty.Screen.self).map(ServiceScreen.rickAndMorty)
                ?? destination.value(as: AppStore.Screen.self).map(ServiceScreen.appStore) ?? .other(destination)
        }
    }
}

extension [any RouteDestination.Type] {
    /// The destinations of the SDK's services.
    ///
    /// ```swift
    /// let route = Route(path: url.path(), among: .all + [BookScreen.self])
    /// ```
    public static var all: Self { [GitHub.Screen.self, RickAndMorty.Screen.self, AppStore.Screen.self] }
}
