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

    private struct Head: Codable {
        let status: Int
        let url: String
        let headers: [String: String]
    }

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
            let decoded = try? JSONDecoder().decode(Head.self, from: head), (100..<600).contains(decoded.status),
            let url = URL(string: decoded.url)
        else { return nil }
        status = decoded.status
        self.url = url
        var headers = HTTPHeaders()
        for (name, value) in decoded.headers { headers[name] = value }
        self.headers = headers
        self.body = body
        self.date = date
    }

    /// Everything but the body and the date, as bytes.
    var head: Data {
        let encoder = JSONEncoder()
        // The checksum is of these bytes, so that they have to be the same each time.
        encoder.outputFormatting = .sortedKeys
        // Texts and a number: encoding them cannot fail.
        return (try? encoder.encode(Head(status: status, url: url.absoluteString, headers: headers.fields))) ?? Data()
    }

    /// The reply as if the server had sent it.
    func response(_ provenance: Provenance) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: body, url: url, provenance: provenance)
    }

    /// The same reply, confirmed: the header fields of the confirmation take the place of the old (RFC 9111, section 3.2).
    func confirmed(by confirmation: HTTPHeaders, at date: Date) -> KeptReply {
        var headers = headers
        for (name, value) in confirmation.fields where !Self.isOfBody(name) { headers[name] = value }
        return KeptReply(HTTPResponse(status: status, headers: headers, body: body, url: url), date: date)
    }

    /// What a 304 has no body to say of.
    private static func isOfBody(_ name: String) -> Bool {
        ["content-length", "content-encoding", "content-type", "content-range", "transfer-encoding"].contains(name)
    }

    /// A number that differs when any bit of the parts does, with all likelihood; it finds damage, not malice.
    static func checksum(of parts: [Data]) -> Int64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ word: UInt64) {
            sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
            sum ^= sum >> 32
        }
        for part in parts {
            add(UInt64(part.count))
            part.withUnsafeBytes { bytes in
                let words = bytes.count / 8
                for index in 0..<words { add(bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)) }
                for index in (8 * words)..<bytes.count { add(UInt64(bytes[index])) }
            }
        }
        return Int64(bitPattern: sum)
    }
}
