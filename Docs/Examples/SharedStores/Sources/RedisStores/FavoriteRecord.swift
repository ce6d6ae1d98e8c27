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

extension Favorite.ID {
    /// The stored form, in which different identities differ.
    var field: Data { Data("\(kind.rawValue.utf8.count):\(kind.rawValue)\(key)".utf8) }

    /// Parses a stored form.
    init?(field: Data) {
        guard let colon = field.firstIndex(of: UInt8(ascii: ":")),
            let length = Int(String(decoding: field[..<colon], as: UTF8.self)), length >= 0,
            let end = field.index(colon + 1, offsetBy: length, limitedBy: field.endIndex)
        else { return nil }
        self.init(
            kind: Favorite.Kind(rawValue: String(decoding: field[(colon + 1)..<end], as: UTF8.self)),
            key: String(decoding: field[end...], as: UTF8.self)
        )
    }
}

extension FavoriteSortKey {
    /// The key as bytes in the same order; none is a prefix of another.
    var bytes: Data {
        let parts = [section.title, foldedName, id.kind.rawValue, id.key].flatMap(Self.part)
        return Data([UInt8(clamping: section.kind.rawValue)] + parts)
    }

    /// A text that ends in a byte below all others; zeros are escaped.
    private static func part(_ text: String) -> [UInt8] {
        text.utf8.flatMap { $0 == 0 ? [0, 0xFF] : [$0] } + [0, 1]
    }
}
