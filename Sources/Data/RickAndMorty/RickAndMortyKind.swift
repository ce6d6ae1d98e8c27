import BrowseData
import BrowseDomain

/// The API's three kinds of entities, which have the same endpoints.
package enum RickAndMortyKind: String, Sendable {
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
