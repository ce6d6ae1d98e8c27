import BrowseDomain
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

    init(_ response: HTTPClient.Response, date: Date) {
        status = response.status
        url = response.url
        var headers = response.headers
        headers.remove { !Self.isStored($0, of: response.headers) }
        headers.removeMalformed()
        self.headers = headers
        body = response.body
        self.date = date
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

    /// Returns the response with a 304's fields; `nil` if it's for another version (RFC 9111, 3.2, 4.3.4).
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
    private struct Head: Codable {
        let status: Int
        let url: URL
        let fields: [String: String]
    }

    /// The response as a file.
    var blob: Blob {
        let head = try? JSONEncoder().encode(Head(status: status, url: url, fields: headers.fields))
        return Blob(date: date, head: head ?? Data(), body: body)
    }

    /// Decodes ``blob``; `nil` if it is damaged.
    init?(_ blob: Blob) {
        guard let head = try? JSONDecoder().decode(Head.self, from: blob.head), (100..<600).contains(head.status) else {
            return nil
        }
        status = head.status
        url = head.url
        headers = HTTPHeaders()
        for (name, value) in head.fields { headers[name] = value }
        guard headers.areWellFormed else { return nil }
        body = blob.body
        date = blob.date
    }
}
