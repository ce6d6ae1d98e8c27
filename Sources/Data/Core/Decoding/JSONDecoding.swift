import BrowseDomain
import Foundation

extension HTTPClient.Response {
    /// Decodes the body as JSON, in the closure of an ``Endpoint``.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - otherType: Another media type that the service uses for JSON, in lowercase.
    /// - Throws: The decoder's error, or ``ResponseFailure`` if the body is empty, has another
    ///   media type, or has too many values.
    public func json<Value: Decodable>(_ type: Value.Type, alsoAs otherType: String? = nil) throws -> Value {
        guard !body.isEmpty else { throw ResponseFailure(.empty) }
        if let contentType = mediaType, contentType != otherType, !Self.isJSON(contentType) {
            throw ResponseFailure(.contentType(shownType))
        }
        return try decoded(type)
    }

    /// The maximum number of JSON values in a body.
    ///
    /// It bounds the time and memory of decoding: 8 MiB can have 4 million values. For comparison,
    /// a page of 100 repositories has 10,000.
    static var jsonValueLimit: Int { 150_000 }

    /// Decodes the body as JSON, whatever its media type, such as that of an error response.
    ///
    /// - Parameter type: The type to decode.
    /// - Throws: The decoder's error, or ``ResponseFailure`` if the body has too many values, or
    ///   isn't in UTF-8.
    public func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Source: RFC 8259, section 8.1. `JSONDecoder` would also read UTF-16 and UTF-32.
        guard !body.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) else {
            throw ResponseFailure(.decoding(.init(codingPath: "", reason: "not valid JSON")))
        }
        guard !body.hasMoreJSONValues(than: Self.jsonValueLimit) else {
            throw ResponseFailure(.tooManyValues(limit: Self.jsonValueLimit))
        }
        let value = try Self.decoder.decode(type, from: body.withoutLoneSurrogates.withFewMarks)
        DecodingObserver.current?.didDecode(type, body, Self.decoder)
        return value
    }

    /// Shared, because it's thread-safe and costs more to create than a small response to decode.
    private static let decoder = JSONDecoder()

    /// The lowercase content type without parameters; `nil` if there is none.
    ///
    /// It's the first one if a gateway has added another. Some services leave out the semicolon.
    public var mediaType: String? {
        headers["Content-Type"].map { $0[...].trimmingWhitespace.prefix { !";, \t".contains($0) }.lowercased() }
    }

    /// The content type for errors.
    var shownType: String { ShownText.words(headers["Content-Type"] ?? "", limit: 100) }

    /// Whether a type is `application/json`, `text/json`, or has the suffix `+json` (RFC 6839).
    static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }
}

extension BrowseError.DecodingFailure {
    /// Describes an error in our own words, since the decoder's can contain the value.
    package init(_ error: any Error) {
        switch error as? DecodingError {
        case .typeMismatch(let type, let context):
            self.init(codingPath: Self.path(context.codingPath), reason: "not of type \(type)")
        case .valueNotFound(let type, let context):
            self.init(codingPath: Self.path(context.codingPath), reason: "null where \(type) was expected")
        case .keyNotFound(let key, let context):
            self.init(codingPath: Self.path(context.codingPath + [key]), reason: "missing")
        case .dataCorrupted(let context):
            let reason = context.codingPath.isEmpty ? "not valid JSON" : "not a valid value"
            self.init(codingPath: Self.path(context.codingPath), reason: reason)
        default: self.init(codingPath: "", reason: "not readable")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                // The keys of our types are literals, or raw values of enums; those of dictionaries
                // come from the server and may be secret.
                let isOwn = key is JSONKey || key is any RawRepresentable
                let name = isOwn ? key.stringValue : ShownText.words(key.stringValue, limit: 40)
                text += text.isEmpty ? name : ".\(name)"
            }
        }
        return text
    }
}

