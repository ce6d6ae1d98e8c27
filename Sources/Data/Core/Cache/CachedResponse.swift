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
        headers = response.headers.filter { Self.isStored($0, of: response.headers) }
        body = response.body
        self.date = date
    }

    /// Whether a field is stored.
    ///
    /// Credentials aren't. Nor are fields of a single exchange: a rate limit would be out of date,
    /// and a field that differs in every response would rewrite the file at each confirmation.
    private static func isStored(_ name: String, of headers: HTTPHeaders) -> Bool {
        !omitted.contains(name) && !headers.declaredCredentials.contains(name) && !name.hasSuffix("request-id")
            && !RetryAfter.fieldPrefixes.contains(where: name.hasPrefix)
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
    /// The validators with which the server can confirm the response.
    var validators: Validators { Validators(headers, from: url) }

    /// Returns the response with a 304's fields; `nil` if it's for another version.
    ///
    /// Source: RFC 9111, sections 3.2 and 4.3.4.
    func confirmed(by confirmation: HTTPHeaders, at date: Date) -> CachedResponse? {
        guard validators.match(confirmation) else { return nil }
        var response = self
        let new = confirmation.filter { !Self.ofBody.contains($0) && Self.isStored($0, of: confirmation) }
        response.headers.merge(new)
        response.date = date
        return response
    }
}

/// Storage.
extension CachedResponse {
    /// The response as a file, with a head of lines: the status, the URL, and the fields.
    var blob: Blob {
        var head = "\(status)\n\(url.absoluteString)"
        for (name, value) in headers.fields { head += "\n\(name):\(value)" }
        return Blob(date: date, head: Data(head.utf8), body: body)
    }

    /// Decodes ``blob``, which isn't newer than the current date; `nil` if it is damaged.
    init?(_ blob: Blob, at now: Date) {
        let lines = String(decoding: blob.head, as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n"))
        guard lines.count > 1, let status = Int(Substring(lines[0])), (100..<600).contains(status),
            let url = URL(string: String(Substring(lines[1])))
        else { return nil }
        self.status = status
        self.url = url
        headers = HTTPHeaders()
        for line in lines[2...] {
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            headers[String(Substring(name))] = String(Substring(line.dropFirst(name.count + 1)))
        }
        guard headers.areWellFormed else { return nil }
        body = blob.body
        date = min(blob.date, now)
    }
}
