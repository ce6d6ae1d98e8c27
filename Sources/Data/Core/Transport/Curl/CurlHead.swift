#if canImport(Glibc) && canImport(CBrowseCurl)
@_spi(Services) import BrowseDomain
import Foundation

/// Parses the status line and header fields of a response, line by line.
///
/// The rules are those of RFC 9112. Interim responses (1xx) and trailers are skipped, but their
/// bytes count.
struct CurlHead {
    enum Coding {
        case identity, gzip
        /// One that no request accepts.
        case unknown
    }

    /// The maximum size of all heads and trailers of one response, in bytes.
    static let byteLimit = 300 << 10

    /// The status code; zero before the status line.
    private(set) var status = 0
    /// The header fields; those with the same name are joined by commas (RFC 9110, section 5.3).
    private(set) var headers = HTTPHeaders()
    /// Whether the empty line after the header fields of a final response has arrived.
    private(set) var isComplete = false
    private var expectsStatusLine = true
    private var byteCount = 0
    private var announcedLength: Int?
    /// The field that a line with a leading space continues.
    private var lastName: String?

    /// The announced size of the transferred body in bytes; `nil` if unknown.
    var bodyLength: Int? {
        let hasBody = status != 204 && status != 304
        return hasBody && headers["transfer-encoding"] == nil ? announcedLength : nil
    }

    /// The encoding of the body, by `Content-Encoding` and `Transfer-Encoding` (RFC 9110, section
    /// 8.4.1).
    var coding: Coding {
        // libcurl would decode others in transfers, even though none was offered, and not report a
        // truncated stream.
        let transfer = headers["transfer-encoding"].map { $0.lowercased() } ?? "chunked"
        guard transfer == "chunked" || transfer == "identity" else { return .unknown }
        // A repeated coding was applied twice. Empty elements (RFC 9110, section 5.6.1) and
        // `identity` (section 8.4) are none.
        let text = headers.fields["content-encoding"]?.lowercased() ?? ""
        let codings = text.split { ", \t".contains($0) }.filter { $0 != "identity" }
        if codings == ["gzip"] || codings == ["x-gzip"] { return .gzip }
        // Browsers take words that aren't codings, such as `utf-8`, for none.
        return ["br", "compress", "deflate", "gzip", "zstd"].contains(where: text.contains) ? .unknown : .identity
    }

    /// Whether bytes can follow the response that the server counts as its body, but libcurl
    /// doesn't.
    ///
    /// They would be read as the response to the next request on the connection.
    var hasAmbiguousEnd: Bool {
        let isChunked = headers["transfer-encoding"] != nil
        return switch status {
        case 204: isChunked || announcedLength ?? 0 > 0
        case 304: isChunked
        default: isChunked && announcedLength != nil
        }
    }

    /// Parses the next line, including its line break.
    mutating func append(_ line: UnsafeRawBufferPointer) throws(CurlProblem) {
        byteCount += line.count
        guard byteCount <= Self.byteLimit else { throw .tooLarge(limit: Self.byteLimit) }
        guard !isComplete else { return }
        var line = line[...]
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard let first = line.first else {
            isComplete = status >= 200
            expectsStatusLine = true
            return
        }
        if expectsStatusLine {
            begin(line)
        } else if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            if let lastName { try append(line, to: lastName, separator: " ") }
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = line[..<colon]
            // libcurl also ignores fields whose name isn't a token (RFC 9112, section 5.1).
            let isToken = name.allSatisfy(HTTPHeaders.isTokenByte) && !name.isEmpty
            lastName = isToken ? String(decoding: name.map(\.asciiLowercased), as: UTF8.self) : nil
            if let lastName { try append(line[(colon + 1)...], to: lastName, separator: ", ") }
        }
    }

    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) {
        let code = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
        status = code.allSatisfy(\.isASCIIDigit) ? code.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : 0
        headers = HTTPHeaders()
        announcedLength = nil
        lastName = nil
        expectsStatusLine = false
    }

    private mutating func append(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        to name: String,
        separator: String
    ) throws(CurlProblem) {
        let value = bytes.trimmingWhitespace
        if name == "content-length" { try announce(value) }
        headers.append(HTTPHeaders.sanitized(value), toLowercase: name, separator: separator)
    }

    /// Parses a `Content-Length`, which can be repeated but must not differ (RFC 9110, section
    /// 8.6).
    private mutating func announce(_ value: Slice<UnsafeRawBufferPointer>) throws(CurlProblem) {
        for element in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let digits = element.trimmingWhitespace
            guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { throw .ambiguousLength }
            let length = Int(String(decoding: digits, as: UTF8.self)) ?? .max
            guard announcedLength == nil || announcedLength == length else { throw .ambiguousLength }
            announcedLength = length
        }
    }
}
#endif
