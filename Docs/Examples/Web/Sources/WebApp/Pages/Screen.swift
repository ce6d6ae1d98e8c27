import BrowseKit
import WebSupport

/// A screen of the site: how an address, a view model of the SDK, and a page belong together.
///
/// ``ListScreen`` and ``DetailScreen`` implement most of it.
protocol Screen: Sendable {
    /// The view model.
    associatedtype Model: ViewModel

    /// The address, whose path is that of a route, or a name in ``Screens``.
    var address: PageAddress { get }

    /// Creates the view model.
    @MainActor func makeModel(in context: PageContext) -> Model

    /// Loads what the address asks for.
    @MainActor func load(_ model: Model, in context: PageContext) async

    /// Describes a state as a page. It runs off the main actor.
    func content(of state: Model.State, in context: PageContext) -> PageContent

    /// Performs an action of the page.
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

/// The result of an action.
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
    /// The address of the page.
    let address: PageAddress
    /// What belongs to the visitor.
    let session: VisitorSession
    /// The visitor's container in the page's language.
    let container: Container
    /// The strings in the page's language.
    let texts: Texts
    /// Returns this site's address for an image; `nil` for hosts whose images it doesn't serve.
    let image: @Sendable (ImageRequest) -> String?

    /// A link to the start.
    var homeLink: HTML { Link(PageAddress()).html(texts(.home)) }
}
