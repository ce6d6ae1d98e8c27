import BrowseDomain
import Foundation

/// The localized details of an episode or a location, which also have the properties of its row.
@dynamicMemberLookup
public struct RickAndMortyDetails<Row: ListRow>: Equatable, Sendable {
    /// The row.
    public let row: Row
    /// The day on which the API added the episode or location.
    public let created: String
    /// The number of characters or residents.
    public let relatedCount: String

    init(_ row: Row, created: Date?, relatedCount: Int, texts: Texts) {
        self.row = row
        self.created = texts.created(created)
        self.relatedCount = texts(.count(relatedCount))
    }

    /// A property of the row.
    public subscript<Value>(dynamicMember property: KeyPath<Row, Value>) -> Value { row[keyPath: property] }
}

/// A screen with the details of a character, an episode, or a location, and a list of related items.
///
/// Use its type aliases ``CharacterDetailViewModel``, ``EpisodeDetailViewModel``, and ``LocationDetailViewModel``.
@MainActor
public final class RickAndMortyDetailViewModel<
    Entity: Identifiable & Equatable & Sendable,
    Details: Equatable & Sendable,
    Row: ListRow
>: DetailViewModel where Entity.ID: Sendable {
    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The id of the entity; `nil` before `show(_:)`.
        public var id: Entity.ID?
        /// The details and their status.
        public var content: DetailState<Details> = DetailState()
        /// Whether the entity is a favorite; only characters can be.
        public var isFavorite: Bool = false
        /// The episodes of a character, or the characters of an episode or a location, in order.
        public var related: ListState<Row> = ListState()
        /// A message beside the details, such as that a favorite couldn't be stored.
        public var notice: Message?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the entity.
    public var detail: DetailControls { page.controls }
    /// The intents of the related rows.
    public var related: ListControls<Row> { rows.controls }

    let page: DetailController<Entity, Details>
    let rows: ListController<Row>
    let store = StateStore(State())
    private let fetch: @Sendable (Entity.ID) async throws(BrowseError) -> Entity

    init<Item: Sendable>(
        _ options: ScreenOptions,
        empty: Phrase,
        fetch: @escaping @Sendable (Entity.ID) async throws(BrowseError) -> Entity,
        details: @escaping @MainActor (Entity, Texts) -> Details,
        related: @escaping @Sendable (Entity) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item, Texts) -> Row
    ) {
        let options = options.about(.rickAndMorty)
        let texts = options.texts
        self.fetch = fetch
        page = DetailController(in: store, at: \.content, notice: \.notice, options: options) { details($0, texts) }
        rows = ListController(in: store, at: \.related, notice: \.notice, options: options)
        page.relate(rows, empty: texts.noRows(empty), page: related) { row($0, texts) }
    }

    /// Shows an entity, then loads its related items with one request.
    public func show(_ id: Entity.ID) async {
        let load = store.update { state in
            state = State()
            state.id = id
            return page.begin { [fetch] () throws(BrowseError) in try await fetch(id) }
        }
        await load()
    }

    /// Shows an entity; if it's shown already, only retries a failed or canceled load.
    ///
    /// Call it whenever the screen appears.
    public func showIfNeeded(_ id: Entity.ID) async {
        if state.id == id { await retry() } else { await show(id) }
    }
}
