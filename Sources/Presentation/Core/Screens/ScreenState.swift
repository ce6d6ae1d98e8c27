public import BrowseDomain

/// The state of a screen that shows a list.
public protocol ListScreenState<Row>: Equatable, Sendable {
    /// The type of the rows.
    associatedtype Row: ListRow

    /// The localized title of the screen; empty until it's known.
    var title: String { get }
    /// The rows and the status of the list.
    var content: ListState<Row> { get }
    /// A message beside the list, such as that a favorite couldn't be stored.
    var notice: Message? { get }
}

/// The state of a screen that shows one entity.
public protocol DetailScreenState<Details>: Equatable, Sendable {
    /// The type of the details.
    associatedtype Details: EntityDetails

    /// The localized title of the screen; empty until it's known.
    var title: String { get }
    /// The details and their status.
    var content: DetailState<Details> { get }
    /// A message beside the details, such as that a favorite couldn't be stored.
    var notice: Message? { get }
}

extension DetailScreenState {
    /// Whether the entity is a favorite, or is being added; `false` if it can't be one.
    public var isFavorite: Bool { content.isFavorite ?? false }
}

/// The state of a screen that shows the results of a query.
public protocol SearchScreenState<Row>: ListScreenState {
    /// The type of the query.
    associatedtype Query: Hashable & Sendable

    /// The query, as the person typed it.
    var query: Query { get }
    /// The fields of the query, in display order.
    var fields: [QueryField<Query>] { get }
    /// The reason why the text can't be searched for; `nil` if it can be, or if there is none.
    var hint: String? { get }
    /// The localized number of results; `nil` if it isn't known.
    var summary: String? { get }
    /// Whether a search begins after the pause.
    var isWaiting: Bool { get }
}

extension SearchScreenState {
    /// The default, `nil`: any text can be searched for.
    public var hint: String? { nil }
    /// The default, `nil`: the number of results isn't known.
    public var summary: String? { nil }
    /// The default, `false`: searches don't wait for a pause.
    public var isWaiting: Bool { false }
}

/// The options that view models share.
public struct ScreenOptions: Sendable {
    /// The texts and formats, in the person's language.
    public var texts: Texts
    /// When cached data may be shown.
    public var policy: LoadPolicy = .fresh
    /// The distance from the end at which a visible row loads the next page, in rows; 0 or more.
    public var prefetchDistance: Int = 10
    /// The maximum number of pages in flight when all pages of a list are loaded, 1 to 100.
    public var pageConcurrency: Int = 4
    /// Measures the pause after which typed text is searched for.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates options, and sets their other values with a closure.
    public init(texts: Texts, _ fill: (inout Self) -> Void = { _ in }) {
        self.texts = texts
        fill(&self)
    }

    /// Returns the same options, for a screen on which the person typed what is requested.
    ///
    /// Messages about it then ask the person to check the input; on other screens, there is nothing
    /// to change.
    public func withInput() -> ScreenOptions { modified(self) { $0.texts = texts.withInput() } }

    /// Returns the same options, with messages that name a service.
    public func about(_ service: Texts.Service) -> ScreenOptions { modified(self) { $0.texts = texts.about(service) } }

    /// The same options for a list that is stored on the device.
    public var uncached: ScreenOptions { modified(self) { $0.policy = .fresh } }
}
