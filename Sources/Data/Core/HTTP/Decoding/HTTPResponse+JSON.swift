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

    /// Creates the failure of a response that lacks a row because the row can't be decoded.
    public init(_ row: SkippedRow) {
        self.init(.decoding(BrowseError.DecodingFailure(codingPath: row.codingPath, reason: row.reason)))
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

extension SkippedRow {
    init(index: Int, _ error: any Error) {
        let (path, reason) = BrowseError.DecodingFailure.describe(error)
        self.init(index: index, codingPath: path, reason: reason)
    }
}

extension BrowseError.DecodingFailure {
    init(_ error: any Error) {
        let (path, reason) = Self.describe(error)
        self.init(codingPath: path, reason: reason)
    }

    /// Returns reasons in our own words, since the decoder's can contain the value.
    fileprivate static func describe(_ error: any Error) -> (path: String, reason: String) {
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
                let name = isOwn ? key.stringValue : ShownText.words(key.stringValue, limit: 40)
                text += text.isEmpty ? name : ".\(name)"
            }
        }
        return text
    }
}
