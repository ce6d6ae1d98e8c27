import Foundation

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
