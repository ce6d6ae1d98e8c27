#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An entity of any kind that a person saved, with what its row shows.
///
/// A list of favorites needs neither the network nor the entity's type: a kind that the app doesn't know, such as one that
/// another version or another module added, has its title and picture, and its payload stays as it is stored.
///
/// Make one of your own entities a favorite by conforming it to ``Favoritable``.
public struct Favorite: Identifiable, Hashable, Sendable {
    /// A kind of entity; an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name under which favorites of this kind are stored.
        public let rawValue: String

        /// Creates a kind.
        ///
        /// - Parameter rawValue: A name that no other service uses, as in `openlibrary.book`; never change it once favorites
        ///   are stored.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The identity of a favorite: its kind, and the service's identifier within the kind.
    public struct ID: Hashable, Sendable {
        /// The kind of entity.
        public let kind: Kind
        /// The service's identifier; it must stay the same when titles and pictures change.
        public let key: String

        /// Creates an identity.
        public init(kind: Kind, key: String) {
            self.kind = kind
            self.key = key
        }

        /// Creates an identity from a service's number.
        public init(kind: Kind, number: Int64) {
            self.init(kind: kind, key: String(number))
        }

        /// The service's number, if its identifiers are numbers.
        public var number: Int64? { Int64(key) }

        /// Compares bytes, as databases do: canonically equivalent identifiers can name different entities.
        public static func == (left: ID, right: ID) -> Bool {
            left.key == right.key && left.kind == right.kind && left.key.utf8.elementsEqual(right.key.utf8)
                && left.kind.rawValue.utf8.elementsEqual(right.kind.rawValue.utf8)
        }
    }

    /// An encoded entity.
    public struct Payload: Hashable, Sendable {
        /// The version of the format, ``Favoritable/favoriteVersion``; 0 for data that an old file contained and nothing can read.
        public let version: Int
        /// The bytes, in the format of the entity's type.
        public let data: Data

        /// Creates a payload from its parts.
        public init(version: Int, data: Data) {
            self.version = version
            self.data = data
        }
    }

    private enum Content: Sendable {
        case value(any Favoritable)
        case stored(Payload)
    }

    /// The identity, which alone decides whether two favorites are the same.
    public let id: ID
    /// The title, by which favorites are filtered and sorted: for example, a login, or the full name of a repository.
    public let title: String
    /// The picture of a row.
    public let image: WebAddress?
    private let content: Content

    /// Creates a favorite from an entity; it's encoded when the payload is first needed.
    public init(_ value: some Favoritable) {
        id = value.favoriteID
        title = value.favoriteTitle
        image = value.favoriteImage
        content = .value(value)
    }

    /// Creates a favorite from what a repository stored.
    public init(id: ID, title: String, image: WebAddress?, payload: Payload) {
        self.id = id
        self.title = title
        self.image = image
        content = .stored(payload)
    }

    /// The kind of entity.
    public var kind: Kind { id.kind }

    /// The encoded entity; `nil` if encoding it failed, in which case a repository refuses to add it.
    ///
    /// The payload of a stored favorite is what was stored, byte for byte.
    public var payload: Payload? {
        switch content {
        case .value(let value): try? value.favoritePayload()
        case .stored(let payload): payload
        }
    }

    /// The entity; `nil` if the favorite is of another kind, or its payload can't be read as this entity.
    ///
    /// A stored payload is decoded each time.
    public func value<Value: Favoritable>(as type: Value.Type = Value.self) -> Value? {
        guard kind == Value.favoriteKind else { return nil }
        if case .value(let value) = content, let value = value as? Value { return value }
        let value = payload.flatMap { try? Value.favorite(from: $0) }
        return value?.favoriteID == id ? value : nil
    }

    /// Compares everything, including the encoded entities; use ``id`` to find out whether two favorites are the same.
    public static func == (left: Favorite, right: Favorite) -> Bool {
        left.id == right.id && left.title == right.title && left.image == right.image
            && left.payload == right.payload
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
