@_spi(Services) import BrowseDomain
import Foundation

/// A stored response, without header fields that identify a user or belong to a single exchange.
struct CachedResponse: Hashable, Sendable {
    let status: Int
    let url: URL
    /// The fields, all of which can be sent.
    private(set) var headers: HTTPHeaders
    let body: Data
    /// The date when the server last sent or confirmed it.
    private(set) var date: Date
    /// The fields of the request that it varies by.
    let variant: VaryKey

    init(_ response: HTTPClient.Response, _ variant: VaryKey, date: Date) {
        status = response.status
        url = response.url
        var headers = response.headers
        headers.remove { !Self.isStored($0, of: response.headers) }
        headers.removeMalformed()
        self.headers = headers
        body = response.body
        self.date = date
        self.variant = variant
    }

    /// Whether a field is stored.
    ///
    /// Credentials aren't. Nor are fields of a single exchange: a rate limit would be out of date, and a field that differs
    /// in every response would rewrite the file at each confirmation.
    private static func isStored(_ name: String, of headers: HTTPHeaders) -> Bool {
        !omitted.contains(name) && !headers.declaredCredentials.contains(name) && !name.hasPrefix("x-ratelimit-")
            && !name.hasSuffix("request-id")
    }

    private static let omitted = HTTPHeaders.credentialNames.union([
        "age", "cf-ray", "connection", "date", "keep-alive", "server-timing", "x-runtime-rack", "x-served-by",
    ])

    /// Returns the response in the form in which the server sends it.
    ///
    /// - Parameter confirmation: The header fields of the server's 304, if there was one.
    func response(_ provenance: Provenance, confirmedBy confirmation: HTTPHeaders = [:]) -> HTTPClient.Response {
        var fields = confirmation
        for name in Self.ofBody { fields[name] = nil }
        // The stored fields were updated by the confirmation.
        fields.merge(headers)
        return HTTPClient.Response(status: status, headers: fields, body: body, url: url, provenance: provenance)
    }

    /// Fields that describe a body, which a 304 doesn't have.
    private static let ofBody: Set = [
        "content-length", "content-encoding", "content-type", "content-range", "transfer-encoding",
    ]
}

/// Revalidation.
extension CachedResponse {
    /// The field with which the server can confirm the response; `nil` if there is none.
    var condition: (name: String, value: String)? {
        let condition =
            headers["ETag"].map { ("If-None-Match", $0) } ?? headers["Last-Modified"].map { ("If-Modified-Since", $0) }
        // A server could refuse each request with a very long one.
        guard let condition, condition.1.utf8.count <= 1024 else { return nil }
        return condition
    }

    /// Returns the response with the header fields of a 304 (RFC 9111, section 3.2).
    ///
    /// - Returns: `nil` if the 304 confirms another version (section 4.3.4).
    func confirmed(by confirmation: HTTPHeaders, at date: Date) -> CachedResponse? {
        if let other = confirmation["ETag"] {
            guard headers["ETag"].map(Self.opaque) == Self.opaque(other) else { return nil }
        } else if headers["ETag"] == nil, let other = confirmation["Last-Modified"] {
            guard headers["Last-Modified"] == other else { return nil }
        }
        var response = self
        response.headers.merge(confirmation) { !Self.ofBody.contains($0) && Self.isStored($0, of: confirmation) }
        response.headers.removeMalformed()
        response.date = date
        return response
    }

    /// The tag without `W/`, which a weak comparison ignores (RFC 9110, section 8.8.3.2).
    private static func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }

    /// Whether this confirmed response must replace the stored one.
    ///
    /// A list that is loaded again and again would otherwise be written each time, although only the seconds change.
    func mustReplace(_ stored: CachedResponse) -> Bool {
        headers != stored.headers || abs(date.timeIntervalSince(stored.date)) >= 10
    }
}

/// Storage.
extension CachedResponse {
    /// The response as a file, whose head has the status, the URL, and the fields, one per line.
    ///
    /// Encoding JSON took as long as storing the whole response.
    var blob: Blob {
        var head: [UInt8] = []
        head.reserveCapacity(4096)
        head += "\(status)\n\(url.absoluteString)".utf8
        for line in variant.text.utf8.split(separator: Self.lineBreak) {
            head += [Self.lineBreak, Self.variantMark]
            head += line
        }
        for (name, value) in headers.fields {
            head.append(Self.lineBreak)
            head += name.utf8
            head.append(UInt8(ascii: ":"))
            head += value.utf8
        }
        return Blob(date: date, head: Data(head), body: body)
    }

    private static var lineBreak: UInt8 { UInt8(ascii: "\n") }
    /// Begins a line of the variant; no name of a field contains it.
    private static var variantMark: UInt8 { UInt8(ascii: "?") }

    /// Decodes ``blob``; `nil` if it is damaged.
    init?(_ blob: Blob) {
        let lines = blob.head.split(separator: Self.lineBreak)
        guard lines.count >= 2, let status = Int(String(decoding: lines[0], as: UTF8.self)),
            (100..<600).contains(status), let url = URL(string: String(decoding: lines[1], as: UTF8.self))
        else { return nil }
        var headers = HTTPHeaders()
        headers.reserveCapacity(lines.count)
        var variant: [String] = []
        for line in lines[2...] {
            if line.first == Self.variantMark {
                variant.append(String(decoding: line.dropFirst(), as: UTF8.self))
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let (name, value) = (
                String(decoding: line[..<colon], as: UTF8.self), String(decoding: line[(colon + 1)...], as: UTF8.self)
            )
            // Names are stored in lowercase.
            guard HTTPHeaders.isWellFormed(name, value), !line[..<colon].contains(where: \.isASCIIUppercase) else {
                return nil
            }
            headers.set(value, toLowercase: name)
        }
        self.status = status
        self.url = url
        self.headers = headers
        self.variant = VaryKey(text: variant.joined(separator: "\n"))
        body = blob.body
        date = blob.date
    }
}
