public import BrowseDomain

/// Characters whose repository's answers a test writes as closures; see ``RickAndMortyDouble``.
public typealias CharacterRepositoryDouble = RickAndMortyDouble<RickAndMorty.CharacterFilter, RickAndMorty.Character>
/// Episodes whose repository's answers a test writes as closures; see ``RickAndMortyDouble``.
public typealias EpisodeRepositoryDouble = RickAndMortyDouble<RickAndMorty.EpisodeFilter, RickAndMorty.Episode>
/// Locations whose repository's answers a test writes as closures; see ``RickAndMortyDouble``.
public typealias LocationRepositoryDouble = RickAndMortyDouble<RickAndMorty.LocationFilter, RickAndMorty.Location>

/// A repository of one of the Rick and Morty API's kinds, whose answers a test writes as closures.
///
/// Use ``InMemoryCharacterRepository`` and its like when the rows are what matters; use this one to fail, to come late, or
/// to look at what is asked for. A closure that was not set throws an error that says which one to set.
public struct RickAndMortyDouble<Filter: Hashable & Sendable, Entity: Identifiable & Sendable>: Sendable
where Entity.ID: Sendable {
    /// What was asked for.
    public enum Request: Hashable, Sendable {
        /// A page of a list.
        case page(of: Filter, at: PageCursor?)
        /// One thing.
        case one(Entity.ID)
        /// Several things.
        case several([Entity.ID])
    }

    /// Answers `page(of:at:)`.
    public var onPage: @Sendable (Filter, PageCursor?) async throws(BrowseError) -> Page<Entity>
    /// Answers the request for one thing.
    public var onOne: @Sendable (Entity.ID) async throws(BrowseError) -> Entity
    /// Answers the request for several things.
    public var onSeveral: @Sendable ([Entity.ID]) async throws(BrowseError) -> Page<Entity>

    /// Creates a double that throws until its closures are set.
    public init() {
        onPage = { _, _ throws(BrowseError) in throw .notSetUp("onPage", of: "RickAndMortyDouble") }
        onOne = { _ throws(BrowseError) in throw .notSetUp("onOne", of: "RickAndMortyDouble") }
        onSeveral = { _ throws(BrowseError) in throw .notSetUp("onSeveral", of: "RickAndMortyDouble") }
    }

    /// Answers every call with an error.
    public static func failing(with error: BrowseError) -> Self {
        var double = Self()
        double.onPage = { _, _ throws(BrowseError) in throw error }
        double.onOne = { _ throws(BrowseError) in throw error }
        double.onSeveral = { _ throws(BrowseError) in throw error }
        return double
    }

    /// Never answers; a call ends with `.cancelled` when its task is cancelled.
    public static var never: Self {
        var double = Self()
        double.onPage = { _, _ throws(BrowseError) in throw await .whenCancelled() }
        double.onOne = { _ throws(BrowseError) in throw await .whenCancelled() }
        double.onSeveral = { _ throws(BrowseError) in throw await .whenCancelled() }
        return double
    }

    /// Answers when the test lets the response go; one thing is answered by the first of a page.
    public static func held(_ responses: ControlledResponses<Request, Page<Entity>>) -> Self {
        var double = Self()
        double.onPage = { filter, cursor throws(BrowseError) in
            try await responses.response(to: .page(of: filter, at: cursor))
        }
        double.onOne = { id throws(BrowseError) in
            guard let entity = try await responses.response(to: .one(id)).items.first else {
                throw .notFound(BrowseError.RequestInfo(endpoint: "RickAndMortyDouble.held(_:)"))
            }
            return entity
        }
        double.onSeveral = { ids throws(BrowseError) in try await responses.response(to: .several(ids)) }
        return double
    }

    /// What ``onPage`` answers.
    public func page(of filter: Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Entity> {
        try await onPage(filter, cursor)
    }
}

extension RickAndMortyDouble: RickAndMorty.CharacterRepository
where Filter == RickAndMorty.CharacterFilter, Entity == RickAndMorty.Character {
    /// What ``onOne`` answers.
    public func character(_ id: RickAndMorty.Character.ID) async throws(BrowseError) -> RickAndMorty.Character {
        try await onOne(id)
    }

    /// What ``onSeveral`` answers.
    public func characters(
        _ ids: [RickAndMorty.Character.ID]
    ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
        try await onSeveral(ids)
    }
}

extension RickAndMortyDouble: RickAndMorty.EpisodeRepository
where Filter == RickAndMorty.EpisodeFilter, Entity == RickAndMorty.Episode {
    /// What ``onOne`` answers.
    public func episode(_ id: RickAndMorty.Episode.ID) async throws(BrowseError) -> RickAndMorty.Episode {
        try await onOne(id)
    }

    /// What ``onSeveral`` answers.
    public func episodes(_ ids: [RickAndMorty.Episode.ID]) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        try await onSeveral(ids)
    }
}

extension RickAndMortyDouble: RickAndMorty.LocationRepository
where Filter == RickAndMorty.LocationFilter, Entity == RickAndMorty.Location {
    /// What ``onOne`` answers.
    public func location(_ id: RickAndMorty.Location.ID) async throws(BrowseError) -> RickAndMorty.Location {
        try await onOne(id)
    }

    /// What ``onSeveral`` answers.
    public func locations(_ ids: [RickAndMorty.Location.ID]) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        try await onSeveral(ids)
    }
}
