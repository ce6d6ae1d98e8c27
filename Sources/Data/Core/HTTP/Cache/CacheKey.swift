import BrowseDomain
import Foundation

/// Identifies a cached response: its origin, path, query, `Accept` field, and account.
struct CacheKey: Hashable, Sendable {
    /// The stored form of the key.
    let text: String
    /// The account of the request; `nil` if it was sent without one.
    let account: String?

    /// Creates the key of a request; `nil` if its responses can't be cached.
    init?(_ request: HTTPRequest) {
        guard request.method == .get, request.body == nil, let origin = Origin(request.url) else { return nil }
        let path = request.url.path(percentEncoded: true)
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        guard request.account?.contains(where: \.isNewline) != true else { return nil }
        // No part contains a line break, so different keys have different texts.
        text = [origin.text, path + query, request.headers["Accept"] ?? "", request.account ?? ""]
            .map(\.inOneLine)
            .joined(separator: "\n")
        account = request.account
    }
}

/// The request header fields that a response varies by (RFC 9111, section 4.1).
struct VaryKey: Hashable, Sendable {
    /// The stored form: names and values; empty if the response varies by no field.
    let text: String
}

extension VaryKey {
    /// Creates the variant of a request; `nil` if `Vary` is `*` or contains an invalid name.
    ///
    /// Leaves out credentials: the key contains the account instead, which is no secret.
    init?(of request: HTTPRequest, varyingBy response: HTTPHeaders) {
        let names = Set(response.list("Vary").map(String.init)).filter { !request.headers.isCredential($0) }
        // `matches(_:)` would read a name with a colon as a different one.
        guard !names.contains(where: { $0 == "*" || $0.utf8.contains(Self.colon) }) else { return nil }
        text = names.sorted().map { "\($0): \(request.headers[$0] ?? "")".inOneLine }.joined(separator: "\n")
    }

    /// Whether a request has the same values.
    func matches(_ request: HTTPRequest) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            guard let colon = line.firstIndex(of: Self.colon) else { return false }
            let value = request.headers[String(Substring(line[..<colon]))] ?? ""
            let rest = line[colon...].dropFirst()
            return rest.first == UInt8(ascii: " ") && rest.dropFirst().elementsEqual(value.inOneLine.utf8)
        }
    }

    private static var colon: UInt8 { UInt8(ascii: ":") }
}
