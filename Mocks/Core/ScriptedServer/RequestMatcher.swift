@_spi(Services) public import BrowseData
@_spi(Services) import BrowseDomain
public import Foundation

/// Describes the requests that a stub answers.
///
/// Start with a method and an address, then add conditions:
///
/// ```swift
/// server.on(.get("/users/octocat/followers").query(["page": "2"]), response: .json("[]"))
/// server.on(.post("https://example.com/oauth/token").form(["code": "1234"]), response: .json("{}"))
/// ```
///
/// An address is a path, which matches any host, or a URL, which matches only its host. The whole
/// path must match, percent-encoded or not; its first slash can be omitted. A query in the address
/// must match exactly, in any order; ``query(_:)`` allows additional items.
public struct RequestMatcher: Sendable, CustomStringConvertible {
    /// A condition, and the values that a report of a mismatch compares.
    struct Condition: Sendable {
        let name: String
        let expected: String
        let actual: @Sendable (HTTPClient.Request) -> String
        let isMet: @Sendable (HTTPClient.Request) -> Bool
    }

    private(set) var conditions: [Condition] = []
    private var method: HTTPMethod?
    private var address = ""
    private var items: [String] = []
    private var details: [String] = []

    /// Matches every request.
    public static var any: RequestMatcher { RequestMatcher() }

    /// Matches GET requests to a path or URL.
    public static func get(_ address: String) -> RequestMatcher { RequestMatcher(.get, address) }

    /// Matches POST requests to a path or URL.
    public static func post(_ address: String) -> RequestMatcher { RequestMatcher(.post, address) }

    /// Matches PUT requests to a path or URL.
    public static func put(_ address: String) -> RequestMatcher { RequestMatcher(.put, address) }

    /// Matches PATCH requests to a path or URL.
    public static func patch(_ address: String) -> RequestMatcher { RequestMatcher(.patch, address) }

    /// Matches DELETE requests to a path or URL.
    public static func delete(_ address: String) -> RequestMatcher { RequestMatcher(.delete, address) }

    /// Matches an endpoint's requests by method, end of the path, exact query, and body, if any.
    ///
    /// An endpoint with a page's URL is matched by that URL, as in ``get(_:)``.
    public static func endpoint<Response>(_ endpoint: Endpoint<Response>) -> RequestMatcher {
        var matcher = RequestMatcher()
        switch endpoint.location {
        case .page(let cursor, of: _):
            matcher = RequestMatcher(endpoint.method, cursor.rawValue)
        case .path(let path):
            matcher.add(endpoint.method)
            matcher.add(path: path.encoded, isSuffix: true)
            let items = endpoint.query.map { URLQueryItem(name: $0.name, value: $0.value) }
            matcher.add(query: items, inForm: items)
        }
        return endpoint.body.map { matcher.body($0) } ?? matcher
    }

    /// Matches requests that satisfy a predicate.
    ///
    /// - Parameters:
    ///   - description: The condition in words, for reports.
    ///   - predicate: Whether a request matches.
    public static func matching(
        _ description: String,
        _ predicate: @escaping @Sendable (HTTPClient.Request) -> Bool
    ) -> RequestMatcher {
        RequestMatcher.any.matching(description, predicate)
    }

    /// Requires a host, and its port unless that's the default of the scheme.
    public func host(_ host: String) -> RequestMatcher {
        adding(detail: "on \(host)") { $0.add(host: host) }
    }

    /// Requires query items, in any order; others may be present.
    ///
    /// - Parameter items: Names and values, not percent-encoded.
    public func query(_ items: [String: String]) -> RequestMatcher {
        var matcher = self
        for (name, value) in items.sorted(by: { $0.key < $1.key }) {
            matcher.items.append("\(name)=\(value)")
            matcher.conditions.append(
                Condition(
                    name: "query \(name)",
                    expected: value,
                    actual: { request in
                        let values = request.queryItems.values(of: name)
                        return values.isEmpty ? "none" : values.joined(separator: ", ")
                    },
                    isMet: { request in
                        [request.queryItems, request.formItems].contains { $0.values(of: name).contains(value) }
                    }
                )
            )
        }
        return matcher
    }

