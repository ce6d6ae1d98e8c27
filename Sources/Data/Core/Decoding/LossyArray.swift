public import BrowseDomain

/// A JSON array without the elements that can't be decoded.
///
/// A null is an empty array, as some servers encode one. If no element can be decoded, decoding
/// fails with the first error: the service probably uses another format. The page behind an
/// ``Endpoint/Location/page(_:of:)`` is empty instead, since an earlier one had that format.
public struct LossyArray<Row: Decodable & Sendable>: Decodable, Sendable {
    /// The decoded elements.
    public let rows: [Row]
    /// The skipped elements, for `Page.skipped`.
    public let skipped: SkippedRows

    /// Decodes an array.
    public init(from decoder: any Decoder) throws {
        guard (try? decoder.singleValueContainer())?.decodeNil() != true else {
            (self.rows, self.skipped) = ([], SkippedRows())
            return
        }
        var container = try decoder.unkeyedContainer()
        let null = DecodingError.valueNotFound(Row.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
        var rows: [Row] = []
        var firstError: (any Error)?
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                // Decoding a null as a row doesn't advance the container, not even as an empty
                // type.
                guard try !container.decodeNil() else { throw null }
                rows.append(try container.decode(Row.self))
            } catch {
                // A failed decode doesn't advance the container; decoding an empty type does.
                if container.currentIndex == index { _ = try container.decode(Anything.self) }
                firstError = firstError ?? Self.located(error, at: container.codingPath + [JSONKey(intValue: index)])
            }
        }
        // If all rows fail, the format has changed, which must not look like an empty list.
        if let firstError, rows.isEmpty, !HTTPClient.decodesLaterPage { throw firstError }
        self.rows = rows
        skipped = SkippedRows(
            count: container.currentIndex - rows.count,
            first: firstError.map(BrowseError.DecodingFailure.init)
        )
    }

    /// Adds the path to errors of the parser, which has none for invalid UTF-8 and numbers out of
    /// range.
    private static func located(_ error: any Error, at path: [any CodingKey]) -> any Error {
        guard !(error is DecodingError) else { return error }
        return DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "", underlyingError: error))
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
