@testable import BrowseData
import BrowseDomain
import Foundation

/// Addresses that others wrote: of the next page, of a redirect, of a web page; and parameters that become part of one.
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
        // As a server reads it that decodes twice, and takes a backslash for a slash.
        let twice = sent.segments.map { $0.removingPercentEncoding ?? $0 }
        let parts = twice.flatMap { $0.split { "/\\;".contains($0) } }
        require(!parts.contains("..") && !parts.contains("."), "\(sent.text) does not lead upwards, whatever %2f means")
        require(twice.allSatisfy { !$0.contains { "/\\;\r\n\0".contains($0) } }, "\(sent.text) has one reading")
        require(
            sent.segments.filter { !$0.isEmpty }.suffix(3) == ["users", "a", "followers"],
            "\(sent.text) is the list"
        )
        let root = WrittenAddress(base).segments.filter { !$0.isEmpty }
        require(sent.segments.filter { !$0.isEmpty }.starts(with: root), "\(sent.text) is below \(base)")
    }
}

private func parameter(_ text: String) {
    let endpoint = Endpoint(.path("/users/\(text)/followers"), query: [.init(text, text)]) { $0.status }
    guard let url = try? endpoint.url(below: URL(fixed: "https://api.example"), info: .init(endpoint: endpoint.name))
    else {
        require(
            text.isEmpty || UnambiguousPath.isTraversal(text),
            "every text that does not lead upwards is a segment: \(text)"
        )
        return
    }
    let sent = WrittenAddress(url)
    require(sent.isOneLine, "\(sent.text) is printable ASCII")
    require(sent.segments == ["users", text, "followers"], "\(sent.text) holds the parameter as one segment")
    require(sent.text.filter { $0 == "?" }.count == 1, "\(sent.text) has one query")
    require(URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.count == 1, "the query has one item")
}

private func redirect(_ text: String) {
    let policy = RedirectPolicy(limit: 5)
    for method in [HTTPMethod.get, .post] {
        let request = HTTPRequest(
            method: method,
            url: URL(fixed: "https://api.example/users/a"),
            headers: ["Authorization": "Bearer x", "Cookie": "y", "Accept": "z"],
            body: method == .post ? Data("secret".utf8) : nil,
            endpoint: "GET /users/{}"
        )
        for status in [302, 307] {
            let response = HTTPResponse(status: status, headers: ["Location": text], url: request.url)
            guard let next = try? policy.next(after: response, to: request, hops: 0) else { continue }
            let sent = WrittenAddress(next.url)
            require(sent.isOneLine, "\(sent.text) is printable ASCII")
            require(sent.scheme == "https", "\(sent.text) is as secure as before")
            require(!sent.authority.contains("@"), "\(sent.text) names no user")
            if sent.isAtOrigin(of: request.url) { continue }
            require(next.body == nil, "a body does not go to \(sent.text)")
            require(Set(next.headers.fields.keys).isDisjoint(with: HTTPHeaders.credentialNames), "no secret goes there")
        }
    }
}

private func webAddress(_ text: String) {
    guard let url = WebAddress(rawValue: text).url else { return }
    let opened = WrittenAddress(url)
    require(["http", "https"].contains(opened.scheme), "\(opened.text) is of the web")
    require(!opened.authority.isEmpty, "\(opened.text) names a host")
    require(WebAddress(rawValue: opened.text).url == url, "\(opened.text) is the same address again")
}

/// An address taken apart by the letter of RFC 3986, not by Foundation, whose reading is what is in question.
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

    /// Whether nothing in it could end a line or a field.
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
