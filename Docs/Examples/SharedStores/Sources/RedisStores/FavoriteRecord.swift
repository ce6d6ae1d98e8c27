import BrowseKit
import Foundation

/// The stored format of a favorite: JSON, with the entity as its type encodes it.
struct FavoriteRecord: Codable {
    private let kind: String
    private let key: String
    private let title: String
    private let image: String?
    private let version: Int
    private let payload: Data

    /// - Parameter payload: The encoded entity.
    init(_ favorite: Favorite, _ payload: Favorite.Payload) {
        kind = favorite.kind.rawValue
        key = favorite.id.key
        title = favorite.title
        image = favorite.image?.rawValue
        version = payload.version
        self.payload = payload.data
    }

    func favorite(sequenceNumber: Int64) -> Favorite {
        Favorite(
            id: Favorite.ID(kind: Favorite.Kind(rawValue: kind), key: key),
            title: title,
            image: image.map(WebAddress.init(rawValue:)),
            payload: Favorite.Payload(version: version, data: payload),
            sequenceNumber: sequenceNumber
        )
    }
}
