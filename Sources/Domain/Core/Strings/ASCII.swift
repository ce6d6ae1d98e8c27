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

    /// The digit of a number below 16, in uppercase.
    var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
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
        let digits = flatMap { [($0 >> 4).hexDigit, ($0 & 15).hexDigit] }
        return String(decoding: digits.map(\.asciiLowercased), as: UTF8.self)
    }
}

extension UInt32 {
    /// Parses hexadecimal digits; `nil` if there is any other byte.
    ///
    /// The initializer for texts accepts a sign, and takes a second for a large body's escapes.
    @inlinable
    package init?(hexDigits: some Collection<UInt8>) {
        self = 0
        for byte in hexDigits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt32(byte & 0x0F)
            case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                self = self << 4 | UInt32(byte & 0x0F + 9)
            default: return nil
            }
        }
    }
}
