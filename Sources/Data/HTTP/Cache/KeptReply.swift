import BrowseDomain
import Foundation

/// A reply as it is kept: everything of it but what identifies somebody.
struct KeptReply: Hashable, Sendable {
    let status: Int
    let url: URL
    let headers: HTTPHeaders
    let body: Data
    /// When the server last sent or confirmed it.
    let date: Date

    init(_ response: HTTPResponse, date: Date) {
        status = response.status
        url = response.url
        var headers = response.headers
        headers.removeCredentials()
        self.headers = headers
        body = response.body
        self.date = date
    }

    /// Reads what ``head`` and ``checksum(of:)`` made; `nil` when it is damaged, or belongs to another key.
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

    /// Everything but the body and the date, as bytes: a line for the status, the address and each header field.
    ///
    /// Not JSON, which took as long to write as SQLite for the whole reply.
    var head: Data {
        var head = "\(status)\n\(url.absoluteString)"
        for (name, value) in headers.fields {
            head += "\n"
            head += name
            head += ":"
            // No server can send a line break in a field, but a mock can.
            head +=
                value.utf8.contains(Self.lineBreak)
                ? value.split(whereSeparator: \.isNewline).joined(separator: " ") : value
        }
        return Data(head.utf8)
    }

    private static var lineBreak: UInt8 { UInt8(ascii: "\n") }

    /// Reads ``head``.
    private static func read(_ head: UnsafeRawBufferPointer) -> (status: Int, url: URL, headers: HTTPHeaders)? {
        let lines = head.split(separator: lineBreak)
        guard lines.count >= 2, let status = Int(String(decoding: lines[0], as: UTF8.self)),
            (100..<600).contains(status), let url = URL(string: String(decoding: lines[1], as: UTF8.self))
        else { return nil }
        var headers = HTTPHeaders()
        for line in lines[2...] {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            headers[String(decoding: line[..<colon], as: UTF8.self)] = String(
                decoding: line[(colon + 1)...],
                as: UTF8.self
            )
        }
        return (status, url, headers)
    }

    /// The reply as if the server had sent it.
    func response(_ provenance: Provenance) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: body, url: url, provenance: provenance)
    }

    /// The same reply, confirmed: the header fields of the confirmation take the place of the old (RFC 9111, section 3.2).
    func confirmed(by confirmation: HTTPHeaders, at date: Date) -> KeptReply {
        var headers = headers
        for (name, value) in confirmation.fields where !Self.ofBody.contains(name) { headers[name] = value }
        return KeptReply(HTTPResponse(status: status, headers: headers, body: body, url: url), date: date)
    }

    /// What a 304 has no body to say of.
    private static let ofBody: Set = [
        "content-length", "content-encoding", "content-type", "content-range", "transfer-encoding",
    ]

    /// A number that differs when any bit of the parts does, with all likelihood; it finds damage, not malice.
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
                // Four sums side by side, since each step waits for the one before.
                var sums = SIMD4<UInt64>(1, 2, 3, 4)
                let blocks = bytes.count / 32
                for index in 0..<blocks {
                    sums = (sums ^ bytes.loadUnaligned(fromByteOffset: 32 * index, as: SIMD4<UInt64>.self)) &* factor
                    sums ^= sums &>> 32
                }
                for index in 0..<4 { add(sums[index]) }
                for index in (32 * blocks)..<bytes.count { add(UInt64(bytes[index])) }
            }
        }
        return Int64(bitPattern: sum)
    }
}
