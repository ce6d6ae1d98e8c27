import BrowseKit

/// A screen of the site: how an address, a view model of the SDK, and a page belong together.
///
/// ``ListScreen`` and ``DetailScreen`` implement most of it.
protocol Screen: Sendable {
    associatedtype Model: ViewModel

    /// The address, whose path is that of a route, or a name in ``Screens``.
    var address: PageAddress { get }

    @MainActor func makeModel(in context: PageContext) -> Model

    /// Loads what the address asks for.
    @MainActor func load(_ model: Model, in context: PageContext) async

    /// Describes a state as a page. It runs off the main actor.
    func content(of state: Model.State, in context: PageContext) -> PageContent

    @MainActor func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome

    /// Performs an action that only this screen has; the default returns `nil` for all.
    @MainActor func performOwn(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome?

    /// Returns the number of rows that are loaded; the default is 0.
    @MainActor func loadedCount(_ model: Model) -> Int
}

extension Screen {
    @MainActor
    func performOwn(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome? { nil }

    @MainActor
    func loadedCount(_ model: Model) -> Int { 0 }
}

enum PageOutcome: Equatable, Sendable {
    /// The page shows the result.
    case stay
    /// The page leads to an address of this site or to a web page.
    case go(String)
    /// The page doesn't have the row of the action.
    case missing

    /// Follows a route of a view model; stays if there is none that this site can show.
    init(_ route: Route?) { self = Link(route).map { .go($0.address) } ?? .stay }
}

/// The values that a page needs besides its state.
struct PageContext: Sendable {
    /// The address of what the page shows, which actions change.
    let shown: Shared<PageAddress>
    let session: VisitorSession
    /// The visitor's container in the page's language.
    let container: Container
    /// Whether the visitor has a token, with which GitHub accepts more requests.
    let hasToken: Bool
    let texts: Texts
    /// The address of the project on the web; `nil` if it has none.
    let project: String?
    /// The outcome of what the visitor did before signing in, until it's dismissed.
    let arrival: Shared<String?>
    /// Returns this site's address for an image; `nil` for hosts whose images it doesn't serve.
    let image: @Sendable (ImageRequest) -> String?

    var address: PageAddress { shown.value }

    /// The link that signs in and comes back to this page.
    var signInAddress: PageAddress { PageAddress(path: "sign-in", query: ["from": address.text]) }

    var homeHelp: HTML? { WebApp.homeHelp(texts) }
}

/// The screens of the site, by their addresses.
enum Screens {
    /// The screens that no route leads to, by the only segment of their paths.
    private static let named: [String: @Sendable (PageAddress) -> any Screen] = [
        // Without a token, GitHub accepts 10 searches a minute, so a person who types slowly makes one.
        "users": {
            SearchScreen(address: $0, pause: 700, examples: ["octocat", "mojombo"]) { $0.userSearchViewModel() }
        },
        "repos": { SearchScreen(address: $0, pause: 700, examples: ["hello", "kernel"]) { $0.repoSearchViewModel() } },
        "favorites": {
            SearchScreen(address: $0, headings: \.headings, favorite: \.favorite) { $0.favoriteListViewModel() }
        },
        "characters": { SearchScreen(address: $0, style: .grid) { $0.characterListViewModel() } },
        "episodes": { SearchScreen(address: $0) { $0.episodeListViewModel() } },
        "locations": { SearchScreen(address: $0) { $0.locationListViewModel() } },
        // The App Store accepts about 20 requests a minute.
        "apps": { SearchScreen(address: $0, isLive: false, examples: ["tea", "notes"]) { $0.appSearchViewModel() } },
        "account": { AccountScreen(address: $0) },
    ]

    static func screen(at address: PageAddress) -> (any Screen)? {
        if address.path.isEmpty { return HomeScreen(address: address) }
        if address.path.count == 1, let make = named[address.path[0]] { return make(address) }
        switch Route(path: address.withoutQuery.text, among: .all)?.screen {
        case .gitHub(.userProfile(let login)): return UserProfileScreen(address: address) { await $0.show(login) }
        case .gitHub(.account(let id, let label)):
            return UserProfileScreen(address: address) { await $0.show(id, label: label) }
        case .gitHub(.followList(let list)): return FollowListScreen(address: address, followList: list)
        case .gitHub(.repoList(let list)): return RepoListScreen(address: address, repoList: list)
        case .gitHub(.repo(let id, let label)):
            return RepoDetailScreen(address: address) { await $0.show(id, label: label) }
        case .gitHub(.repoNamed(let name, let owner)):
            return RepoDetailScreen(address: address) { await $0.show(named: name, of: owner) }
        case .rickAndMorty(.character(let id)):
            return RickAndMortyScreen(address: address, id: id, header: characterHeader) {
                $0.characterDetailViewModel()
            }
        case .rickAndMorty(.episode(let id)):
            return RickAndMortyScreen(address: address, id: id) { $0.episodeDetailViewModel() }
        case .rickAndMorty(.location(let id)):
            return RickAndMortyScreen(address: address, id: id) { $0.locationDetailViewModel() }
        case .appStore(.app(let id, _)): return AppScreen(address: address, id: id)
        case .appStore(.screenshotGallery(let id, let position, _)):
            return ScreenshotScreen(address: address, id: id, position: position)
        case .signIn: return SignInScreen(address: address)
        case .webPage, .other, nil: return nil
        }
    }
}
