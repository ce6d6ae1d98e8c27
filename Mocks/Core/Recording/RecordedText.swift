import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The bytes of a recorded text, which are searched in one pass each.
///
/// With strings and regular expressions, a recording of 50 MB would take a minute.
struct RecordedText {
    private(set) var bytes: [UInt8]

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// Any bytes, such as those of a form with an image.
    init(bytesOf data: Data) { bytes = Array(data) }

    /// - Returns: `nil` for bytes that aren't UTF-8, such as those of an image.
    init?(_ data: Data) {
        guard String(data: data, encoding: .utf8) != nil else { return nil }
        bytes = Array(data)
    }

    func contains(_ text: StaticString) -> Bool { index(of: Array("\(text)".utf8), from: 0) != nil }

    /// The first position of some bytes, at or after an index.
    func index(of text: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { all in
            text.withUnsafeBytes { text in
                guard let base = all.baseAddress, let wanted = text.baseAddress else { return nil }
                var index = start
                while index + text.count <= all.count {
                    let rest = all.count - text.count + 1 - index
                    guard let found = memchr(base + index, Int32(text[0]), rest) else { return nil }
                    if memcmp(found, wanted, text.count) == 0 { return UnsafeRawPointer(found) - base }
                    index = UnsafeRawPointer(found) - base + 1
                }
                return nil
            }
        }
    }

    /// The text with percent-encoded separators of a query, and percent signs, decoded.
    func decodingSeparators() -> RecordedText {
        let marks = ["%3d": "=", "%3f": "?", "%26": "&", "%23": "#", "%25": "%"]
        var edits: [(range: Range<Int>, text: [UInt8])] = []
        var next = index(of: [UInt8(ascii: "%")], from: 0)
        while let percent = next {
            next = index(of: [UInt8(ascii: "%")], from: percent + 1)
            let code = percent..<min(percent + 3, bytes.count)
            if let mark = marks[self[code].lowercased()] { edits.append((code, Array(mark.utf8))) }
        }
        var text = self
        text.replace(edits)
        return text
    }

    /// The bytes; those of a multipart form without its boundary (RFC 2046, section 5.1.1).
    var withoutBoundary: Data {
        func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") }
        guard let start = bytes.firstIndex(where: { !isBreak($0) }), let end = bytes.lastIndex(where: { !isBreak($0) })
        else { return Data(bytes) }
        let delimiter = Array(bytes[start...].prefix { !isBreak($0) })
        guard delimiter.count > 2, delimiter.starts(with: "--".utf8),
            bytes[...end].suffix(delimiter.count + 2).elementsEqual(delimiter + "--".utf8)
        else { return Data(bytes) }
        var edits: [(range: Range<Int>, text: [UInt8])] = []
        var next = index(of: delimiter, from: start)
        while let found = next {
            edits.append((found + 2..<found + delimiter.count, []))
            next = index(of: delimiter, from: found + delimiter.count)
        }
        var text = self
        text.replace(edits)
        return Data(text.bytes)
    }

    /// The bytes of a range as text.
    subscript(range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Replaces ranges, which are in order and don't overlap.
    mutating func replace(_ edits: [(range: Range<Int>, text: [UInt8])]) {
        guard !edits.isEmpty else { return }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var end = 0
        for (range, text) in edits {
            result += bytes[end..<range.lowerBound]
            result += text
            end = range.upperBound
        }
        bytes = result + bytes[end...]
    }
}

extension RecordedText {
    /// Whether the text can be a form: `name=value&name=value`.
    var isForm: Bool {
        let first = bytes.first { $0 > 0x20 }
        return contains("=") && !contains("<") && first.map { "{[\"".utf8.contains($0) } == false
    }

