public import BrowseDomain

/// A JSON array without the elements that can't be decoded.
///
/// If no element can be decoded, or more than 10,000 can't, decoding fails with the first error: the service probably uses another
/// format, and each error takes time.
public struct LossyArray<Row: Decodable & Sendable>: Decodable, Sendable {
    /// The decoded elements.
    public let rows: [Row]
    /// The skipped elements, for `Page.skipped`.
    public let skipped: SkippedRows

    /// Decodes an array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var rows: [Row] = []
        var skipped: SkippedRows = []
        var firstError: (any Error)?
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                rows.append(try container.decode(Row.self))
            } catch {
                // A failed decode doesn't advance the container; decoding an empty type does.
                _ = try container.decode(Anything.self)
                let path = { container.codingPath + [Index(index)] }
                if firstError == nil { firstError = Self.located(error, at: path()) }
                if let firstError, skipped.count >= Self.skippedLimit { throw firstError }
                skipped.append(SkippedRow(index: index, Self.located(error, at: path())))
            }
        }
        // If all rows fail, the format has changed, which must not look like an empty list.
        if let firstError, rows.isEmpty { throw firstError }
        self.rows = rows
        self.skipped = skipped
    }

    private static var skippedLimit: Int { 10_000 }

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
