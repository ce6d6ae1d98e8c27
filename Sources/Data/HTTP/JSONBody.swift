public import BrowseDomain
public import Foundation

/// Thrown by an endpoint's `decode` when the response is not what was promised, before anything was decoded.
struct UnusableResponse: Error {
    let reason: BrowseError.UnusableResponse
}

/// Thrown by an endpoint's `decode` when a response says no although its status is one of success.
struct RefusedResponse: Error {
    /// What it means; the client knows which request it was.
    let error: @Sendable (BrowseError.RequestInfo) -> BrowseError
}

extension HTTPResponse {
    /// Decodes the body as JSON, in the closure of an ``Endpoint``.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; a service's endpoints can share one.
    ///   - otherType: Another media type that the service declares for its JSON, in lower case.
    /// - Throws: The decoder's error, or an error that becomes `.unusableResponse`: the body is empty or declared as something else.
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

    /// The content type without its parameters, in lower case; `nil` when there is none.
    var mediaType: String? {
        headers["Content-Type"].map { $0.prefix { $0 != ";" }.trimmingWhitespace.lowercased() }
    }

    /// `application/json`, `text/json` or a type with the suffix `+json` (RFC 6839).
    private static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }
}

/// A JSON array from which elements that can't be read are left out.
///
/// If none of the elements can be read, decoding fails with the first error: the service uses another format.
public struct LossyArray<Row: Decodable & Sendable>: Decodable, Sendable {
    /// The elements that can be read.
    public let rows: [Row]
    /// The elements that were left out, for `Page.skipped`.
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
                // A failed decode does not move on; decoding nothing does.
                _ = try container.decode(Anything.self)
                let error = Self.located(error, at: container.codingPath + [Index(index)])
                firstError = firstError ?? error
                skipped.append(SkippedRow(index: index, reason: BrowseError.DecodingFailure.summary(of: error)))
            }
        }
        // A bad row is an accident; a page of nothing else is another format, and must not look like an empty list.
        if let firstError, rows.isEmpty { throw firstError }
        self.rows = rows
        self.skipped = skipped
    }

    /// Text that is not UTF-8 and numbers out of all bounds are errors of the parser, which tell no place.
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

/// What a service answers with one thing when it has one, and with an array when it has more or none.
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

    /// Path and reason in one line.
    static func summary(of error: any Error) -> String {
        let (path, reason) = describe(error)
        return path.isEmpty ? reason : "\(path): \(reason)"
    }

    /// The reasons are our own words: the decoder's may quote the value.
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
                // The keys of our own types are raw values of an enum; those of a dictionary are the server's words.
                let isOwn = key is any RawRepresentable
                let name = isOwn ? key.stringValue : Excerpt.masking(key.stringValue, limit: 40)
                text += text.isEmpty ? name : ".\(name)"
            }
        }
        return text
    }
}
