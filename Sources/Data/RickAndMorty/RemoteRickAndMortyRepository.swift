@_spi(Services) package import BrowseData
@_spi(Services) package import BrowseDomain
package import BrowseRickAndMortyDomain
import Foundation

/// A repository of the API's characters.
package typealias RemoteCharacterRepository = RemoteRickAndMortyRepository<RickAndMorty.Character>
/// A repository of the API's episodes.
package typealias RemoteEpisodeRepository = RemoteRickAndMortyRepository<RickAndMorty.Episode>
/// A repository of the API's locations.
package typealias RemoteLocationRepository = RemoteRickAndMortyRepository<RickAndMorty.Location>

/// A repository of one kind of entities, with pages of 20.
package struct RemoteRickAndMortyRepository<Entity: RemoteEntity>: RickAndMorty.Repository {
    private let client: HTTPClient

    /// Creates a repository with a client of `HTTPClient.Service.rickAndMorty(baseURL:userAgent:)`.
    package init(client: HTTPClient) { self.client = client }

    /// Returns one page of a list; a 404 without results is an empty page.
    ///
    /// The API writes the decoded query into the link to the next page, so only the link's page
    /// number is used.
    package func page(of filter: Entity.Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Entity> {
        do throws(BrowseError) {
            return try await client.send(.page(of: filter, at: cursor))
        } catch .notFound(let info) where info.serverMessage?.lowercased() == "there is nothing here" {
            // Any other 404, such as for a wrong path, is a failure.
            return Page(items: [])
        }
    }

    package func entity(_ id: Entity.ID) async throws(BrowseError) -> Entity {
        try await client.send(.one(id))
    }

    /// Returns several entities in the given order, with one request.
    ///
    /// The API's servers accept URLs of 1,999 bytes, which have room for 490 IDs of three digits.
    /// No entity has as many related ones. If it has none of them, ``Page/totalCount`` is their
    /// number, so that the list isn't said to be empty beside it.
    package func entities(_ ids: [Entity.ID]) async throws(BrowseError) -> Page<Entity> {
        var seen: Set<Entity.ID> = []
        let uniqueIDs = ids.filter { seen.insert($0).inserted }
        guard !uniqueIDs.isEmpty else { return Page(items: []) }
        do throws(BrowseError) {
            // The response to one ID is the entity itself.
            if uniqueIDs.count == 1 { return Page(items: [try await entity(uniqueIDs[0])]) }
            let page: Page<Entity> = try await client.send(.some(uniqueIDs))
            let entities = Dictionary(page.items.map { ($0.id, $0) }) { $1 }
            let missing = entities.isEmpty ? uniqueIDs.count : nil
            return Page(items: uniqueIDs.compactMap { entities[$0] }, skipped: page.skipped, totalCount: missing)
        } catch .notFound(let info) where RickAndMortyFailure.isMissing(info) {
            return Page(items: [], totalCount: uniqueIDs.count)
        }
    }
}

extension Endpoint {
    /// `GET /character` and the like, with a filter.
    fileprivate static func page<Entity: RemoteEntity>(of filter: Entity.Filter, at cursor: PageCursor?) -> Self
    where Response == Page<Entity> {
        let list = Entity.kind.list
        let query = Entity.query(filter).compactMap { item in
            let value = TypedText(item.value ?? "").withStraightQuotes.withoutCredentials
            return value.isEmpty ? nil : QueryItem(item.name, value.text)
        }
        let location: Location = cursor.map { .page($0.replacingQuery(with: query, of: list), of: list) } ?? .path(list)
        return Endpoint(location, query: query) { response in
            let page = try response.json(RickAndMortyPageDTO<Entity>.self)
            return Page(
                items: page.results.rows.map(\.entity),
                next: page.info.next.value.map(response.page(at:)),
                skipped: page.results.skipped,
                totalCount: page.info.count.value.map { max(0, $0) }
            )
        }
    }

    /// `GET /character/{id},{id}` and the like, of several entities.
    fileprivate static func some<Entity: RemoteEntity>(_ ids: [Entity.ID]) -> Self where Response == Page<Entity> {
        Endpoint(.path(Entity.kind.path(ids.map(\.rawValue)))) { response in
            let list = try response.json(LossyArray<DTO<Entity>>.self)
            return Page(items: list.rows.map(\.entity), skipped: list.skipped)
        }
    }
}

extension Endpoint where Response: RemoteEntity {
    /// `GET /character/{id}` and the like.
    fileprivate static func one(_ id: Response.ID) -> Self {
        Endpoint(.path(Response.kind.path([id.rawValue]))) { try $0.json(DTO<Response>.self).entity }
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
private struct RickAndMortyPageDTO<Entity: RemoteEntity>: Decodable {
    struct Info: Decodable {
        /// `null` on the last page, or empty in old data.
        let next: Lenient<String>
        let count: Lenient<Int>
    }

    let info: Info
    let results: LossyArray<DTO<Entity>>
}
