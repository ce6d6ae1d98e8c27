@_spi(Services) public import BrowseDomain
public import Foundation

/// An entity that is read from the fields of an object.
@_spi(Services) public protocol JSONReadable: Sendable {
    /// Reads an entity; throws if a required field is missing or invalid.
    init(_ json: KeyedDecodingContainer<JSONKey>) throws
}

/// An entity in the server's format, which differs from the one in which it's stored.
@_spi(Services) public struct DTO<Entity: JSONReadable>: Decodable, Sendable {
    /// The entity.
    public let entity: Entity

    /// Decodes the fields of an object.
    public init(from decoder: any Decoder) throws {
        entity = try Entity(decoder.container(keyedBy: JSONKey.self))
    }
}

/// The name of a field as a literal, as in `json["name"]`, or the index of an element.
///
/// Types that map the fields of an object to an entity at once need no enumeration of keys.
@_spi(Services) public struct JSONKey: CodingKey, ExpressibleByStringLiteral {
    /// The name, or the index in digits.
    public let stringValue: String
    /// The index; `nil` for a name.
    public var intValue: Int?

    /// Creates the key of a field from a literal.
    public init(stringLiteral name: String) { stringValue = name }
    /// Creates the key of a field.
    public init?(stringValue: String) { self.stringValue = stringValue }
    /// Creates the key of an element.
    public init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}

@_spi(Services) extension KeyedDecodingContainer<JSONKey> {
    /// A required field.
    public func required<Value: Decodable>(_ name: Key) throws -> Value { try decode(Value.self, forKey: name) }

    /// An optional field; `nil` in the cases of ``Lenient``.
    public subscript<Value: Decodable>(name: Key) -> Value? { try? decodeIfPresent(Value.self, forKey: name) }

    /// An optional text without white space around it; `nil` if it's blank, too.
    public subscript(name: Key) -> String? { (try? decodeIfPresent(String.self, forKey: name))?.nonBlank }

    /// The elements of an optional list that can be decoded.
    public subscript<Element>(list name: Key) -> [Element] where Element: Decodable & Sendable {
        (try? decode(Lenient<[Element]>.self, forKey: name))?.value ?? []
    }

    /// An optional entity; `nil` if it can't be read.
    public subscript<Entity: JSONReadable>(entity name: Key) -> Entity? { (self[name] as DTO<Entity>?)?.entity }

    /// An optional address; `nil` if it's blank, too.
    public subscript(address name: Key) -> WebAddress? { self[name].map(WebAddress.init(rawValue:)) }

    /// The addresses of an optional list without blank ones.
    public subscript(addresses name: Key) -> [WebAddress] {
        (self[list: name] as [String]).compactMap { $0.nonBlank.map(WebAddress.init(rawValue:)) }
    }

    /// An optional date in ISO 8601, with or without milliseconds.
    public subscript(date name: Key) -> Date? { self[name].flatMap(HTTPDate.isoDate) }
}
