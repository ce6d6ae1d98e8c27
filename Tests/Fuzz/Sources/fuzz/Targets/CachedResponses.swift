@testable import BrowseData
import BrowseDomain
import Foundation

/// A possibly damaged file of a cached response: the head, an empty line, and the body.
@Sendable func cachedResponses(_ input: [UInt8]) {
    let end = input.firstRange(of: Array("\n\n".utf8))
    let head = Data(input[..<(end?.lowerBound ?? input.endIndex)])
    let body = Data(input[(end?.upperBound ?? input.endIndex)...])
    let key = "https://api.example\n/a"
    _ = Blob(Data(input), key: key)
    let blob = Blob(date: now, head: head, body: body)
    var file = body + blob.tail(key: key)
    require(Blob(file, key: key)?.head == head, "a file is read as it was written")
    require(Blob(file, key: key + "b") == nil, "the file has another key")
    // Damage that the checksum detects.
    let place = input.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % file.count
    file[place] ^= 0x10
    require(Blob(file, key: key) == nil, "damage is detected")
    // Damage with a matching checksum, such as by a malicious writer.
    guard let response = CachedResponse(blob, at: .distantFuture) else { return }
    require((100..<600).contains(response.status), "\(response.status) is a status")
    require(response.headers.areWellFormed, "all fields can be sent")
    require(response.body == body, "the body is the stored one")
    let again = CachedResponse(response.blob, at: .distantFuture)
    require(again == response, "\(response) is the same when it's stored again")
    var stored = response.response(.stale(since: now)).headers
    stored["ETag"] = nil
    let dated = HTTPClient.Response(status: 200, headers: stored, body: body, url: response.url)
    let confirmed = CachedResponse(dated, date: now)
        .confirmed(by: ["Content-Length": "9", "X-New": "2"], at: now)
    require(confirmed?.body == response.body, "a 304 doesn't change the body")
    require(confirmed?.headers["X-New"] == "2", "a 304 updates header fields")
    require(confirmed?.headers["Content-Length"] == response.headers["Content-Length"], "except those of a body")
    for name in HTTPHeaders.credentialNames { require(confirmed?.headers[name] == nil, "\(name) isn't stored") }
    // Reading adds no links.
    require(LinkHeader(response.headers["Link"] ?? "")["next"].map(\.count) ?? 0 <= head.count, "no link is added")
}
