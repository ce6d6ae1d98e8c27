import BrowseDomain
import Foundation

/// One of the three kinds of things that the API has, all of which are asked for in the same way.
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

    /// The number at the end of an address of this kind, as in `https://rickandmortyapi.com/api/character/38`.
    ///
    /// - Returns: `nil` for anything else, such as the empty text that stands for an unknown place.
    func id(in address: String) -> Int64? {
        guard let slash = address.utf8.lastIndex(of: UInt8(ascii: "/")), address[..<slash].hasSuffix("/\(rawValue)"),
            let id = Int64(address[address.utf8.index(after: slash)...]), id > 0
        else { return nil }
        return id
    }
}

/// A thing of the API as it comes over the wire.
protocol RickAndMortyDTO: Decodable, Sendable {
    associatedtype Entity: Identifiable & Sendable
    where Entity.ID: RawRepresentable & Sendable, Entity.ID.RawValue == Int64

    static var kind: RickAndMortyKind { get }
    var entity: Entity { get }
}

/// Asks for things of one kind: what the remote repositories have in common.
struct RickAndMortyResource<DTO: RickAndMortyDTO>: Sendable {
    /// The API is behind servers that refuse longer addresses.
    static var longestAddress: Int { 1999 }

    let client: HTTPClient

    /// One page of a list; that nothing is there is an empty page.
    ///
    /// - Parameters:
    ///   - query: What is wanted, by the names of the query's items; those without a value are left out.
    ///   - cursor: Where a page before said that this one is.
    func page(
        where query: [(name: String, value: String?)],
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<DTO.Entity> {
        let items = query.compactMap { item in
            item.value.map { Endpoint<Page<DTO.Entity>>.QueryItem(item.name, $0) }
        }
        do throws(BrowseError) {
            return try await client.send(.page(of: DTO.self, where: items, at: cursor))
        } catch .notFound(let info) where RickAndMortyFailure.isEmptyList(info) {
            return Page(items: [])
        } catch {
            throw error
        }
    }

    /// One thing.
    func one(_ id: Int64) async throws(BrowseError) -> DTO.Entity {
        try await client.send(.one(DTO.self, id))
    }

    /// Several things in the order asked for, in as few requests as the length of an address allows.
    func many(_ ids: [Int64]) async throws(BrowseError) -> Page<DTO.Entity> {
        var seen: Set<Int64> = []
        let wanted = ids.filter { seen.insert($0).inserted }
        var found: [Int64: DTO.Entity] = [:]
        var skipped: [SkippedRow] = []
        for part in parts(of: wanted) {
            let reply = try await some(part)
            for entity in reply.items { found[entity.id.rawValue] = entity }
            skipped += reply.skipped
        }
        return Page(items: wanted.compactMap { found[$0] }, skipped: skipped)
    }

    private func some(_ ids: [Int64]) async throws(BrowseError) -> Page<DTO.Entity> {
        do throws(BrowseError) {
            return try await client.send(.some(DTO.self, ids))
        } catch .notFound(let info) where RickAndMortyFailure.isMissing(info) {
            return Page(items: [])
        } catch {
            throw error
        }
    }

    /// Cuts numbers so that each part's address is short enough; a part has one at least.
    private func parts(of ids: [Int64]) -> [[Int64]] {
        // The base address, whose slash at the end may go, the kind with its slashes, and a comma that the first has not.
        let fixed = client.baseURL.absoluteString.utf8.count + DTO.kind.rawValue.utf8.count + 1
        var parts: [[Int64]] = []
        var length = 0
        for id in ids {
            let digits = String(id).utf8.count + 1
            if parts.isEmpty || length + digits > Self.longestAddress {
                parts.append([])
                length = fixed
            }
            parts[parts.count - 1].append(id)
            length += digits
        }
        return parts
    }
}

extension Endpoint {
    /// `GET /character` with a filter, and its like.
    fileprivate static func page<DTO: RickAndMortyDTO>(
        of type: DTO.Type,
        where query: [QueryItem],
        at cursor: PageCursor?
    ) -> Self where Response == Page<DTO.Entity> {
        Endpoint(
            cursor.map { .page($0, of: DTO.kind.list) } ?? .path(DTO.kind.list),
            query: query,
            decodingID: "page"
        ) { response in
            let reply = try response.json(RickAndMortyPageDTO<DTO>.self, using: RickAndMortyCoding.decoder)
            return Page(
                items: reply.results.rows.map(\.entity),
                next: reply.info.next.flatMap { $0.isEmpty ? nil : PageCursor(rawValue: $0) },
                skipped: reply.results.skipped
            )
        }
    }

    /// `GET /character/{id}`, and its like.
    fileprivate static func one<DTO: RickAndMortyDTO>(
        _ type: DTO.Type,
        _ id: Int64
    ) -> Self where Response == DTO.Entity {
        Endpoint(.path(DTO.kind.path([id])), decodingID: "one") { response in
            try response.json(DTO.self, using: RickAndMortyCoding.decoder).entity
        }
    }

    /// `GET /character/{id},{id}`, and its like: an array, or the thing itself when one is asked for.
    fileprivate static func some<DTO: RickAndMortyDTO>(
        _ type: DTO.Type,
        _ ids: [Int64]
    ) -> Self where Response == Page<DTO.Entity> {
        Endpoint(.path(DTO.kind.path(ids)), decodingID: "some") { response in
            let reply = try response.json(OneOrMore<DTO>.self, using: RickAndMortyCoding.decoder)
            return Page(items: reply.rows.map(\.entity), skipped: reply.skipped)
        }
    }
}

/// The envelope of every list.
private struct RickAndMortyPageDTO<DTO: RickAndMortyDTO>: Decodable {
    struct Info: Decodable {
        /// `null` on the last page; old data has an empty text there.
        @Lenient var next: String?

        private enum CodingKeys: String, CodingKey {
            case next
        }
    }

    let info: Info
    let results: LossyArray<DTO>

    private enum CodingKeys: String, CodingKey {
        case info, results
    }
}
