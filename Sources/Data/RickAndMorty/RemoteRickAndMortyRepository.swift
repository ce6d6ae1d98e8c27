@_spi(Services) package import BrowseData
@_spi(Services) import BrowseDomain
package import BrowseRickAndMortyDomain
import Foundation

/// The API's three kinds of entities, which have the same endpoints.
enum RickAndMortyKind: String, Sendable {
    case character, episode, location

    /// `/character`.
    var list: EndpointPath { EndpointPath(stringLiteral: "/" + rawValue) }

    /// `/character/1`, or `/character/1,2,3`.
    func path(_ ids: [Int64]) -> EndpointPath {
        switch self {
        case .character: "/character/\(ids)"
        case .episode: "/episode/\(ids)"
        case .location: "/location/\(ids)"
        }
    }

    /// Parses the ID in a URL such as `https://rickandmortyapi.com/api/character/38`; `nil` for
    /// other text.
    func id<Entity>(in address: String) -> NumericID<Entity>? {
        guard let slash = address.utf8.lastIndex(of: UInt8(ascii: "/")), address[..<slash].hasSuffix("/\(rawValue)"),
            let id = Int64(address[address.utf8.index(after: slash)...]), id > 0
        else { return nil }
        return NumericID(rawValue: id)
    }
}

/// An entity in the API's format.
protocol RickAndMortyDTO: Decodable, Sendable {
    associatedtype Entity: RickAndMorty.Entity

    static var kind: RickAndMortyKind { get }
    var entity: Entity { get }

    /// Returns the query items of a filter; blank ones are omitted.
    static func query(_ filter: Entity.Filter) -> [(name: String, value: String?)]
}

extension RickAndMortyDTO {
    fileprivate static func items(_ filter: Entity.Filter) -> [Endpoint<Page<Entity>>.QueryItem] {
        query(filter).compactMap { item in
            let value = TypedText(item.value ?? "").withStraightQuotes
            return value.isEmpty ? nil : .init(item.name, value.text)
        }
    }
}

/// A repository of one kind of entities.
struct RemoteRickAndMortyRepository<DTO: RickAndMortyDTO>: RickAndMorty.Repository {
    let client: HTTPClient

    /// Returns one page of a list; a 404 without results is an empty page.
    ///
    /// The API writes the decoded query into the link to the next page, so only the link's page
    /// number is used.
    func page(of filter: DTO.Entity.Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<DTO.Entity> {
        do throws(BrowseError) {
            return try await client.send(.page(of: DTO.self, where: DTO.items(filter), at: cursor))
        } catch .notFound(let info) where RickAndMortyFailure.isEmptyList(info) {
            return Page(items: [])
        }
    }

    func entity(_ id: DTO.Entity.ID) async throws(BrowseError) -> DTO.Entity {
        try await client.send(.one(DTO.self, id.rawValue))
    }

    /// Returns several entities in the given order, with one request.
    ///
    /// The API's servers accept URLs of 1,999 bytes, which have room for 490 IDs of three digits.
    /// No entity has as many related ones.
    func entities(_ ids: [DTO.Entity.ID]) async throws(BrowseError) -> Page<DTO.Entity> {
        var seen: Set<DTO.Entity.ID> = []
        let uniqueIDs = ids.filter { seen.insert($0).inserted }
        guard !uniqueIDs.isEmpty else { return Page(items: []) }
        do throws(BrowseError) {
            // The response to one ID is the entity itself.
            if uniqueIDs.count == 1 { return Page(items: [try await entity(uniqueIDs[0])]) }
            let page = try await client.send(.some(DTO.self, uniqueIDs.map(\.rawValue)))
            let entities = Dictionary(page.items.map { ($0.id, $0) }) { $1 }
            return Page(items: uniqueIDs.compactMap { entities[$0] }, skipped: page.skipped)
        } catch .notFound(let info) where RickAndMortyFailure.isMissing(info) {
            return Page(items: [])
        }
    }
}

extension Endpoint {
    /// `GET /character` and the like, with a filter.
    fileprivate static func page<DTO: RickAndMortyDTO>(
        of type: DTO.Type,
        where query: [QueryItem],
        at cursor: PageCursor?
    ) -> Self where Response == Page<DTO.Entity> {
        Endpoint(
            cursor.map { .page($0.replacingQuery(with: query, of: DTO.kind.list), of: DTO.kind.list) }
                ?? .path(DTO.kind.list),
            query: query
        ) { response in
            let page = try response.json(RickAndMortyPageDTO<DTO>.self)
            return Page(
                items: page.results.rows.map(\.entity),
                next: page.info.next.value.flatMap { $0.isEmpty ? nil : response.page(at: $0) },
                skipped: page.results.skipped,
                totalCount: page.info.count.value.map { max(0, $0) }
            )
        }
    }

    /// `GET /character/{id}` and the like.
    fileprivate static func one<DTO: RickAndMortyDTO>(
        _ type: DTO.Type,
        _ id: Int64
    ) -> Self where Response == DTO.Entity {
        Endpoint(.path(DTO.kind.path([id]))) { try $0.json(DTO.self).entity }
    }

    /// `GET /character/{id},{id}` and the like, of several entities.
    fileprivate static func some<DTO: RickAndMortyDTO>(
        _ type: DTO.Type,
        _ ids: [Int64]
    ) -> Self where Response == Page<DTO.Entity> {
        Endpoint(.path(DTO.kind.path(ids))) { response in
            let list = try response.json(LossyArray<DTO>.self)
            return Page(items: list.rows.map(\.entity), skipped: list.skipped)
        }
    }
}

extension PageCursor {
    /// Returns the address with its page number and a query.
    ///
    /// It's unchanged if it has no number, and invalid if it's one of another list.
    fileprivate func replacingQuery(with query: [HTTPClient.QueryItem], of list: EndpointPath) -> PageCursor {
        guard isPage(of: list) else { return PageCursor(rawValue: "") }
        guard let pageNumber else { return self }
        let items = query.map { "&\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        return PageCursor(rawValue: "\(rawValue.prefix { $0 != "?" })?page=\(pageNumber)\(items.joined())")
    }
}

/// The envelope of all lists.
private struct RickAndMortyPageDTO<DTO: RickAndMortyDTO>: Decodable {
    struct Info: Decodable {
        /// `null` on the last page, or empty in old data.
        let next: Lenient<String>
        let count: Lenient<Int>
    }

    let info: Info
    let results: LossyArray<DTO>
}

extension RickAndMorty {
    /// Returns a repository of the API's characters, with pages of 20.
    package static func remoteCharacters(client: HTTPClient) -> any Repository<Character> {
        RemoteRickAndMortyRepository<CharacterDTO>(client: client)
    }

    /// Returns a repository of the API's episodes, with pages of 20.
    package static func remoteEpisodes(client: HTTPClient) -> any Repository<Episode> {
        RemoteRickAndMortyRepository<EpisodeDTO>(client: client)
    }

    /// Returns a repository of the API's locations, with pages of 20.
    package static func remoteLocations(client: HTTPClient) -> any Repository<Location> {
        RemoteRickAndMortyRepository<LocationDTO>(client: client)
    }
}
