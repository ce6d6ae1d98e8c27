import BrowseKit
import HTTPTypes

/// A page: a title and parts. Each part is an element, which updates change separately.
struct PageContent: Sendable {
    var title: String
    /// The parts, in order. Their ids are unique.
    var parts: [PagePart]
    var status = HTTPResponse.Status.ok
}

struct PagePart: Sendable {
    enum ID: String, Sendable {
        case header, form, notice, status, details, related, rows, more
    }

    enum RowStyle: String, Sendable {
        case list, grid
    }

    enum Content: Sendable {
        case html(HTML)
        /// The rows of a list, by their ids.
        case rows(RowStyle, [(id: String, html: HTML)])
    }

    let id: ID
    let content: Content

    init(_ id: ID, _ html: HTML?) {
        self.id = id
        content = .html(html ?? "")
    }

    /// Creates a list with headings above rows, by position; without any, `level` is that of the rows' own.
    init<Row: WebRow>(
        _ rows: Rows<Row>,
        _ style: RowStyle = .list,
        headings: [Int: String] = [:],
        level: Int = 2,
        in context: PageContext
    ) {
        id = .rows
        let level = headings.isEmpty ? level : level + 1
        content = .rows(
            style,
            rows.enumerated().map { position, row in
                let view = row.view(in: context)
                return (view.id, view.html(heading: headings[position], level: level))
            }
        )
    }

    /// Whether updates leave the element alone, because a person may be typing in it.
    var isInput: Bool { id == .form }

    var element: HTML {
        switch content {
        case .html(let html):
            "<div id=\"\(id.rawValue)\" class=\"part\" data-part>\(html)</div>\n"
        case .rows(let style, let rows):
            "<ul id=\"\(id.rawValue)\" class=\"rows \(style.rawValue)\" data-part>\n\(rows.map(\.html))</ul>\n"
        }
    }
}

/// The status of a page's content, for styles and tests.
enum PageStatus: String, Sendable {
    case idle, loading, ready, empty, failed

    /// Returns the element of a status, which screen readers announce, and a message below it.
    func html(_ lines: [String?] = [], message: HTML? = nil) -> HTML {
        let lines = lines.compactMap { $0.map { "<p>\($0)</p>" as HTML } }
        return "<div role=\"status\" data-status=\"\(rawValue)\">\(lines)</div>\(message)"
    }
}
