public import BrowseDomain
public import Foundation

/// The failure of an endpoint's `decode`, which becomes a `BrowseError` with the request's information.
public struct ResponseFailure: Error {
    let error: @Sendable (BrowseError.RequestInfo) -> BrowseError

    /// Creates a failure, such as that of a service which reports errors with a successful status.
    ///
    /// - Parameter error: Makes the error from the request's information.
    public init(_ error: @escaping @Sendable (BrowseError.RequestInfo) -> BrowseError) {
        self.error = error
    }

    /// Creates the failure of a response that can't be decoded.
    public init(_ reason: BrowseError.UnusableResponse) {
        error = { .unusableResponse(reason, $0) }
    }
}

extension HTTPClient.Response {
    /// Decodes the body as JSON, in the closure of an ``Endpoint``.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; `nil` uses one with default settings.
    ///   - otherType: Another media type that the service uses for JSON, in lowercase.
    /// - Throws: The decoder's error, or ``ResponseFailure`` if the body is empty, has another media type,
    ///   or has too many values.
    public func json<Value: Decodable>(
        _ type: Value.Type,
        using decoder: JSONDecoder? = nil,
        alsoAs otherType: String? = nil
    ) throws -> Value {
        guard !body.isEmpty else { throw ResponseFailure(.empty) }
        if let contentType = mediaType, contentType != otherType, !Self.isJSON(contentType) {
            throw ResponseFailure(
                .contentType(ShownText.words(headers["Content-Type"] ?? "", limit: ShownText.contentTypeLimit))
            )
        }
        return try decoded(type, using: decoder)
    }

    /// The maximum number of JSON values in a body.
    ///
    /// It bounds the time and memory of decoding: 8 MiB can have 4 million values. For comparison, a page of 100 repositories has
    /// 10,000.
    static var jsonValueLimit: Int { 150_000 }

    /// Decodes the body as JSON, whatever its media type, such as that of an error response.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; `nil` uses one with default settings.
    /// - Throws: The decoder's error, or ``ResponseFailure`` if the body has too many values.
    public func decoded<Value: Decodable>(
        _ type: Value.Type,
        using decoder: JSONDecoder? = nil
    ) throws -> Value {
        guard !body.hasMoreJSONValues(than: Self.jsonValueLimit) else {
            throw ResponseFailure(.tooManyValues(limit: Self.jsonValueLimit))
        }
        return try (decoder ?? Self.decoder).decode(type, from: body)
    }

    /// Shared, because it's thread-safe and costs more to create than a small response to decode.
    private static let decoder = JSONDecoder()

    /// The lowercase content type without parameters; `nil` if there is none.
    public var mediaType: String? {
        headers["Content-Type"].map { $0.prefix { $0 != ";" }.trimmingWhitespace.lowercased() }
    }

    /// Whether a type is `application/json`, `text/json`, or has the suffix `+json` (RFC 6839).
    static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }
}

extension BrowseError.DecodingFailure {
    /// Describes an error in our own words, since the decoder's can contain the value.
    init(_ error: any Error) {
        switch error as? DecodingError {
        case .typeMismatch(let type, let context):
            self.init(codingPath: Self.path(context.codingPath), reason: "not of type \(type)")
        case .valueNotFound(let type, let context):
            self.init(codingPath: Self.path(context.codingPath), reason: "null where \(type) was expected")
        case .keyNotFound(let key, let context):
            self.init(codingPath: Self.path(context.codingPath + [key]), reason: "missing")
        case .dataCorrupted(let context):
            let reason = context.codingPath.isEmpty ? "not valid JSON" : "not a valid value"
            self.init(codingPath: Self.path(context.codingPath), reason: reason)
        default: self.init(codingPath: "", reason: "not readable")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                // The keys of our types are raw values of enums; those of dictionaries come from the server and may be secret.
                let isOwn = key is any RawRepresentable
                let name = isOwn ? key.stringValue : ShownText.words(key.stringValue, limit: 40)
                text += text.isEmpty ? name : ".\(name)"
            }
        }
        return text
    }
}

extension Data {
    /// Whether a JSON text has more values than a limit.
    ///
    /// Values are objects, arrays, strings, numbers, Booleans, and nulls. A decoder needs memory and time for each value, up
    /// to a hundred times as much as for its bytes.
    func hasMoreJSONValues(than limit: Int) -> Bool {
        // Each value has a byte, and a separator or an end.
        guard count / 2 >= limit else { return false }
        return withUnsafeBytes { Self.hasMoreJSONValues(in: $0, than: limit) }
    }

    private static func hasMoreJSONValues(in bytes: UnsafeRawBufferPointer, than limit: Int) -> Bool {
        // In UTF-16 and UTF-32, which `JSONDecoder` accepts, any character can contain the byte of a quotation mark.
        let isUTF8 = !bytes.prefix(4).contains { $0 == 0 || $0 >= 0xFE }
        var count = 1
        var isString = false
        var isEscaped = false
        var isOpened = false
        for byte in bytes {
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
            case UInt8(ascii: "]"), UInt8(ascii: "}"): isOpened = false
            default: break
            }
            // The first value of an object or array, or the one after a comma.
            if isOpened || byte == UInt8(ascii: ",") {
                count += 1
                guard count <= limit else { return true }
            }
            isOpened = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
            isString = isUTF8 && byte == UInt8(ascii: "\"")
        }
        return false
    }
}

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