    /// Requires a header field with a value.
    public func header(_ name: String, _ value: String) -> RequestMatcher {
        let isSecret = HTTPHeaders.credentialNames.contains(name.lowercased())
        return adding(detail: "with \(name): \(isSecret ? "***" : value)") { matcher in
            matcher.conditions.append(
                Condition(
                    name: "header \(name)",
                    expected: isSecret ? "***" : value,
                    actual: { request in
                        let isSecret = request.headers.isCredential(name.lowercased())
                        return request.headers[name].map { isSecret ? "another ***" : $0 } ?? "none"
                    },
                    isMet: { $0.headers[name] == value }
                )
            )
        }
    }

    /// Requires the bytes of the body.
    public func body(_ body: Data) -> RequestMatcher {
        adding(detail: "with a body") { matcher in
            matcher.conditions.append(
                Condition(
                    name: "body",
                    expected: body.asText,
                    actual: { $0.body?.asText ?? "none" },
                    isMet: { ($0.body ?? Data()) == body }
                )
            )
        }
    }

    /// Requires a JSON body that is equal except for whitespace and the order of keys.
    ///
    /// Text that isn't JSON matches no request.
    public func json(_ text: String) -> RequestMatcher {
        let json = Data(text.utf8).canonicalJSON
        return adding(detail: "with JSON") { matcher in
            matcher.conditions.append(
                Condition(
                    name: "body",
                    expected: json ?? "\(text), which isn't JSON",
                    actual: { request in request.body.map { $0.canonicalJSON ?? $0.asText } ?? "none" },
                    isMet: { json != nil && $0.body?.canonicalJSON == json }
                )
            )
        }
    }

