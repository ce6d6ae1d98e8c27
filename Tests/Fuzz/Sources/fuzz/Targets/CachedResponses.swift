@testable import BrowseData
import BrowseDomain
import Foundation

/// A possibly damaged row of the response database: the head, an empty line, and the body.
@Sendable func cachedResponses(_ input: [UInt8]) {
    let end = input.firstRange(of: Array("\n\n".utf8))
    let head = Data(input[..<(end?.lowerBound ?? input.endIndex)])
    let body = Data(input[(end?.upperBound ?? input.endIndex)...])
    let key = "https://api.example\n/a"
    let checksum = CachedResponse.checksum(of: [Data(key.utf8), head, body])
    // Damage that the checksum detects.
    let damaged = CachedResponse(head: head, body: body, checksum: checksum &+ 1, date: now, under: key)
    require(damaged == nil, "damage is detected")
    let other = CachedResponse(head: head, body: body, checksum: checksum, date: now, under: key + "b")
    require(other == nil, "the checksum covers the key")
    variant(of: head)
    // Damage with a matching checksum, such as by a malicious writer.
    guard let response = CachedResponse(head: head, body: body, checksum: checksum, date: now, under: key) else {
        return
    }
    require((100..<600).contains(response.status), "\(response.status) is a status")
    require(response.body == body, "the body is the stored one")
    let again = CachedResponse(
        head: response.head,
        body: response.body,
        checksum: CachedResponse.checksum(of: [Data(key.utf8), response.head, response.body]),
        date: now,
        under: key
    )
    require(again == response, "\(response) is the same when it's stored again")
    let confirmed = response.confirmed(by: ["ETag": "\"2\"", "Content-Length": "9"], at: now)
    require(confirmed.body == response.body, "a 304 doesn't change the body")
    require(confirmed.headers["ETag"] == "\"2\"", "a 304 updates header fields")
    require(confirmed.headers["Content-Length"] == response.headers["Content-Length"], "except those of a body")
    let stored = CachedResponse(response.response(.stale(since: now)), date: now)
    for name in HTTPHeaders.credentialNames { require(stored.headers[name] == nil, "\(name) isn't stored") }
    // Reading adds no links.
    require(LinkHeader(stored.headers["Link"] ?? "")["next"].map(\.count) ?? 0 <= head.count, "no link is added")
}

/// Checks the stored text of a row's `Vary` key, and a `Vary` field with the same text.
private func variant(of data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    guard let url = URL(string: "https://api.example/a") else { return }
    var request = HTTPRequest(url: url, headers: ["Accept": "a: b", "X": ""], endpoint: "GET /a")
    _ = VaryKey(text: text).matches(request)
    guard let variant = VaryKey(of: request, varyingBy: ["Vary": text]) else { return }
    require(variant.matches(request), "a request matches its own variant: \(text)")
    require(VaryKey(text: variant.text).matches(request), "a stored variant matches, too")
    for name in text.split(separator: ",") where !name.contains(":") { request.headers[String(name)] = "other" }
    _ = variant.matches(request)
}
