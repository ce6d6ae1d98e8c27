import Foundation

/// An entity that can be a favorite.
///
/// The entity itself is stored, in its `Codable` format:
///
/// ```swift
/// nonisolated struct Book: Codable, Hashable, Sendable, Favoritable {
///     static let favoriteKind = Favorite.Kind(rawValue: "openlibrary.book")
///     let key: String
///     let title: String
///     let author: String?
///
///     var favoriteKey: String { key }
///     var favoriteTitle: String { title }
/// }
/// ```
///
/// Later versions of the app decode stored favorites. Adding an optional property is safe. For any
/// other change, raise ``favoriteVersion`` and decode the older formats in ``favorite(from:)``.
public protocol Favoritable: Codable, Sendable {
    /// The kind, unique to the type.
    static var favoriteKind: Favorite.Kind { get }
    /// The version of the encoded format; 1 by default.
    static var favoriteVersion: Int { get }
    /// The service's identifier; it must stay the same when titles and images change.
    var favoriteKey: String { get }
    /// The title of a row; favorites are filtered and sorted by it.
    var favoriteTitle: String { get }
    /// The image of a row; `nil` by default.
    var favoriteImage: WebAddress? { get }

    /// Decodes a stored entity.
    ///
    /// The default implementation decodes JSON of the current ``favoriteVersion``, and throws for
    /// other versions. A favorite that can't be decoded stays in the list with its title and image.
    static func favorite(from payload: Favorite.Payload) throws -> Self
}

extension Favoritable {
    /// The default version, 1.
    public static var favoriteVersion: Int { 1 }
    /// The default image, `nil`.
    public var favoriteImage: WebAddress? { nil }
    /// The identity of the entity's favorite.
    public var favoriteID: Favorite.ID { Favorite.ID(kind: Self.favoriteKind, key: favoriteKey) }

    /// Decodes JSON of the current version.
    public static func favorite(from payload: Favorite.Payload) throws -> Self {
        guard payload.version == favoriteVersion else {
            let problem = "The version \(payload.version) is unknown."
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: problem))
        }
        return try JSONDecoder().decode(Self.self, from: payload.data)
    }

    /// Encodes the entity; equal entities have equal bytes.
    func favoritePayload() throws -> Favorite.Payload {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Favorite.Payload(version: Self.favoriteVersion, data: try encoder.encode(self))
    }
}