    /// The members of JSON whose values are strings.
    ///
    /// - Parameter names: The names in lowercase.
    /// - Returns: The ranges of the name, and of the value with its quotation marks.
    func members(named names: Set<String>) -> [(name: Range<Int>, value: Range<Int>)] {
        let hashes = Set(names.map { name in name.utf8.reduce(Self.seed) { $0 &* 33 &+ UInt64($1 | 0x20) } })
        let isJSON = bytes.first { $0 > 0x20 }.map { "{[".utf8.contains($0) } == true
        var members: [(name: Range<Int>, value: Range<Int>)] = []
        forEachTextMember(isJSON) { name, hash, value in
            // Few other names have the hash of one.
            guard hash.map(hashes.contains) ?? true else { return }
            let text = Self.decoded(bytes[name.lowerBound - 1...name.upperBound]) ?? ""
            if names.contains(text.lowercased()) { members.append((name, value)) }
        }
        return members
    }

    /// The start of the hash of a name, which is equal for letters in both cases.
    private static let seed: UInt64 = 5381

    /// - Parameters:
    ///   - isJSON: Whether quotation marks are in pairs; otherwise, any can be the first.
    ///   - body: Receives the hash of the name, or `nil` if it has escapes.
    private func forEachTextMember(
        _ isJSON: Bool,
        _ body: (_ name: Range<Int>, _ hash: UInt64?, _ value: Range<Int>) -> Void
    ) {
        bytes.withUnsafeBufferPointer { all in
            guard let text = all.baseAddress else { return }
            let (count, quote) = (all.count, UInt8(ascii: "\""))

            func mark(from start: Int) -> Int? {
                guard start < count else { return nil }
                return memchr(text + start, Int32(quote), count - start).map {
                    UnsafeRawPointer($0) - UnsafeRawPointer(text)
                }
            }
            func end(of open: Int) -> Int? {
                var next = mark(from: open + 1)
                while let close = next {
                    var first = close
                    while first > open + 1, text[first - 1] == UInt8(ascii: "\\") { first -= 1 }
                    if (close - first) & 1 == 0 { return close }
                    next = mark(from: close + 1)
                }
                return nil
            }
            func isNext(_ byte: UInt8, _ index: inout Int) -> Bool {
                index += 1
                while index < count, text[index] <= 0x20 { index += 1 }
                return index < count && text[index] == byte
            }

            var next = mark(from: 0)
            while let open = next {
                guard let close = end(of: open) else { break }
                next = mark(from: isJSON ? close + 1 : close)
                var value = close
                guard isNext(UInt8(ascii: ":"), &value), isNext(quote, &value), let last = end(of: value) else {
                    continue
                }
                var (hash, isPlain, index) = (Self.seed, true, open + 1)
                while index < close {
                    if text[index] == UInt8(ascii: "\\") { isPlain = false }
                    hash = hash &* 33 &+ UInt64(truncatingIfNeeded: text[index] | 0x20)
                    index += 1
                }
                body(open + 1..<close, isPlain ? hash : nil, value..<last + 1)
                next = mark(from: isJSON ? last + 1 : last)
            }
        }
    }

    /// The string of a JSON literal; `nil` if it isn't valid.
    static func decoded(_ literal: ArraySlice<UInt8>) -> String? {
        try? JSONDecoder().decode(String.self, from: Data(literal))
    }
}

extension RecordedText {
    /// The words that begin with one of some prefixes, and have some more characters than it.
    func words(withPrefixes prefixes: [String], longerBy more: Int) -> [String] {
        let prefixes = prefixes.map { Array($0.utf8) }.filter { !$0.isEmpty }
        // Whether a byte is the first of a prefix, and the second.
        var marks = Array(repeating: (first: false, second: false), count: 256)
        for prefix in prefixes {
            marks[Int(prefix[0])].first = true
            for byte in prefix.count > 1 ? [prefix[1]] : Array(0...UInt8.max) { marks[Int(byte)].second = true }
        }
        var words: [String] = []
        bytes.withUnsafeBufferPointer { all in
            marks.withUnsafeBufferPointer { marks in
                guard let text = all.baseAddress, let marks = marks.baseAddress else { return }
                var index = 0
                while index < all.count {
                    let start = index
                    index += 1
                    guard marks[Int(truncatingIfNeeded: text[start])].first, index < all.count,
                        marks[Int(truncatingIfNeeded: text[index])].second
                    else { continue }
                    for prefix in prefixes
                    where start + prefix.count <= all.count && memcmp(text + start, prefix, prefix.count) == 0 {
                        var end = start + prefix.count
                        while end < all.count, text[end].isTokenCharacter { end += 1 }
                        if end - start >= prefix.count + more {
                            words.append(self[start..<end])
                            // The rest of a token that is broken at the end of a line.
                            while let line = longWord(afterLineBreakAt: end, in: all) {
                                words.append(self[line])
                                end = line.upperBound
                            }
                        }
                        index = max(index, end)
                    }
                }
            }
        }
        return words
    }

