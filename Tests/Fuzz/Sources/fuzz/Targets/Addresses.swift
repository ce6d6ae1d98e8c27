@_spi(Services) @testable import BrowseData
@_spi(Services) import BrowseDomain
import Foundation

/// Untrusted URLs of next pages, redirects, and web pages, and parameters of URLs.
@Sendable func addresses(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    nextPage(text)
    parameter(text)
    redirect(text)
    webAddress(text)
}

private func nextPage(_ text: String) {
    let bases = [
        URL(fixed: "https://api.example"), URL(fixed: "https://ghe.example/api/v3"),
        URL(fixed: "http://127.0.0.1:8080/api"),
    ]
    let endpoint = Endpoint(.page(PageCursor(rawValue: text), of: "/users/\("a")/followers")) { $0.status }
    for base in bases {
        guard let url = try? endpoint.url(below: base, info: .init(endpoint: endpoint.name)) else { continue }
        let sent = WrittenAddress(url)
        require(sent.isOneLine, "\(sent.text) is printable ASCII")
        require(sent.isAtOrigin(of: base), "\(sent.text) is at the origin of \(base)")
        let parts = sent.segments.flatMap { $0.utf8.split { "/\\".utf8.contains($0) }.map { Substring($0) } }
        require(!parts.contains("..") && !parts.contains("."), "\(sent.text) has no dot segments, however %2f is read")
        let root = WrittenAddress(base).segments.filter { !$0.isEmpty }
        require(sent.segments.filter { !$0.isEmpty }.starts(with: root), "\(sent.text) is below \(base)")
    }
}

private func parameter(_ text: String) {
    let endpoint = Endpoint(.path("/users/\(text)/followers"), query: [.init(text, text)]) { $0.status }
    guard let url = try? endpoint.url(below: URL(fixed: "https://api.example"), info: .init(endpoint: endpoint.name))
    else {
        require(
            text.isEmpty || text.addingPercentEncoding(withAllowedCharacters: CharacterSet())?.hasDotSegment == true,
            "all text except dot segments is a segment: \(text)"
        )
        return
    }
    let sent = WrittenAddress(url)
    require(sent.isOneLine, "\(sent.text) is printable ASCII")
    require(sent.segments == ["users", text, "followers"], "\(sent.text) has the parameter as one segment")
    require(sent.text.filter { $0 == "?" }.count == 1, "\(sent.text) has one query")
    require(URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.count == 1, "the query has one item")
}

private func redirect(_ text: String) {
    let policy = RedirectPolicy.self
    for method in [HTTPMethod.get, .post] {
        let request = HTTPClient.Request(
            method: method,
            url: URL(fixed: "https://api.example/users/a"),
            headers: ["Authorization": "Bearer x", "Cookie": "y", "Accept": "z"],
            body: method == .post ? Data("secret".utf8) : nil,
            endpoint: "GET /users/{}"
        )
        for status in [302, 307] {
            let response = HTTPClient.Response(status: status, headers: ["Location": text], url: request.url)
            guard let next = try? policy.next(after: response, to: request, hops: 0) else { continue }
            let sent = WrittenAddress(next.url)
            require(sent.isOneLine, "\(sent.text) is printable ASCII")
            require(sent.scheme == "https", "\(sent.text) still uses https")
            require(!sent.authority.contains("@"), "\(sent.text) has no user")
            if sent.isAtOrigin(of: request.url) { continue }
            require(next.body == nil, "no body is sent to \(sent.text)")
            require(
                Set(next.headers.fields.keys).isSubset(of: HTTPHeaders.crossOriginNames),
                "no secret is sent there"
            )
        }
    }
}

private func webAddress(_ text: String) {
    guard let url = WebAddress(rawValue: text).url else { return }
    let opened = WrittenAddress(url)
    require(["http", "https"].contains(opened.scheme), "\(opened.text) is http or https")
    require(!opened.authority.isEmpty, "\(opened.text) has a host")
    require(WebAddress(rawValue: opened.text).url == url, "\(opened.text) is the same URL again")
}

/// A URL parsed strictly by RFC 3986, not by Foundation, because that is under test.
private struct WrittenAddress {
    let text: String
    let scheme: String
    let authority: String
    let segments: [String]

    init(_ url: URL) {
        text = url.absoluteString
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        scheme = parts[0].lowercased()
        let rest = parts.count == 2 ? parts[1] : ""
        authority = rest.prefix { !"/?#\\".contains($0) }.lowercased()
        let path = rest.dropFirst(authority.count).prefix { !"?#".contains($0) }
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.removingPercentEncoding ?? String($0) }
    }

    /// Whether it contains only printable ASCII, so that it can't end a line or a header field.
    var isOneLine: Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    func isAtOrigin(of url: URL) -> Bool {
        let other = WrittenAddress(url)
        return scheme == other.scheme && host == other.host && port == other.port
    }

    private var host: Substring { authority.prefix { $0 != ":" } }
    private var port: Int? {
        let digits = authority.dropFirst(host.count + 1)
        return digits.isEmpty ? (scheme == "https" ? 443 : 80) : Int(digits)
    }
}
