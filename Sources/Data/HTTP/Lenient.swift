/// An optional field that reads as missing if it has an unexpected type.
///
/// Use it for each field of a DTO that a row can do without, so that a service that changes one field, or sends `"4.99"`
/// for `4.99`, doesn't lose the row. In a list, only the elements that can't be read are left out.
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

    /// Reads a value, such as an element of a list or a dictionary.
    public init(from decoder: any Decoder) {
        wrappedValue = try? Value(from: decoder)
    }
}

extension Lenient: Equatable where Value: Equatable {}
extension Lenient: Hashable where Value: Hashable {}

// The compiler's `init(from:)` of a DTO calls these, which also accept a missing key.
extension KeyedDecodingContainer {
    /// Reads an optional field.
    public func decode<Value>(_ type: Lenient<Value>.Type, forKey key: Key) throws -> Lenient<Value> {
        Lenient(wrappedValue: try? decodeIfPresent(Value.self, forKey: key))
    }

    /// Reads an optional list without the elements that can't be read.
    public func decode<Element>(_ type: Lenient<[Element]>.Type, forKey key: Key) throws -> Lenient<[Element]> {
        if let list = try? decodeIfPresent([Element].self, forKey: key) { return Lenient(wrappedValue: list) }
        let list = try? decodeIfPresent([Lenient<Element>].self, forKey: key)
        return Lenient(wrappedValue: list?.compactMap(\.wrappedValue))
    }
}
