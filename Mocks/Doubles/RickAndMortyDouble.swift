public import BrowseDomain

/// A character repository whose results a test sets as closures.
public typealias CharacterRepositoryDouble = RickAndMortyDouble<RickAndMorty.CharacterFilter, RickAndMorty.Character>
/// An episode repository whose results a test sets as closures.
public typealias EpisodeRepositoryDouble = RickAndMortyDouble<RickAndMorty.EpisodeFilter, RickAndMorty.Episode>
/// A location repository whose results a test sets as closures.
public typealias LocationRepositoryDouble = RickAndMortyDouble<RickAndMorty.LocationFilter, RickAndMorty.Location>

/// A repository of one of the Rick and Morty API's kinds, whose results a test sets as closures.
///
/// Use it for failures, delays, and to inspect calls; for data, use ``InMemoryCharacterRepository`` and the like. If a
/// closure isn't set, its calls fail with a hint, and are issues in tests with the trait `.verifiesMocks`.
public struct RickAndMortyDouble<Filter: Hashable & Sendable, Entity: Identifiable & Sendable>: Sendable
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

    /// Performs `page(of:at:)`.
    public var onPage: @Sendable (Filter, PageCursor?) async throws(BrowseError) -> Page<Entity>
    /// Performs the call for one item.
    public var onOne: @Sendable (Entity.ID) async throws(BrowseError) -> Entity
    /// Performs the call for several items.
    public var onSeveral: @Sendable ([Entity.ID]) async throws(BrowseError) -> Page<Entity>

    /// Creates a double whose calls fail until its closures are set.
    public init() {
        onPage = { _, _ throws(BrowseError) in throw .notSetUp("onPage", of: "RickAndMortyDouble", parameters: 2) }
        onOne = { _ throws(BrowseError) in throw .notSetUp("onOne", of: "RickAndMortyDouble") }
        onSeveral = { _ throws(BrowseError) in throw .notSetUp("onSeveral", of: "RickAndMortyDouble") }
    }

    /// Returns a double whose calls fail.
    public static func failing(with error: BrowseError) -> Self {
        var double = Self()
        double.onPage = { _, _ throws(BrowseError) in throw error }
        double.onOne = { _ throws(BrowseError) in throw error }
        double.onSeveral = { _ throws(BrowseError) in throw error }
        return double
    }

    /// A double whose calls suspend until their task is canceled, and then throw `.cancelled`.
    public static var never: Self {
        var double = Self()
        double.onPage = { _, _ throws(BrowseError) in throw await .whenCancelled() }
        double.onOne = { _ throws(BrowseError) in throw await .whenCancelled() }
        double.onSeveral = { _ throws(BrowseError) in throw await .whenCancelled() }
        return double
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// A read of one item returns the first item of the response, or throws `.notFound`.
    public static func controlled(by responses: ControlledResponses<Request, Page<Entity>>) -> Self {
        var double = Self()
        double.onPage = { filter, cursor throws(BrowseError) in
            try await responses.response(to: .page(of: filter, at: cursor))
        }
        double.onOne = { id throws(BrowseError) in
            guard let entity = try await responses.response(to: .one(id)).items.first else {
                throw .notFound(BrowseError.RequestInfo(endpoint: "RickAndMortyDouble.controlled(by: _:)"))
            }
            return entity
        }
        double.onSeveral = { ids throws(BrowseError) in try await responses.response(to: .several(ids)) }
        return double
    }

    /// Calls ``onPage``.
    public func page(of filter: Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Entity> {
        try await onPage(filter, cursor)
    }
}

extension RickAndMortyDouble: RickAndMorty.CharacterRepository
where Filter == RickAndMorty.CharacterFilter, Entity == RickAndMorty.Character {
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
    /// Calls ``onOne``.
    public func location(_ id: RickAndMorty.Location.ID) async throws(BrowseError) -> RickAndMorty.Location {
        try await onOne(id)
    }

    /// Calls ``onSeveral``.
    public func locations(_ ids: [RickAndMorty.Location.ID]) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        try await onSeveral(ids)
    }
}
