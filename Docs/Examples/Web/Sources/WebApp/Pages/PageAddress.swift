import Foundation

/// The address of a page of this site: a path and a query, from which the page can be opened again.
///
/// So each page works without JavaScript, can be bookmarked, and outlives its view model.
struct PageAddress: Hashable, Sendable {
    /// Room for a search of 256 letters of any script, and for the page that asks to sign in from there. It fits in a cookie.
    static let lengthLimit = 4_000

    /// The segments of the path, decoded.
    let path: [String]
    /// The items of the query, decoded; blank ones are left out.
    var query: [String: String]

    init(path: String..., query: [String: String?] = [:]) {
        self.path = path
        self.query = query.compactMapValues { $0?.isEmpty == false ? $0 : nil }
    }

    /// Reads an address from a request or a form; `nil` if it's too long, malformed, or not on this site.
    ///
    /// In the query, a malformed escape is text, as in `?q=100%` that a person has typed.
    init?(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.lengthLimit, let path = parts.first, path.hasPrefix("/"), !path.hasPrefix("//")
        else { return nil }
        var items: [String: String] = [:]
        for item in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let pair = item.replacing("+", with: " ")
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.removingPercentEncoding ?? String($0) }
            let (name, value) = (pair[0], pair.count > 1 ? pair[1] : "")
            // Of several, the first counts, as in browsers; other sites add items to links.
            items[name] = items[name] ?? value
        }
        var segments: [String] = []
        for segment in path.split(separator: "/") {
            guard let decoded = segment.removingPercentEncoding else { return nil }
            segments.append(decoded)
        }
        self.path = segments
        query = items.filter { !$0.value.isEmpty }
    }

    subscript(name: String) -> String { query[name] ?? "" }

    /// The number of rows that the list had, so that going back finds them again; 0 for the first page.
    var rowCount: Int { min(max(0, Int(self["rows"]) ?? 0), rowLimit) }

    /// Returns the address with another value in its query; `nil` removes it.
    func with(_ name: String, _ value: String?) -> PageAddress {
        var address = self
        address.query[name] = value
        return address
    }

    /// The page to which signing in leads back; `nil` if the query names none of this site.
    var origin: PageAddress? { PageAddress(self["from"]).flatMap { Screens.screen(at: $0) == nil ? nil : $0 } }

    var withoutQuery: PageAddress {
        var address = self
        address.query = [:]
        return address
    }

    /// The address without what hides rows; like a view model, it keeps the order, and the number of rows.
    var withoutFilter: PageAddress {
        var address = self
        address.query = query.filter { ["order", "sort", "rows"].contains($0.key) }
        return address
    }

    /// The address as text, with the query in alphabetical order.
    var text: String {
        let items = query.sorted { $0.key < $1.key }.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }
        return "/" + path.map(Self.encoded).joined(separator: "/")
            + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// The address for browsers, which shows the row that the query names, and highlights it.
    var link: String { with("row", nil).text + (self["row"].isEmpty ? "" : "#row-" + Self.encoded(self["row"])) }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
