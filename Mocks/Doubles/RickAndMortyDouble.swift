public import BrowseDomain

/// A character repository whose results a test sets as closures.
public typealias CharacterRepositoryDouble = RickAndMortyDouble<RickAndMorty.CharacterFilter, RickAndMorty.Character>
/// An episode repository whose results a test sets as closures.
public typealias EpisodeRepositoryDouble = RickAndMortyDouble<RickAndMorty.EpisodeFilter, RickAndMorty.Episode>
/// A location repository whose results a test sets as closures.
public typealias LocationRepositoryDouble = RickAndMortyDouble<RickAndMorty.LocationFilter, RickAndMorty.Location>

/// A Rick and Morty repository whose results a test sets as closures; see ``RepositoryDouble``.
public struct RickAndMortyDouble<Filter: Hashable & Sendable, Entity: Identifiable & Sendable>: RepositoryDouble
where Entity.ID: Sendable {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A page of a list.
        case page(of: Filter, at: PageCursor?)
        /// A call for one item.
        case one(Entity.ID)
        /// A call for several items.
        case several([Entity.ID])
    }

    /// The name of the type alias, such as `CharacterRepositoryDouble`.
    public static var reportedName: String { "\(Entity.self)RepositoryDouble" }

    /// Performs `page(of:at:)`.
    public var onPage: @Sendable (Filter, PageCursor?) async throws(BrowseError) -> Page<Entity>
    /// Performs the call for one item.
    public var onOne: @Sendable (Entity.ID) async throws(BrowseError) -> Entity
    /// Performs the call for several items.
    public var onSeveral: @Sendable ([Entity.ID]) async throws(BrowseError) -> Page<Entity>

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onPage = { _, _ throws(BrowseError) in throw await error("onPage", 2) }
        onOne = { _ throws(BrowseError) in throw await error("onOne", 1) }
        onSeveral = { _ throws(BrowseError) in throw await error("onSeveral", 1) }
    }

    /// Creates a double; closures that are `nil` aren't set.
    public init(
        onPage: (@Sendable (Filter, PageCursor?) async throws(BrowseError) -> Page<Entity>)? = nil,
        onOne: (@Sendable (Entity.ID) async throws(BrowseError) -> Entity)? = nil,
        onSeveral: (@Sendable ([Entity.ID]) async throws(BrowseError) -> Page<Entity>)? = nil
    ) {
        self.init(throwing: Self.notSet)
        if let onPage { self.onPage = onPage }
        if let onOne { self.onOne = onOne }
        if let onSeveral { self.onSeveral = onSeveral }
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// A read of one item returns the first item of the response, or throws `.notFound`.
    public static func controlled(by responses: ControlledResponses<Request, Page<Entity>>) -> Self {
        Self(
            onPage: { filter, cursor throws(BrowseError) in
                try await responses.response(to: .page(of: filter, at: cursor))
            },
            onOne: { id throws(BrowseError) in
                try await responses.response(to: .one(id)).first(for: reportedName)
            },
            onSeveral: { ids throws(BrowseError) in try await responses.response(to: .several(ids)) }
        )
    }

    /// Calls ``onPage``.
    public func page(of filter: Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Entity> {
        try await onPage(filter, cursor)
    }
}

extension RickAndMortyDouble: RickAndMorty.CharacterRepository
where Filter == RickAndMorty.CharacterFilter, Entity == RickAndMorty.Character {
    /// Creates a double that forwards calls.
    public init(over repository: any RickAndMorty.CharacterRepository) {
        self.init(
            onPage: { filter, cursor throws(BrowseError) in try await repository.page(of: filter, at: cursor) },
            onOne: { id throws(BrowseError) in try await repository.character(id) },
            onSeveral: { ids throws(BrowseError) in try await repository.characters(ids) }
        )
    }

    /// Calls ``onOne``.
    public func character(_ id: RickAndMorty.Character.ID) async throws(BrowseError) -> RickAndMorty.Character {
        try await onOne(id)
    }

    /// Calls ``onSeveral``.
    public func characters(
        _ ids: [RickAndMorty.Character.ID]
    ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
        try await onSeveral(ids)
    }
}

extension RickAndMortyDouble: RickAndMorty.EpisodeRepository
where Filter == RickAndMorty.EpisodeFilter, Entity == RickAndMorty.Episode {
    /// Creates a double that forwards calls.
    public init(over repository: any RickAndMorty.EpisodeRepository) {
        self.init(
            onPage: { filter, cursor throws(BrowseError) in try await repository.page(of: filter, at: cursor) },
            onOne: { id throws(BrowseError) in try await repository.episode(id) },
            onSeveral: { ids throws(BrowseError) in try await repository.episodes(ids) }
        )
    }

    /// Calls ``onOne``.
    public func episode(_ id: RickAndMorty.Episode.ID) async throws(BrowseError) -> RickAndMorty.Episode {
        try await onOne(id)
    }

    /// Calls ``onSeveral``.
    public func episodes(_ ids: [RickAndMorty.Episode.ID]) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        try await onSeveral(ids)
    }
}

extension RickAndMortyDouble: RickAndMorty.LocationRepository
where Filter == RickAndMorty.LocationFilter, Entity == RickAndMorty.Location {
    /// Creates a double that forwards calls.
    public init(over repository: any RickAndMorty.LocationRepository) {
        self.init(
            onPage: { filter, cursor throws(BrowseError) in try await repository.page(of: filter, at: cursor) },
            onOne: { id throws(BrowseError) in try await repository.location(id) },
            onSeveral: { ids throws(BrowseError) in try await repository.locations(ids) }
        )
    }

    /// Calls ``onOne``.
    public func location(_ id: RickAndMorty.Location.ID) async throws(BrowseError) -> RickAndMorty.Location {
        try await onOne(id)
    }

    /// Calls ``onSeveral``.
    public func locations(_ ids: [RickAndMorty.Location.ID]) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        try await onSeveral(ids)
    }
}
