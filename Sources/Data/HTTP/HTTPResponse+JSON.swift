public import BrowseDomain
public import Foundation

/// An error that an endpoint's `decode` throws for a response that it can't decode at all.
struct UnusableResponse: Error {
    let reason: BrowseError.UnusableResponse
}

/// An error that an endpoint's `decode` throws for a failure with a successful status.
struct RefusedResponse: Error {
    /// Returns the error for the request.
    let error: @Sendable (BrowseError.RequestInfo) -> BrowseError
}

extension HTTPResponse {
    /// Decodes the body as JSON, in the closure of an ``Endpoint``.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; a service's endpoints can share one.
    ///   - otherType: Another media type that the service uses for JSON, in lowercase.
    /// - Throws: The decoder's error, or an error that becomes `.unusableResponse` if the body is empty or has another media
    ///   type.
    public func json<Value: Decodable>(
        _ type: Value.Type,
        using decoder: JSONDecoder = JSONDecoder(),
        alsoAs otherType: String? = nil
    ) throws -> Value {
        guard !body.isEmpty else { throw UnusableResponse(reason: .empty) }
        if let contentType = mediaType, contentType != otherType, !Self.isJSON(contentType) {
            throw UnusableResponse(reason: .contentType(Excerpt.masking(headers["Content-Type"] ?? "", limit: 100)))
        }
        return try decoder.decode(type, from: body)
    }

    /// The lowercase content type without parameters; `nil` if there is none.
    var mediaType: String? {
        headers["Content-Type"].map { $0.prefix { $0 != ";" }.trimmingWhitespace.lowercased() }
    }

    /// Whether a type is `application/json`, `text/json`, or has the suffix `+json` (RFC 6839).
    private static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }
}

/// A JSON array without the elements that can't be decoded.
///
/// If no element can be decoded, decoding fails with the first error: the service probably uses another format.
public struct LossyArray<Row: Decodable & Sendable>: Decodable, Sendable {
    /// The decoded elements.
    public let rows: [Row]
    /// The skipped elements, for `Page.skipped`.
    public let skipped: [SkippedRow]

    /// Decodes an array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var rows: [Row] = []
        var skipped: [SkippedRow] = []
        rows.reserveCapacity(container.count ?? 0)
        var firstError: (any Error)?
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                rows.append(try container.decode(Row.self))
            } catch {
                // A failed decode doesn't advance the container; decoding an empty type does.
                _ = try container.decode(Anything.self)
                let error = Self.located(error, at: container.codingPath + [Index(index)])
                firstError = firstError ?? error
                skipped.append(SkippedRow(index: index, reason: BrowseError.DecodingFailure.summary(of: error)))
            }
        }
        // If all rows fail, the format has changed, which must not look like an empty list.
        if let firstError, rows.isEmpty { throw firstError }
        self.rows = rows
        self.skipped = skipped
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

/// A JSON array, or one element that isn't in an array, without the elements that can't be decoded.
struct OneOrMore<Row: Decodable & Sendable>: Decodable, Sendable {
    let rows: [Row]
    let skipped: [SkippedRow]

    init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            let list = try LossyArray<Row>(from: decoder)
            (rows, skipped) = (list.rows, list.skipped)
        } else {
            (rows, skipped) = ([try Row(from: decoder)], [])
        }
    }
}

extension BrowseError.DecodingFailure {
    init(_ error: any Error, body: Data) {
        let (path, reason) = Self.describe(error)
        self.init(codingPath: path, reason: reason, excerpt: Excerpt.make(of: body))
    }

    /// Returns the path and the reason in one line.
    static func summary(of error: any Error) -> String {
        let (path, reason) = describe(error)
        return path.isEmpty ? reason : "\(path): \(reason)"
    }

    /// Returns reasons in our own words, since the decoder's can contain the value.
    private static func describe(_ error: any Error) -> (path: String, reason: String) {
        guard let error = error as? DecodingError else { return ("", "not readable") }
        switch error {
        case .typeMismatch(let type, let context):
            return (path(context.codingPath), "not of type \(type)")
        case .valueNotFound(let type, let context):
            return (path(context.codingPath), "null where \(type) was expected")
        case .keyNotFound(let key, let context):
            return (path(context.codingPath + [key]), "missing")
        case .dataCorrupted(let context):
            return (path(context.codingPath), context.codingPath.isEmpty ? "not valid JSON" : "not a valid value")
        @unknown default:
            return ("", "not readable")
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
                let name = isOwn ? key.stringValue : Excerpt.masking(key.stringValue, limit: 40)
                text += text.isEmpty ? name : ".\(name)"
            }
        }
        return text
    }
}
