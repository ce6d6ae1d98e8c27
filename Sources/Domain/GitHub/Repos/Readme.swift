@_spi(Services) import BrowseDomain

extension GitHub {
    /// The README of a code repository, as its author wrote it, usually in Markdown.
    public struct Readme: Hashable, Sendable {
        /// The number of bytes in UTF-8 after which the text is cut off.
        public static let byteLimit = 100_000

        /// The source of the text, up to the limit.
        public let text: String
        /// Whether the text was cut off.
        public let isTruncated: Bool

        /// Creates a README from the bytes of its file, of which invalid ones are replaced.
        ///
        /// A byte order mark isn't part of the text; with that of UTF-16, the bytes are UTF-16.
        public init(_ bytes: some BidirectionalCollection<UInt8>) {
            let start = bytes.prefix(Self.byteLimit)
            isTruncated = bytes.count > Self.byteLimit
            let mark = Array(start.prefix(2))
            if mark == [0xFF, 0xFE] || mark == [0xFE, 0xFF] {
                let rest = Array(start.dropFirst(2))
                var units = stride(from: 1, to: rest.count, by: 2).map { UInt16(rest[$0 - 1]) << 8 | UInt16(rest[$0]) }
                if mark[0] == 0xFF { units = units.map(\.byteSwapped) }
                if isTruncated, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
                text = String(decoding: units, as: UTF16.self).withFewMarks
                return
            }
            // The last character may be incomplete: its later bytes begin with the bits 10.
            let end = isTruncated ? bytes.prefix(Self.byteLimit + 1).lastIndex { $0 & 0xC0 != 0x80 } : nil
            let decoded = String(decoding: start[..<(end ?? start.endIndex)], as: UTF8.self)
            text = String(decoded.withFewMarks.trimmingPrefix("\u{FEFF}"))
        }
    }
}
