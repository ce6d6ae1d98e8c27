import BrowseDomain
import Foundation

/// Identifies a cached response.
///
/// It consists of the origin, path, query, `Accept` field, account, and the fields of the service.
struct CacheKey: Hashable, Sendable {
    /// The stored form of the key.
    let text: String
    /// The owner of the response; see ``owner(of:at:)``.
    let owner: String

    /// Creates the key of a request; `nil` if its responses can't be cached.
    ///
    /// - Parameter serviceKey: The ``serviceKey(of:)`` of the client.
    init?(_ request: HTTPClient.Request, of serviceKey: String = "") {
        guard request.method == .get, request.body == nil, request.headers.areWellFormed,
            let origin = Origin(request.url), request.account?.contains(where: \.isNewline) != true
        else { return nil }
        let path = request.url.path(percentEncoded: true)
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        owner = Self.owner(of: request.account, at: origin)
        // No part contains a line break, so different keys have different texts.
        text = "\(owner)\n\(path)\(query)\n\(request.headers["Accept"] ?? "")\n\(serviceKey)"
    }

    /// A digest of the fields that a service adds to every request, which can be those of one user.
    ///
    /// The name of the app doesn't count, since it changes with each version.
    static func serviceKey(of headers: HTTPHeaders) -> String {
        let fields = headers.fields.filter { !["accept", "user-agent"].contains($0.key) }
        let text = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        return fields.isEmpty ? "" : SHA256Digest.hash(text).prefix(16).hexadecimal
    }

    /// The account of a service, whose responses are erased together.
    ///
    /// Accounts of different services can have the same name.
    static func owner(of account: String?, at origin: Origin) -> String { "\(origin.text)\n\(account ?? "")" }
}

/// The request header fields that a response varies by (RFC 9111, section 4.1).
struct VaryKey: Hashable, Sendable {
    /// The stored form, a line for each field; empty if the response varies by no field.
    let text: String
}

extension VaryKey {
    /// Creates the variant of a request; `nil` if `Vary` is `*` or contains an invalid name.
    ///
    /// Leaves out credentials: the key contains the account instead, which is no secret.
    init?(of request: HTTPClient.Request, varyingBy response: HTTPHeaders) {
        let names = Set(response.list("Vary").map(String.init)).filter { !request.headers.isCredential($0) }
        guard names.allSatisfy({ $0 != "*" && HTTPHeaders.isWellFormed($0, "") }) else { return nil }
        text = names.sorted().map { "\($0): \(request.headers[$0] ?? "")" }.joined(separator: "\n")
    }

    /// Whether a request has the same values.
    func matches(_ request: HTTPClient.Request) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
            let value = request.headers[String(Substring(line[..<colon]))] ?? ""
            let rest = line[colon...].dropFirst()
            return rest.first == UInt8(ascii: " ") && rest.dropFirst().elementsEqual(value.utf8)
        }
    }
}
