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

    var favorite: Favorite {
        Favorite(
            id: Favorite.ID(kind: Favorite.Kind(rawValue: kind), key: key),
            title: title,
            image: image.map(WebAddress.init(rawValue:)),
            payload: Favorite.Payload(version: version, data: payload)
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
    /// The key as bytes in the order by name, or by the bytes of the kind; none is a prefix of another.
    func bytes(byKind isByKind: Bool) -> Data {
        let section = [UInt8(clamping: section.kind.rawValue)] + Self.part(self.section.title)
        let (kind, key, name) = (Self.part(id.kind.rawValue), Self.part(id.key), Self.part(foldedName))
        return Data(isByKind ? kind + section + name + key : section + name + kind + key)
    }

    /// A text that ends in a byte below all others; zeros are escaped.
    fileprivate static func part(_ text: String) -> [UInt8] {
        text.utf8.flatMap { $0 == 0 ? [0, 0xFF] : [$0] } + [0, 1]
    }
}

extension Favorite.Kind {
    /// The beginning of the kind's members of the set by kind.
    var memberPrefix: Data { Data(FavoriteSortKey.part(rawValue)) }

    /// The lexical bounds of the kind's members of the set by kind.
    var memberBounds: (lower: Data, upper: Data) {
        let prefix = memberPrefix
        return (Data("[".utf8) + prefix, Data("(".utf8) + prefix.dropLast() + [2])
    }

    /// Creates the kind of a member of the set by kind, or of its beginning.
    init?(member: Data) {
        guard let end = member.range(of: Data([0, 1])) else { return nil }
        // UTF-8 has no such byte; it escapes zeros.
        let text = member[..<end.lowerBound].filter { $0 != 0xFF }
        self.init(rawValue: String(decoding: text, as: UTF8.self))
    }
}
