public import Foundation

/// A saved entity of any kind, with the title and image of its row.
///
/// Showing favorites requires neither the network nor the entity's type. A favorite of an unknown
/// kind, such as one that a newer version added, has its title and image, and its payload is
/// preserved.
///
/// To save your own entities, conform them to ``Favoritable``.
public struct Favorite: Identifiable, Hashable, Sendable {
    /// A kind of entity; an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name of the kind in storage.
        public let rawValue: String

        /// Creates a kind.
        ///
        /// - Parameter rawValue: A name that no other service uses, as in `openlibrary.book`. Don't
        ///   change it once favorites are stored.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Compares bytes, as storage does.
        public static func == (left: Kind, right: Kind) -> Bool {
            left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
        }
    }

    /// The identity of a favorite: its kind, and the service's identifier within the kind.
    public struct ID: Hashable, Sendable, LosslessStringConvertible {
        /// The kind of entity.
        public let kind: Kind
        /// The service's identifier; it must stay the same when titles and images change.
        public let key: String

        /// Creates an identity.
        public init(kind: Kind, key: String) {
            self.kind = kind
            self.key = key
        }

        /// Reads ``description``; `nil` for other text.
        public init?(_ description: String) {
            let parts = description.split(separator: "/", omittingEmptySubsequences: false)
            let texts = parts.compactMap(PercentEncoding.decode)
            guard parts.count == 2, texts.count == 2 else { return nil }
            self.init(kind: Kind(rawValue: texts[0]), key: texts[1])
        }

        /// The kind, a slash, and the identifier, both percent-encoded, as in
        /// `openlibrary.book/OL27448W`.
        public var description: String { "\(PercentEncoding.encode(kind.rawValue))/\(PercentEncoding.encode(key))" }

        /// The service's number; `nil` if the identifier isn't one.
        package var number: Int64? { Int64(key) }

        /// Compares bytes: canonically equivalent identifiers can belong to different entities.
        public static func == (left: ID, right: ID) -> Bool {
            left.key.utf8.elementsEqual(right.key.utf8) && left.kind == right.kind
        }
    }

    /// An encoded entity.
    public struct Payload: Hashable, Sendable {
        /// The version of the format, ``Favoritable/favoriteVersion``.
        public let version: Int
        /// The bytes, in the format of the entity's type.
        public let data: Data

        /// Creates a payload from the values that a repository has stored.
        public init(version: Int, data: Data) {
            self.version = version
            self.data = data
        }
    }

    private enum Content: Sendable {
        case value(any Favoritable)
        case stored(Payload)
    }

    /// The identity.
    public let id: ID
    /// The title of a row, such as a login; favorites are filtered and sorted by it.
    public let title: String
    /// The image of a row.
    public let image: WebAddress?
    /// The number that a repository gave the favorite when it was added.
    ///
    /// It's `nil` for one that isn't from a repository, and larger than those of earlier additions,
    /// so a favorite that was removed and added again can be told apart.
    public var sequenceNumber: Int64?
    private let content: Content

    /// Creates a favorite from an entity, which ``payload`` encodes at each access.
    public init(_ value: some Favoritable) {
        id = value.favoriteID
        title = value.favoriteTitle
        image = value.favoriteImage
        content = .value(value)
    }

    /// Creates a favorite from stored values.
    public init(id: ID, title: String, image: WebAddress?, payload: Payload, sequenceNumber: Int64? = nil) {
        self.id = id
        self.title = title
        self.image = image
        self.sequenceNumber = sequenceNumber
        content = .stored(payload)
    }

    /// The kind of entity.
    public var kind: Kind { id.kind }

    /// The encoded entity; `nil` if encoding fails, in which case the favorite can't be added.
    ///
    /// A stored favorite returns its stored bytes.
    public var payload: Payload? {
        switch content {
        case .value(let value): try? value.favoritePayload()
        case .stored(let payload): payload
        }
    }

    /// Returns the entity; `nil` if it's of another kind or identity, or can't be decoded.
    ///
    /// A stored payload is decoded at each call.
    public func value<Value: Favoritable>(as type: Value.Type = Value.self) -> Value? {
        guard kind == Value.favoriteKind else { return nil }
        if case .value(let value) = content, let value = value as? Value { return value }
        let value = payload.flatMap { try? Value.favorite(from: $0) }
        return value?.favoriteID == id ? value : nil
    }

    /// Compares all values except ``sequenceNumber``, including the encoded entities.
    ///
    /// To compare identities, use ``id``.
    public static func == (left: Favorite, right: Favorite) -> Bool {
        left.id == right.id && left.title == right.title && left.image == right.image
            && left.payload == right.payload
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
