package import Foundation

extension URL {
    /// Parses an address from outside as browsers do (WHATWG, "URL", section 4.4).
    ///
    /// Spaces around it and line breaks don't count, and only raw characters are escaped. `URL(string:)` also escapes the
    /// escapes beside them again.
    package init?(lenient text: String, relativeTo base: URL? = nil) {
        let bytes = text.utf8.filter { !"\t\n\r".utf8.contains($0) }
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let end = bytes.lastIndex(where: { $0 > 0x20 }) else {
            return nil
        }
        var rest = bytes[start...end]
        var written: [UInt8] = []
        // A host has escapes of its own.
        let scheme = rest.prefix { !"/?#".utf8.contains($0) }
        if scheme.isEmpty || scheme.last == UInt8(ascii: ":"), rest[scheme.endIndex...].starts(with: "//".utf8) {
            let host = rest[scheme.endIndex...].dropFirst(2).prefix { !"/?#".utf8.contains($0) }
            written += rest[..<host.endIndex]
            rest = rest[host.endIndex...]
        }
        var isFragment = false
        while let byte = rest.popFirst() {
            let isRaw =
                switch byte {
                case UInt8(ascii: "%"): rest.count < 2 || UInt32(hexDigits: rest.prefix(2)) == nil
                case UInt8(ascii: "#"): isFragment
                default: !byte.isASCIILetterOrDigit && !"-._~!$&'()*+,;=:@/?".utf8.contains(byte)
                }
            if byte == UInt8(ascii: "#") { isFragment = true }
            written += isRaw ? PercentEncoding.escape(byte) : [byte]
        }
        self.init(string: String(decoding: written, as: UTF8.self), relativeTo: base)
    }
}
