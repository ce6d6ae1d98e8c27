public import BrowseCoreMocks
public import BrowseDomain
public import BrowseRickAndMortyDomain

/// A character repository whose results a test sets as closures.
public typealias CharacterRepositoryDouble = RickAndMortyDouble<RickAndMorty.Character>
/// An episode repository whose results a test sets as closures.
public typealias EpisodeRepositoryDouble = RickAndMortyDouble<RickAndMorty.Episode>
/// A location repository whose results a test sets as closures.
public typealias LocationRepositoryDouble = RickAndMortyDouble<RickAndMorty.Location>

/// A Rick and Morty repository whose results a test sets as closures; see `RepositoryDouble`.
public struct RickAndMortyDouble<Entity: RickAndMorty.Entity>: RickAndMorty.Repository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// `page(of:at:)`.
        case page(of: Entity.Filter, at: PageCursor?)
        /// `entity(_:)`.
        case entity(Entity.ID)
        /// `entities(_:)`.
        case entities([Entity.ID])
    }

    /// The name of the type alias, such as `CharacterRepositoryDouble`.
    public static var reportedName: String { "\(Entity.self)RepositoryDouble" }

    /// Performs `page(of:at:)`.
    public var onPage: @Sendable (Entity.Filter, PageCursor?) async throws(BrowseError) -> Page<Entity>
    /// Performs `entity(_:)`.
    public var onEntity: @Sendable (Entity.ID) async throws(BrowseError) -> Entity
    /// Performs `entities(_:)`.
    public var onEntities: @Sendable ([Entity.ID]) async throws(BrowseError) -> Page<Entity>

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onPage = { _, _ throws(BrowseError) in throw await error("onPage", 2) }
        onEntity = { _ throws(BrowseError) in throw await error("onEntity", 1) }
        onEntities = { _ throws(BrowseError) in throw await error("onEntities", 1) }
    }

    /// Creates a double; closures that are `nil` aren't set.
    public init(
        onPage: (@Sendable (Entity.Filter, PageCursor?) async throws(BrowseError) -> Page<Entity>)? = nil,
        onEntity: (@Sendable (Entity.ID) async throws(BrowseError) -> Entity)? = nil,
        onEntities: (@Sendable ([Entity.ID]) async throws(BrowseError) -> Page<Entity>)? = nil
    ) {
        self.init(throwing: Self.notSet)
        if let onPage { self.onPage = onPage }
        if let onEntity { self.onEntity = onEntity }
        if let onEntities { self.onEntities = onEntities }
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// A read of one item returns the first item of the response, or throws `.notFound`.
    public static func controlled(by responses: ControlledResponses<Request, Page<Entity>>) -> Self {
        Self(
            onPage: { filter, cursor throws(BrowseError) in
                try await responses.response(to: .page(of: filter, at: cursor))
            },
            onEntity: { id throws(BrowseError) in
                try await responses.response(to: .entity(id)).first(for: reportedName)
            },
            onEntities: { ids throws(BrowseError) in try await responses.response(to: .entities(ids)) }
        )
    }

    /// Creates a double that forwards calls.
    public init(over repository: any RickAndMorty.Repository<Entity>) {
        self.init(
            onPage: { filter, cursor throws(BrowseError) in try await repository.page(of: filter, at: cursor) },
            onEntity: { id throws(BrowseError) in try await repository.entity(id) },
            onEntities: { ids throws(BrowseError) in try await repository.entities(ids) }
        )
    }

    /// Calls ``onPage``.
    public func page(of filter: Entity.Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Entity> {
        try await onPage(filter, cursor)
    }

    /// Calls ``onEntity``.
    public func entity(_ id: Entity.ID) async throws(BrowseError) -> Entity {
        try await onEntity(id)
    }

    /// Calls ``onEntities``.
    public func entities(_ ids: [Entity.ID]) async throws(BrowseError) -> Page<Entity> {
        try await onEntities(ids)
    }
}