    /// Requires fields of a form in the body, in any order; others may be present.
    ///
    /// - Parameter fields: Names and values, not percent-encoded.
    public func form(_ fields: [String: String]) -> RequestMatcher {
        var matcher = self
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            matcher = matcher.adding(detail: "with \(name)=\(value)") { matcher in
                matcher.conditions.append(
                    Condition(
                        name: "form \(name)",
                        expected: value,
                        actual: { request in
                            let values = request.form.values(of: name)
                            return values.isEmpty ? "none" : values.joined(separator: ", ")
                        },
                        isMet: { $0.form.values(of: name).contains(value) }
                    )
                )
            }
        }
        return matcher
    }

    /// Requires that a predicate is satisfied.
    ///
    /// - Parameters:
    ///   - description: The condition in words, for reports.
    ///   - predicate: Whether a request matches.
    public func matching(
        _ description: String,
        _ predicate: @escaping @Sendable (HTTPClient.Request) -> Bool
    ) -> RequestMatcher {
        adding(detail: "where \(description)") { matcher in
            matcher.conditions.append(
                Condition(
                    name: "condition",
                    expected: description,
                    actual: { _ in "not met" },
                    isMet: predicate
                )
            )
        }
    }

    /// Whether a request satisfies every condition.
    public func matches(_ request: HTTPClient.Request) -> Bool {
        conditions.allSatisfy { $0.isMet(request) }
    }

    /// Whether a request has the method or the path, or without these, meets another condition.
    func isClose(to request: HTTPClient.Request) -> Bool {
        let address = conditions.filter { ["method", "path"].contains($0.name) }
        return (address.isEmpty ? conditions : address).contains { $0.isMet(request) }
    }

    /// The method, address, and other conditions in one line.
    public var description: String {
        guard !conditions.isEmpty else { return "any request" }
        let query = items.isEmpty ? "" : (address.contains("?") ? "&" : "?") + items.joined(separator: "&")
        return ([method?.rawValue ?? "any method", address + query] + details).filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension RequestMatcher {
    /// Creates a matcher of a method and a path or URL.
    public init(_ method: HTTPMethod, _ address: String) {
        add(method)
        var rest = address[...]
        // A query can have a URL, too, as in `/oembed?url=https://…`.
        if let scheme = address.range(of: "://"), address[..<scheme.lowerBound].allSatisfy({ $0 != "/" && $0 != "?" }) {
            let authority = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
            // As in the address of a request, in which the default port can be left out.
            let port = address.lowercased().hasPrefix("https:") ? ":443" : ":80"
            add(host: String(authority.hasSuffix(port) ? authority.dropLast(port.count) : authority))
            rest = address[authority.endIndex...]
        }
        let path = rest.prefix { $0 != "?" }
        add(path: path.hasPrefix("/") ? String(path) : "/" + path, isSuffix: false)
        if path.endIndex < rest.endIndex {
            let query = String(rest[path.endIndex...].dropFirst())
            add(query: query.queryItems, inForm: query.formItems)
        }
        self.address = address
    }

    private func adding(detail: String, _ change: (inout RequestMatcher) -> Void) -> RequestMatcher {
        var matcher = self
        matcher.details.append(detail)
        change(&matcher)
        return matcher
    }

    private mutating func add(_ method: HTTPMethod) {
        self.method = method
        conditions.append(
            Condition(
                name: "method",
                expected: method.rawValue,
                actual: { $0.method.rawValue },
                isMet: { $0.method == method }
            )
        )
    }

    private mutating func add(host: String) {
        let host = host.lowercased()
        conditions.append(
            Condition(name: "host", expected: host, actual: { $0.hostAndPort }, isMet: { $0.hostAndPort == host })
        )
    }

    private mutating func add(path: String, isSuffix: Bool) {
        address += path
        let wanted = path.pathSegments
        conditions.append(
            Condition(
                name: "path",
                expected: path,
                actual: { $0.path },
                isMet: { request in
                    let segments = request.path.pathSegments
                    return isSuffix
                        ? segments.reversed().starts(with: wanted.dropFirst().reversed()) : segments == wanted
                }
            )
        )
    }

    /// - Parameter form: The items if a plus is a space.
    private mutating func add(query: [URLQueryItem], inForm form: [URLQueryItem]) {
        let (wanted, wantedInForm) = (Self.text(of: query), Self.text(of: form))
        if !query.isEmpty { address += "?\(wanted)" }
        conditions.append(
            Condition(
                name: "query",
                expected: wanted.isEmpty ? "none" : wanted,
                actual: { request in request.queryItems.isEmpty ? "none" : Self.text(of: request.queryItems) },
                isMet: {
                    Self.text(of: $0.queryItems) == wanted || Self.text(of: $0.formItems) == wantedInForm
                }
            )
        )
    }

    /// Separators in names and values stay escaped, so that different queries have different texts.
    private static func text(of items: [URLQueryItem]) -> String {
        func escaped(_ text: String) -> String { text.replacing("%", with: "%25").replacing("&", with: "%26") }
        return items.map { "\(escaped($0.name).replacing("=", with: "%3D"))=\(escaped($0.value ?? ""))" }.sorted()
            .joined(separator: "&")
    }
}

extension HTTPClient.Request {
    /// The path, percent-encoded; an empty one is `/` (RFC 3986, section 6.2.3).
    var path: String {
        let path = url.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    /// The query items, decoded.
    var queryItems: [URLQueryItem] { (url.query(percentEncoded: true) ?? "").queryItems }

    /// The query items, decoded as those of a form, in which a plus is a space.
    ///
    /// Servers read queries so (WHATWG, "URL", section 5.1), and some clients write them so.
    fileprivate var formItems: [URLQueryItem] { (url.query(percentEncoded: true) ?? "").formItems }

    /// The host in lowercase, and the port unless it's the default of the scheme.
    fileprivate var hostAndPort: String { Origin(url)?.authority ?? url.host()?.lowercased() ?? "" }

    /// The fields of a form in the body, decoded.
    fileprivate var form: [URLQueryItem] {
        String(decoding: body ?? Data(), as: UTF8.self).formItems
    }
}

extension [URLQueryItem] {
    /// The values of the items with a name, which can be repeated.
    fileprivate func values(of name: String) -> [String] { filter { $0.name == name }.map { $0.value ?? "" } }
}

extension String {
    /// The items of a percent-encoded query, decoded.
    fileprivate var queryItems: [URLQueryItem] {
        split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.removingPercentEncoding ?? String($0) }
            return URLQueryItem(name: pair[0], value: pair.count > 1 ? pair[1] : nil)
        }
    }

    /// The items of a form, decoded.
    fileprivate var formItems: [URLQueryItem] { replacing("+", with: "%20").queryItems }

    /// The parts between slashes, decoded, so that `helper[bot]` equals its percent-encoded form.
    fileprivate var pathSegments: [String] {
        split(separator: "/", omittingEmptySubsequences: false).map { $0.removingPercentEncoding ?? String($0) }
    }
}

extension Data {
    /// The text, or the number of bytes if they aren't text.
    fileprivate var asText: String { String(data: self, encoding: .utf8) ?? "\(count) bytes" }

    /// The JSON with sorted keys; `nil` if it isn't JSON.
    var canonicalJSON: String? {
        guard let value = try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed),
            let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
