import BrowseDomain
import Foundation

/// What a response is kept under: the origin, path and query, the form that was asked for, and whose request it was.
struct CacheKey: Hashable, Sendable {
    /// The key as it is written down.
    let text: String
    /// Whose request it was; `nil` is nobody's.
    let account: String?

    /// The key of a request; `nil` when responses to it are not kept.
    init?(_ request: HTTPRequest) {
        guard request.method == .get, request.body == nil, let origin = Origin(request.url) else { return nil }
        let path = request.url.path(percentEncoded: true)
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        // A line break stands in none of the parts, so that no two keys have one text.
        text = [origin.text, path + query, request.headers["Accept"] ?? "", request.account ?? ""]
            .map(\.inOneLine)
            .joined(separator: "\n")
        account = request.account
    }
}

/// The header fields of a request on which a response depends (`Vary`, RFC 9111, section 4.1).
struct VaryKey: Hashable, Sendable {
    /// Their names and values as a text, empty when the response depends on none.
    let text: String

    /// The variant of a request that a response's `Vary` names; `nil` when it depends on more than header fields, or on what is
    /// none.
    ///
    /// Credentials are not among them: the account is a part of the key, and is no secret.
    init?(of request: HTTPRequest, varyingBy response: HTTPHeaders) {
        let names = Set(response.list("Vary").map(String.init)).subtracting(HTTPHeaders.credentialNames)
        // A name with a colon is no name of a field, and would be read as another below.
        guard !names.contains(where: { $0 == "*" || $0.utf8.contains(Self.colon) }) else { return nil }
        text = names.sorted().map { "\($0): \(request.headers[$0] ?? "")".inOneLine }.joined(separator: "\n")
    }

    /// A variant as it was written down.
    init(text: String) {
        self.text = text
    }

    /// Whether it is the variant of a request.
    func matches(_ request: HTTPRequest) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            guard let colon = line.firstIndex(of: Self.colon) else { return false }
            let value = request.headers[String(Substring(line[..<colon]))] ?? ""
            return line[colon...].elementsEqual(": \(value.inOneLine)".utf8)
        }
    }

    private static var colon: UInt8 { UInt8(ascii: ":") }
}
