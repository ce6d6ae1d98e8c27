@_spi(Services) public import BrowseDomain
import Foundation

/// The targets of a `Link` header by relation (RFC 8288).
///
/// Links can have any order, several relations, quoted or bare parameters, and commas inside `<…>`
/// and quotes. A link that can't be parsed is skipped, and so is one with an `anchor`, which says
/// something about another resource.
struct LinkHeader: Hashable, Sendable {
    private(set) var targets: [String: String] = [:]

    /// The first target of a relation in lowercase, such as `next`.
    subscript(relation: String) -> String? { targets[relation] }

    /// Returns an absolute URL as the server wrote it, and a relative one resolved.
    static func resolved(_ target: String, relativeTo url: URL?) -> String {
        let start = target.prefix(6).lowercased()
        guard !["http:", "https:"].contains(where: start.hasPrefix), let url else { return target }
        return URL(lenient: target, relativeTo: url)?.absoluteString ?? target
    }

    /// - Parameter url: The URL that relative targets are resolved against (section 3.2).
    init(_ header: String, relativeTo url: URL? = nil) {
        for link in Self.split(header[...], at: UInt8(ascii: ",")) {
            let parts = Self.split(link, at: UInt8(ascii: ";")).map(\.trimmingWhitespace)
            guard let target = parts.first, target.hasPrefix("<"), target.hasSuffix(">") else { continue }
            // Of several parameters with a name, the first counts (section 3.3).
            func parameter(_ name: String) -> Substring? {
                parts.dropFirst().lazy.map { $0.split(separator: "=", maxSplits: 1).map(\.trimmingWhitespace) }
                    .first { $0.count == 2 && $0[0].lowercased() == name }?[1]
            }
            // Some servers write single quotes.
            let names = (parameter("rel") ?? "").lowercased().split { $0.isWhitespace || "\"'".contains($0) }
            let added = names.map(String.init).filter { targets[$0] == nil }
            // A client may ignore links with an anchor (section 3.2).
            guard !added.isEmpty, parameter("anchor") == nil else { continue }
            // Once, since a link can have thousands of relations.
            let text = Self.resolved(String(target.dropFirst().dropLast()[...].trimmingWhitespace), relativeTo: url)
            for name in added { targets[name] = text }
        }
    }

    /// Splits a text at the separators outside of quotes and angle brackets.
    private static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
        var end: UInt8?
        var isEscaped = false
        return text.utf8.split { byte in
            guard let quote = end else {
                if byte == UInt8(ascii: "\"") { end = byte }
                if byte == UInt8(ascii: "<") { end = UInt8(ascii: ">") }
                return byte == separator
            }
            if byte == quote, !isEscaped { end = nil }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
            return false
        }
        .map { Substring($0) }
    }
}

extension Page {
    /// Creates a page with the link to the next one, and the following pages that it announces.
    ///
    /// ```swift
    /// Endpoint<Page<String>>(.path("/books")) { response in
    ///     Page(items: try response.json([String].self), linkedBy: response)
    /// }
    /// ```
    ///
    /// To fetch the next page, send ``Endpoint/Location/page(_:of:)``, which accepts only URLs of
    /// the service.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - skipped: The rows that can't be decoded.
    ///   - response: The response, whose `Link` header field (RFC 8288) has the links.
    public init(items: [Element], skipped: SkippedRows = SkippedRows(), linkedBy response: HTTPClient.Response) {
        let links = response.headers["Link"].map { LinkHeader($0, relativeTo: response.url) }
        self.init(items: items, next: links?["next"].map(PageCursor.init(rawValue:)), skipped: skipped)
        next?.last = links?["last"]
        if let next {
            pagesLeft = next.announced.map { $0.last.number - $0.next.number + 1 }
        } else if let links, ["first", "prev", "last"].contains(where: { links[$0] != nil }) {
            // A last page behind this one contradicts that the list ends here.
            func number(_ url: String?) -> Int? { url.flatMap { PageCursor(rawValue: $0).pageNumber } }
            let here = number(response.url.absoluteString) ?? 1
            pagesLeft = number(links["last"]).map { max(0, $0 - here) } ?? 0
        }
    }
}

extension HTTPClient.Response {
    /// Returns the page of an address in a body, which can be relative to the response's.
    ///
    /// The next page of an empty address is the end of the list.
    public func page(at address: String) -> PageCursor {
        PageCursor(rawValue: address.isEmpty ? address : LinkHeader.resolved(address, relativeTo: url))
    }
}