extension Data {
    /// The JSON text with U+FFFD in place of halves of surrogate pairs, as browsers show them.
    ///
    /// Services that cut texts leave them, and `JSONDecoder` refuses a text that has one.
    var withoutLoneSurrogates: Data {
        let positions = withUnsafeBytes(Self.loneSurrogates)
        guard !positions.isEmpty else { return self }
        var data = Data(self)
        for position in positions { data.replaceSubrange(position..<position + 6, with: #"\uFFFD"#.utf8) }
        return data
    }

    /// Returns the positions of escapes such as `\uD83D` that aren't part of a pair.
    private static func loneSurrogates(in bytes: UnsafeRawBufferPointer) -> [Int] {
        var positions: [Int] = []
        var index = 0
        while let start = bytes.baseAddress, index < bytes.count,
            let backslash = memchr(start + index, Int32(UInt8(ascii: "\\")), bytes.count - index)
        {
            index = UnsafeRawPointer(backslash) - start
            let escape = bytes.escape(at: index)
            if let escape, escape.scalar == nil { positions.append(index) }
            index += escape?.length ?? 2
        }
        return positions
    }

    /// The JSON text with at most 30 combining marks in a row, unless they are few in total.
    ///
    /// A `String` sorts them when it's hashed or compared, in a time that grows with the square of
    /// their number: for a key of 8 MiB, it's hours.
    fileprivate var withFewMarks: Data {
        withUnsafeBytes { bytes in
            let backslash = UInt8(ascii: "\\")
            guard bytes.count(where: { $0 >= 0x80 || $0 == backslash }) > 10_000 else { return self }
            var (data, end, run, index) = (Data(), 0, 0, 0)
            while index < bytes.count {
                let byte = bytes[index]
                let escape = byte == backslash ? bytes.escape(at: index) : nil
                let size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 || byte == backslash ? 2 : 1
                let next = Swift.min(index + (escape?.length ?? size), bytes.count)
                let bits = byte < 0xC0 ? 0 : bytes[index..<next].reduce(0) { $0 << 6 | UInt32($1 & 0x3F) }
                let scalar = escape?.scalar ?? Unicode.Scalar(bits & ((1 << (5 * size + 1)) - 1))
                run = scalar?.isMark == true ? run + 1 : 0
                if run == 31 { data.append(contentsOf: bytes[end..<index]) }
                if run > 30 { end = next }
                index = next
            }
            return end == 0 ? self : data + bytes[end...]
        }
    }

    /// Whether a JSON text has more values than a limit.
    ///
    /// Values are objects, arrays, strings, numbers, Booleans, and nulls; an empty object or array
    /// counts twice. A decoder needs memory and time for each value, up to a hundred times as much
    /// as for its bytes.
    func hasMoreJSONValues(than limit: Int) -> Bool {
        // Each value has a byte, and a separator or an end.
        guard count / 2 >= limit else { return false }
        return withUnsafeBytes { bytes in
            var count = 0
            var isString = false
            var isEscaped = false
            for byte in bytes {
                if isString {
                    isString = isEscaped || byte != UInt8(ascii: "\"")
                    isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                    continue
                }
                switch byte {
                // All but one are the first of an object or array, or follow a comma.
                case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
                default: isString = byte == UInt8(ascii: "\"")
                }
            }
            return count >= limit
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the scalar in an escape such as `\uD83D\uDE00`, and the escape's length.
    ///
    /// There is no scalar for half of a surrogate pair, and nothing without an escape.
    fileprivate func escape(at index: Int) -> (scalar: Unicode.Scalar?, length: Int)? {
        func unit(at index: Int) -> UInt32? {
            guard index + 6 <= count, self[index..<index + 2].elementsEqual(#"\u"#.utf8) else { return nil }
            return UInt32(hexDigits: self[index + 2..<index + 6])
        }
        guard let first = unit(at: index) else { return nil }
        if first & 0xFC00 == 0xD800, let second = unit(at: index + 6), second & 0xFC00 == 0xDC00 {
            return (Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)), 12)
        }
        return (Unicode.Scalar(first), 6)
    }
}
