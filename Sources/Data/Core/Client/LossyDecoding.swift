public import BrowseDomain

/// A JSON array without the elements that can't be decoded.
///
/// If no element can be decoded, decoding fails with the first error: the service probably uses another format.
public struct LossyArray<Row: Decodable & Sendable>: Decodable, Sendable {
    /// The decoded elements.
    public let rows: [Row]
    /// The skipped elements, for `Page.skipped`.
    public let skipped: SkippedRows

    /// Decodes an array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var rows: [Row] = []
        var firstError: (any Error)?
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                rows.append(try container.decode(Row.self))
            } catch {
                // A failed decode doesn't advance the container; decoding an empty type does.
                _ = try container.decode(Anything.self)
                firstError = firstError ?? Self.located(error, at: container.codingPath + [Index(index)])
            }
        }
        // If all rows fail, the format has changed, which must not look like an empty list.
        if let firstError, rows.isEmpty { throw firstError }
        self.rows = rows
        skipped = SkippedRows(
            count: container.currentIndex - rows.count,
            first: firstError.map(BrowseError.DecodingFailure.init)
        )
    }

    /// Adds the path to errors of the parser, which has none for invalid UTF-8 and numbers out of range.
    private static func located(_ error: any Error, at path: [any CodingKey]) -> any Error {
        guard !(error is DecodingError) else { return error }
        return DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "", underlyingError: error))
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    private struct Index: CodingKey {
        let intValue: Int?
        let stringValue: String

        init(_ index: Int) {
            intValue = index
            stringValue = String(index)
        }

        init?(intValue: Int) { self.init(intValue) }
        init?(stringValue: String) { nil }
    }
}

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
