package import BrowseData
import BrowseDomain
package import BrowseRickAndMortyDomain
import Foundation

/// The API's three kinds of entities, which have the same endpoints.
enum RickAndMortyKind: String, Sendable {
    case character, episode, location

    /// `/character`.
    var list: EndpointPath {
        switch self {
        case .character: "/character"
        case .episode: "/episode"
        case .location: "/location"
        }
    }

    /// `/character/1`, or `/character/1,2,3`.
    func path(_ ids: [Int64]) -> EndpointPath {
        switch self {
        case .character: "/character/\(ids)"
        case .episode: "/episode/\(ids)"
        case .location: "/location/\(ids)"
        }
    }

    /// Parses the ID in a URL such as `https://rickandmortyapi.com/api/character/38`; `nil` for other text.
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

    /// Parses a date in ISO 8601, with or without milliseconds; `nil` if it isn't one.
    static func date(_ text: String?) -> Date? {
        guard let text else { return nil }
        let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? Date(text, strategy: precise)) ?? (try? Date(text, strategy: .iso8601))
    }
}

/// A repository of one kind of entities.
struct RemoteRickAndMortyRepository<DTO: RickAndMortyDTO>: RickAndMorty.Repository {
    /// The longest URL that the API's servers accept, in bytes.
    static var longestURL: Int { 1999 }

    let client: HTTPClient

    /// Returns one page of a list; a 404 without results is an empty page.
    ///
    /// The API writes the decoded query into the link to the next page, so only the link's page number is used.
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

    /// Returns several entities in the given order, in as few requests as ``longestURL`` allows.
    func entities(_ ids: [DTO.Entity.ID]) async throws(BrowseError) -> Page<DTO.Entity> {
        var seen: Set<DTO.Entity.ID> = []
        let uniqueIDs = ids.filter { seen.insert($0).inserted }
        var entities: [DTO.Entity.ID: DTO.Entity] = [:]
        var skipped = SkippedRows()
        for batch in batches(of: uniqueIDs.map(\.rawValue)) {
            let page = try await some(batch)
            for entity in page.items { entities[entity.id] = entity }
            skipped += page.skipped
        }
        return Page(items: uniqueIDs.compactMap { entities[$0] }, skipped: skipped)
    }

    private func some(_ ids: [Int64]) async throws(BrowseError) -> Page<DTO.Entity> {
        do throws(BrowseError) {
            return try await client.send(.some(DTO.self, ids))
        } catch .notFound(let info) where RickAndMortyFailure.isMissing(info) {
            return Page(items: [])
        }
    }

    /// Splits IDs into nonempty batches whose URLs are short enough.
    private func batches(of ids: [Int64]) -> [[Int64]] {
        // The base URL, two slashes, and the kind; minus 1, because `digits` counts a comma for the first ID, too.
        let prefix = client.baseURL.absoluteString.utf8.count + DTO.kind.rawValue.utf8.count + 1
        var batches: [[Int64]] = []
        var length = 0
        for id in ids {
            let digits = String(id).utf8.count + 1
            if batches.isEmpty || length + digits > Self.longestURL {
                batches.append([])
                length = prefix
            }
            batches[batches.count - 1].append(id)
            length += digits
        }
        return batches
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
            cursor.map { .page($0.replacingQuery(with: query), of: DTO.kind.list) } ?? .path(DTO.kind.list),
            query: query
        ) { response in
            let page = try response.json(RickAndMortyPageDTO<DTO>.self)
            return Page(
                items: page.results.rows.map(\.entity),
                next: page.info.next.flatMap { $0.isEmpty ? nil : PageCursor(rawValue: $0) },
                skipped: page.results.skipped,
                totalCount: page.info.count.map { max(0, $0) }
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

    /// `GET /character/{id},{id}` and the like: an array, or the entity itself for a single ID.
    fileprivate static func some<DTO: RickAndMortyDTO>(
        _ type: DTO.Type,
        _ ids: [Int64]
    ) -> Self where Response == Page<DTO.Entity> {
        Endpoint(.path(DTO.kind.path(ids))) { response in
            let list = try response.json(OneOrMore<DTO>.self)
            return Page(items: list.rows.map(\.entity), skipped: list.skipped)
        }
    }
}

extension PageCursor {
    /// Returns the address with its page number and a query; unchanged if it has no number.
    fileprivate func replacingQuery(with query: [HTTPClient.QueryItem]) -> PageCursor {
        let parts = rawValue.split(separator: "?", maxSplits: 1)
        // The first one, because the text that follows could contain others.
        let page = parts.last?.split(separator: "&").first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) }
        guard parts.count == 2, let page else { return self }
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        func encode(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }
        let items = query.map { "&\(encode($0.name))=\(encode($0.value))" }
        return PageCursor(rawValue: "\(parts[0])?page=\(page)\(items.joined())")
    }
}

/// The envelope of all lists.
private struct RickAndMortyPageDTO<DTO: RickAndMortyDTO>: Decodable {
    struct Info: Decodable {
        /// `null` on the last page, or empty in old data.
        @Lenient var next: String?
        @Lenient var count: Int?
    }

    let info: Info
    let results: LossyArray<DTO>
}

/// A JSON array, or one element that isn't in an array, without the elements that can't be decoded.
private struct OneOrMore<Row: Decodable & Sendable>: Decodable, Sendable {
    fileprivate let rows: [Row]
    fileprivate let skipped: SkippedRows

    fileprivate init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            let list = try LossyArray<Row>(from: decoder)
            (rows, skipped) = (list.rows, list.skipped)
        } else {
            (rows, skipped) = ([try Row(from: decoder)], SkippedRows())
        }
    }
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
