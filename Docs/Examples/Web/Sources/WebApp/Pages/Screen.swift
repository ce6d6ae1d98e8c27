import BrowseKit

/// A screen of the site: how an address, a view model of the SDK, and a page belong together.
///
/// `ListScreen` and `DetailScreen` implement most of it.
protocol Screen: Sendable {
    /// The view model.
    associatedtype Model: ViewModel

    /// The path, with the names of its values, such as `/users/:login`.
    static var path: String { get }

    /// Reads what the screen shows from an address with this path; `nil` if it can't exist.
    init?(_ address: PageAddress)

    /// The address.
    var address: PageAddress { get }

    /// Creates the view model.
    @MainActor func makeModel(in container: Container) -> Model

    /// Loads what the address asks for.
    @MainActor func load(_ model: Model) async

    /// Describes a state as a page. It runs off the main actor.
    func content(of state: Model.State, in context: PageContext) -> PageContent

    /// Performs an action of the page.
    @MainActor func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome
}

/// An action of a page. Buttons send it as the field `do`: its name, its value, and its row.
struct PageAction: Sendable {
    /// The name, such as ``favorite``.
    var name: String
    /// The wanted value, such as `on` or `off` for a mark.
    ///
    /// So a button of an outdated page doesn't do the opposite.
    var value: String = ""
    /// The row's ``RowView/id``; empty for an action of the entire page.
    var row: String = ""
    /// All fields of the form.
    var fields: [String: String] = [:]

    /// Reads an action from the fields of a form.
    init(_ fields: [String: String]) {
        let words = (fields["do"] ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(
            String.init
        )
        name = words.first ?? ""
        value = words.count > 1 ? words[1] : ""
        row = words.count > 2 ? words[2] : ""
        self.fields = fields
    }

    /// Whether the mark is to be set.
    var isOn: Bool { value == "on" }

    static let language = "language"
    static let more = "more"
    static let retry = "retry"
    static let loadAll = "load-all"
    static let refresh = "refresh"
    static let dismiss = "dismiss"
    static let favorite = "favorite"
    static let star = "star"
    /// Changes the fields of the page's own form while a person types.
    static let input = "input"
}

/// The result of an action.
enum PageOutcome: Equatable, Sendable {
    /// The page shows the result.
    case stay
    /// The page leads to an address of this site or to a web page.
    case go(String)
}

/// The values that describing a page needs.
struct PageContext: Sendable {
    /// The strings in the page's language.
    let texts: Texts
    /// Returns the address under which this site serves an image.
    let image: @Sendable (ImageRequest) -> String
}
