@_spi(Services) import BrowseDomain
import Foundation

/// A stored response, without header fields that identify a user or belong to a single exchange.
struct CachedResponse: Hashable, Sendable {
    let status: Int
    let url: URL
    private(set) var headers: HTTPHeaders
    let body: Data
    /// The date when the server last sent or confirmed it.
    private(set) var date: Date

    init(_ response: HTTPResponse, date: Date) {
        status = response.status
        url = response.url
        var headers = response.headers
        headers.remove { !Self.isStored($0, of: response.headers) }
        self.headers = headers
        body = response.body
        self.date = date
    }

    /// Whether a field is stored.
    ///
    /// Credentials aren't. Nor are fields of a single exchange: a rate limit would be out of date, and a field that differs
    /// in every response would rewrite the row at each confirmation.
    private static func isStored(_ name: String, of headers: HTTPHeaders) -> Bool {
        !omitted.contains(name) && !headers.declaredCredentials.contains(name) && !name.hasPrefix("x-ratelimit-")
            && !name.hasSuffix("request-id")
    }

    private static let omitted = HTTPHeaders.credentialNames.union([
        "age", "cf-ray", "connection", "date", "keep-alive", "server-timing", "x-runtime-rack", "x-served-by",
    ])

    /// Decodes a stored row; `nil` if it is damaged or belongs to another key.
    init?(head: Data, body: Data, checksum: Int64, date: Date, under key: String) {
        guard checksum == Self.checksum(of: [Data(key.utf8), head, body]),
            let (status, url, headers) = head.withUnsafeBytes(Self.read)
        else { return nil }
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
        self.date = date
    }

    /// The encoded status, URL, and header fields, one per line.
    ///
    /// Encoding JSON took as long as storing the whole response.
    var head: Data {
        var head: [UInt8] = []
        head.reserveCapacity(4096)
        head += "\(status)\n\(url.absoluteString)".utf8
        for (name, value) in headers.fields {
            head.append(Self.lineBreak)
            head += name.utf8
            head.append(UInt8(ascii: ":"))
            head += value.inOneLine.utf8
        }
        return Data(head)
    }

    private static var lineBreak: UInt8 { UInt8(ascii: "\n") }

    /// Decodes ``head``.
    private static func read(_ head: UnsafeRawBufferPointer) -> (status: Int, url: URL, headers: HTTPHeaders)? {
        let lines = head.split(separator: lineBreak)
        guard lines.count >= 2, let status = Int(String(decoding: lines[0], as: UTF8.self)),
            (100..<600).contains(status), let url = URL(string: String(decoding: lines[1], as: UTF8.self))
        else { return nil }
        var headers = HTTPHeaders()
        headers.reserveCapacity(lines.count)
        for line in lines[2...] {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let name = line[..<colon]
            // Names are stored in lowercase.
            guard !name.contains(where: \.isASCIIUppercase) else { return nil }
            headers.set(
                String(decoding: line[(colon + 1)...], as: UTF8.self),
                toLowercase: String(decoding: name, as: UTF8.self)
            )
        }
        return (status, url, headers)
    }

    /// Returns the response in the form in which the server sends it.
    ///
    /// - Parameter confirmation: The header fields of the server's 304, if there was one.
    func response(_ provenance: Provenance, confirmedBy confirmation: HTTPHeaders = [:]) -> HTTPResponse {
        var fields = confirmation
        for name in Self.ofBody { fields[name] = nil }
        // The stored fields were updated by the confirmation.
        fields.merge(headers)
        return HTTPResponse(status: status, headers: fields, body: body, url: url, provenance: provenance)
    }

    /// Returns the response with the header fields of a confirmation (RFC 9111, section 3.2).
    func confirmed(by confirmation: HTTPHeaders, at date: Date) -> CachedResponse {
        var response = self
        response.headers.merge(confirmation) { !Self.ofBody.contains($0) && Self.isStored($0, of: confirmation) }
        response.date = date
        return response
    }

    /// Whether this confirmed response must replace the stored one.
    ///
    /// A list that is loaded again and again would otherwise be written each time, although only the seconds change.
    func mustReplace(_ stored: CachedResponse) -> Bool {
        headers != stored.headers || abs(date.timeIntervalSince(stored.date)) >= Self.dateAccuracy
    }

    /// The accuracy of stored dates in seconds.
    private static let dateAccuracy: TimeInterval = 10

    /// Fields that describe a body, which a 304 doesn't have.
    private static let ofBody: Set = [
        "content-length", "content-encoding", "content-type", "content-range", "transfer-encoding",
    ]

    /// A checksum that detects damage, but not tampering.
    static func checksum(of parts: [Data]) -> Int64 {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ word: UInt64) {
            sum = (sum ^ word) &* factor
            sum ^= sum >> 32
        }
        for part in parts {
            add(UInt64(part.count))
            part.withUnsafeBytes { bytes in
                // Four independent sums, which the processor computes in parallel. SIMD took twice as long, because few
                // processors multiply vectors of 64-bit integers.
                var sums: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
                func step(_ sum: inout UInt64, at offset: Int) {
                    sum = (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* factor
                    sum ^= sum >> 32
                }
                let blocks = bytes.count / 32
                for start in stride(from: 0, to: 32 * blocks, by: 32) {
                    step(&sums.0, at: start)
                    step(&sums.1, at: start + 8)
                    step(&sums.2, at: start + 16)
                    step(&sums.3, at: start + 24)
                }
                for sum in [sums.0, sums.1, sums.2, sums.3] { add(sum) }
                for index in (32 * blocks)..<bytes.count { add(UInt64(bytes[index])) }
            }
        }
        return Int64(bitPattern: sum)
    }
}
