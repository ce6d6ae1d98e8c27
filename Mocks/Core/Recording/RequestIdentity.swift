@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import Foundation

/// The parts of a request that a replay compares to find its response.
///
/// Addresses and forms are equal if they are equivalent (RFC 3986, section 6.2; WHATWG, "URL",
/// section 5.1): browsers and other clients escape other characters.
struct RequestIdentity: Hashable, Sendable {
    let method: HTTPMethod
    /// The address without the query and the scheme's default port.
    let address: String
    /// The percent-encoded query items, sorted.
    private(set) var query: [String]
    /// The sorted fields of a form, or the JSON with sorted members.
    let body: String

    init(method: HTTPMethod, url: URL, body: String, ignoring names: Set<String>) {
        let names = Set(names.map { $0.lowercased() })
        self.method = method
        let path = url.path(percentEncoded: true)
        let segments = (path.isEmpty ? "/" : path).split(separator: "/", omittingEmptySubsequences: false)
        let origin = "\(url.scheme?.lowercased() ?? "")://\(Origin(url)?.authority ?? url.host() ?? "")"
        address = origin + segments.map(Self.escaped).joined(separator: "/")
        query = (url.query(percentEncoded: true) ?? "").split(separator: "&").map(Self.item).sorted()
        // A multipart form has line breaks, and no escapes.
        let isForm = RecordedText(body).isForm && !body.contains(where: \.isNewline)
        let fields = body.split(separator: "&").map { field in
            let field = isForm ? Self.item(field) : String(field)
            let name = String(field.prefix { $0 != "=" })
            return names.contains((PercentEncoding.decode(name) ?? name).lowercased()) ? name : field
        }
        // In each process, an encoder writes the members in another order.
        self.body = Data(body.utf8).canonicalJSON ?? fields.sorted().joined(separator: "&")
    }

    /// The item of a query or form, in which a plus is a space.
    private static func item(_ text: Substring) -> String {
        String(text).replacing("+", with: "%20").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(escaped).joined(separator: "=")
    }

    /// The text with the escapes that the SDK's own requests have.
    private static func escaped(_ text: Substring) -> String {
        PercentEncoding.decode(text).map(PercentEncoding.encode) ?? String(text)
    }

    /// Returns the identity without the values of some query items.
    func ignoringValues(of names: Set<String>) -> RequestIdentity {
        var identity = self
        identity.query = query.map { item in
            let name = String(item.prefix { $0 != "=" })
            return names.contains((name.removingPercentEncoding ?? name).lowercased()) ? name : item
        }
        return identity
    }

    /// Returns a larger number the more is equal.
    func closeness(to other: RequestIdentity) -> Int {
        (address == other.address ? 4 : 0) + (method == other.method ? 2 : 0) + (query == other.query ? 1 : 0)
    }

    /// Whether everything but the body is equal.
    func isSimilar(to other: RequestIdentity) -> Bool {
        method == other.method && address == other.address && query == other.query
    }
}