    /// Returns the word of 20 or more characters after a line break, also one that JSON escapes.
    private func longWord(afterLineBreakAt index: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var start = index
        while start < text.count {
            if text[start] == 0x0A || text[start] == 0x0D {
                start += 1
            } else if text[start] == 0x5C, start + 1 < text.count, text[start + 1] == 0x6E || text[start + 1] == 0x72 {
                start += 2
            } else {
                break
            }
        }
        let end = text[start...].firstIndex { !$0.isTokenCharacter } ?? text.count
        return start > index && end - start >= 20 ? start..<end : nil
    }

    /// Removes users and passwords from URLs, also from JSON-escaped and percent-encoded ones.
    mutating func removeUserInformation() {
        if contains("%40") { removeEncodedUserInformation() }
        guard contains("@") else { return }
        var edits: [(Range<Int>, [UInt8])] = []
        bytes.withUnsafeBufferPointer { all in
            guard let text = all.baseAddress else { return }
            var index = 0
            while index < all.count,
                let colon = memchr(text + index, Int32(UInt8(ascii: ":")), all.count - index)
            {
                index = UnsafeRawPointer(colon) - UnsafeRawPointer(text) + 1
                var start = index
                for _ in 0..<2 {
                    if start < all.count, text[start] == UInt8(ascii: "\\") { start += 1 }
                    guard start < all.count, text[start] == UInt8(ascii: "/") else {
                        start = -1
                        break
                    }
                    start += 1
                }
                guard start >= 0 else { continue }
                var end = start
                index = start
                while index < all.count, !text[index].endsAuthority {
                    if text[index] == UInt8(ascii: "@") { end = index + 1 }
                    index += 1
                }
                if end > start { edits.append((start..<end, [])) }
            }
        }
        replace(edits)
    }

    private mutating func removeEncodedUserInformation() {
        var edits: [(Range<Int>, [UInt8])] = []
        var next = index(of: [UInt8(ascii: "%")], from: 0)
        while let percent = next {
            let start = percent + 9
            var index = percent + 1
            if start <= bytes.count, self[percent..<start].lowercased() == "%3a%2f%2f" {
                var end = start
                index = start
                while index < bytes.count, !bytes[index].endsAuthority, !bytes[index].endsFormValue {
                    let code = bytes[index] == UInt8(ascii: "%") ? self[index..<min(index + 3, bytes.count)] : ""
                    if ["%2f", "%3f", "%23"].contains(code.lowercased()) { break }
                    index += 1
                    if code == "%40" { end = index + 2 }
                }
                if end > start { edits.append((start..<end, [])) }
            }
            next = self.index(of: [UInt8(ascii: "%")], from: index)
        }
        replace(edits)
    }
}

extension UInt8 {
    fileprivate var isTokenCharacter: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & 0xDF) || self == 0x5F || self == 0x2D
            || self == 0x2E
    }

    fileprivate var endsFormValue: Bool { self == UInt8(ascii: "&") || self == UInt8(ascii: "=") }

    /// Whether a byte ends the host of a URL in a text: a space, or one of `/?#"'<>\`.
    fileprivate var endsAuthority: Bool {
        switch self {
        case ...0x20, 0x22, 0x23, 0x27, 0x2F, 0x3C, 0x3E, 0x3F, 0x5C: true
        default: false
        }
    }
}
