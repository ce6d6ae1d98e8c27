@_spi(Services) package import BrowseData
package import BrowseRickAndMortyDomain

/// An entity of the API; only the ID and the name are required.
package protocol RemoteEntity: RickAndMorty.Entity, JSONReadable {
    static var kind: RickAndMortyKind { get }

    /// Returns the query items of a filter; blank ones are omitted.
    static func query(_ filter: Filter) -> [(name: String, value: String?)]
}
