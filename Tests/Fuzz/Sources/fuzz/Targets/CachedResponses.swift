@testable import BrowseData
import BrowseDomain
import Foundation

/// A row of the database of responses, which something may have damaged: the head, an empty line, and the body.
@Sendable func cachedResponses(_ input: [UInt8]) {
    let end = input.firstRange(of: Array("\n\n".utf8))
    let head = Data(input[..<(end?.lowerBound ?? input.endIndex)])
    let body = Data(input[(end?.upperBound ?? input.endIndex)...])
    let key = "https://api.example\n/a"
    let checksum = CachedResponse.checksum(of: [Data(key.utf8), head, body])
    // Damage that the checksum shows.
    let damaged = CachedResponse(head: head, body: body, checksum: checksum &+ 1, date: now, under: key)
    require(damaged == nil, "damage is detected")
    let other = CachedResponse(head: head, body: body, checksum: checksum, date: now, under: key + "b")
    require(other == nil, "the checksum covers the key")
    variant(of: head)
    // And damage that it does not, since somebody wrote it so.
    guard let reply = CachedResponse(head: head, body: body, checksum: checksum, date: now, under: key) else { return }
    require((100..<600).contains(reply.status), "\(reply.status) is a status")
    require(reply.body == body, "the body is what was kept")
    let again = CachedResponse(
        head: reply.head,
        body: reply.body,
        checksum: CachedResponse.checksum(of: [Data(key.utf8), reply.head, reply.body]),
        date: now,
        under: key
    )
    require(again == reply, "\(reply) is the same when it is kept again")
    let confirmed = reply.confirmed(by: ["ETag": "\"2\"", "Content-Length": "9"], at: now)
    require(confirmed.body == reply.body, "a confirmation brings no body")
    require(confirmed.headers["ETag"] == "\"2\"", "a confirmation's fields count")
    require(confirmed.headers["Content-Length"] == reply.headers["Content-Length"], "but for those of a body")
    let kept = CachedResponse(reply.response(.stale(since: now)), date: now)
    for name in HTTPHeaders.credentialNames { require(kept.headers[name] == nil, "\(name) is not kept") }
    // What is read is what is told.
    require(LinkHeader(kept.headers["Link"] ?? "")["next"].map(\.count) ?? 0 <= head.count, "no link is made up")
}

/// What a row says of the header fields that a response depends on, and a `Vary` of the same text.
private func variant(of data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    guard let url = URL(string: "https://api.example/a") else { return }
    var request = HTTPRequest(url: url, headers: ["Accept": "a: b", "X": ""], endpoint: "GET /a")
    _ = VaryKey(text: text).matches(request)
    guard let variant = VaryKey(of: request, varyingBy: ["Vary": text]) else { return }
    require(variant.matches(request), "a request is of its own variant: \(text)")
    require(VaryKey(text: variant.text).matches(request), "also when it was written down")
    for name in text.split(separator: ",") where !name.contains(":") { request.headers[String(name)] = "other" }
    _ = variant.matches(request)
}
