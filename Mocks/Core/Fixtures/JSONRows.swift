package import Foundation

extension Data {
    /// Splits a JSON array into the bytes of its elements.
    ///
    /// It only looks for separators, so the text must be valid JSON.
    ///
    /// - Returns: `nil` if the text isn't an array.
    package func jsonRows() -> [Data]? {
        // Decoders ignore a byte order mark, too (RFC 8259, section 8.1).
        if starts(with: [0xEF, 0xBB, 0xBF]) { return dropFirst(3).jsonRows() }
        var rows: [Data] = []
        var depth = 0
        var isInString = false
        var isEscaped = false
        var row: Range<Index>?
        for (index, byte) in zip(indices, self) {
            let endsRow = !isInString && depth == 1 && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]"))
            if depth > 0, !endsRow, isInString || !Self.isSpace(byte) {
                row = (row?.lowerBound ?? index)..<(index + 1)
            }
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            if endsRow, let found = row {
                rows.append(self[found])
                row = nil
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth == 0, !Self.isSpace(byte) {
                // The end of the array, or of a value that isn't an array.
                return byte == UInt8(ascii: "]") ? rows : nil
            }
        }
        return nil
    }

    /// Joins rows to a JSON array.
    package init(jsonRows rows: some Sequence<Data>) {
        self.init("[".utf8)
        for (index, row) in rows.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            append(row)
        }
        append(UInt8(ascii: "]"))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }
}
