import BrowseKit
import HTTPTypes
import WebSupport

/// A page: a title and parts. Each part is an element, which updates change separately.
struct PageContent: Sendable {
    /// The title of the document.
    var title: String
    /// The parts, in order. Their ids are unique.
    var parts: [PagePart]
    /// The status of a response with the page.
    var status = HTTPResponse.Status.ok
}

/// An element of a page.
struct PagePart: Sendable {
    /// The `id` of an element.
    enum ID: String, Sendable {
        case header, form, notice, status, details, related, rows, more
    }

    /// The arrangement of the rows of a list.
    enum RowStyle: String, Sendable {
        case list, grid
    }

    /// The content of an element.
    enum Content: Sendable {
        /// The inside of the element.
        case html(HTML)
        /// The rows of a list, by their ids.
        case rows(RowStyle, [(id: String, html: HTML)])
    }

    /// The `id` of the element.
    let id: ID
    /// The content.
    let content: Content

    /// Creates a part.
    init(_ id: ID, _ html: HTML?) {
        self.id = id
        content = .html(html ?? "")
    }

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - rows: The rows of a state.
    ///   - style: The arrangement.
    ///   - headings: The headings above rows, by position.
    ///   - level: The level of the rows' own headings without such headings.
    ///   - context: The values of the page.
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

    /// The element.
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

    /// Returns the element of a status, which screen readers announce when it changes.
    ///
    /// - Parameters:
    ///   - lines: The number of results, their age, or why there are none yet.
    ///   - message: The message in place of the content.
    func html(_ lines: [String?] = [], message: HTML? = nil) -> HTML {
        let lines = lines.compactMap { $0.map { "<p>\($0)</p>" as HTML } }
        return "<div role=\"status\" data-status=\"\(rawValue)\">\(lines)</div>\(message)"
    }
}
