extension UInt8 {
    /// Whether the byte is an ASCII digit.
    @_spi(Services) public var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// Whether the byte is a lowercase ASCII letter.
    package var isASCIILowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    /// Whether the byte is an uppercase ASCII letter.
    package var isASCIIUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    /// Whether the byte is an ASCII letter.
    @_spi(Services) public var isASCIILetter: Bool { (self | 0x20).isASCIILowercase }
    /// Whether the byte is an ASCII letter or digit.
    @_spi(Services) public var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

    /// The byte, in lowercase if it's an ASCII letter.
    package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }
}

extension Character {
    /// The ASCII byte of a character with one scalar; `nil` for others.
    ///
    /// `asciiValue` accepts `"\r\n"` as well.
    @_spi(Services) public var asciiByte: UInt8? { unicodeScalars.count == 1 ? asciiValue : nil }
}

extension Sequence<UInt8> {
    /// The hexadecimal digits of the bytes, in lowercase.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            digits.append((byte >> 4).hexDigit.asciiLowercased)
            digits.append((byte & 15).hexDigit.asciiLowercased)
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension UInt8 {
    /// The digit of a number below 16, in uppercase.
    fileprivate var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}

extension UInt32 {
    /// Parses hexadecimal digits; `nil` if there is any other byte.
    package init?(hexDigits: some Sequence<UInt8>) {
        self = 0
        for byte in hexDigits {
            switch byte.asciiLowercased {
            case let digit where digit.isASCIIDigit: self = self << 4 | UInt32(digit - UInt8(ascii: "0"))
            case let digit where digit.isASCIILowercase && digit <= UInt8(ascii: "f"):
                self = self << 4 | UInt32(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }
}

/// Percent-encodes everything but unreserved characters (RFC 3986), so values contain no delimiters.
package enum PercentEncoding {
    package static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += escape(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a text once; `nil` if an escape is incomplete, or the bytes aren't UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = Substring(text).utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt32(hexDigits: rest.prefix(2)) else { return nil }
            bytes.append(UInt8(value))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The escape of a byte.
    package static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), (byte >> 4).hexDigit, (byte & 15).hexDigit]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte)
    }
}
