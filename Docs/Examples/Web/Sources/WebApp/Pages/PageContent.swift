import BrowseKit
import HTTPTypes

/// A page: a title and parts. Each part is an element, which updates change separately.
struct PageContent: Sendable {
    var title: String
    /// The parts, in order. Their ids are unique.
    var parts: [PagePart]
    var status = HTTPResponse.Status.ok
    /// The number of loaded rows of a list, of which a filter may hide some; `nil` for other pages.
    var loadedCount: Int?
    /// The seconds after which a browser without scripts loads the page again.
    ///
    /// `nil` if the page doesn't change by itself.
    var refresh: Int?

    /// The seconds of ``refresh``, or those after which a page that is still loading is asked for again.
    var refreshTime: Int? { refresh ?? (parts.contains(where: \.isLoading) ? 5 : nil) }

    /// What search engines and previews show of the page; `nil` shows nothing.
    var description: String?

    /// The title of the document, which ends with the name of the site.
    var documentTitle: String { title == Self.siteName ? title : "\(title) – \(Self.siteName)" }

    /// The name of the site, which is the same in all languages.
    static let siteName = "BrowseKit"
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
        _ rows: some Collection<Row>,
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

    /// Whether something in the part is still loading.
    fileprivate var isLoading: Bool {
        if case .html(let html) = content { html.text.contains("data-status=\"\(PageStatus.loading)\"") } else { false }
    }

    var element: HTML {
        switch content {
        case .html(let html):
            "<div id=\"\(id.rawValue)\" class=\"part\" data-part>\(html)</div>\n"
        case .rows(let style, let rows):
            "<ul id=\"\(id.rawValue)\" class=\"rows \(style.rawValue)\" role=\"list\" data-part>\n\(rows.map(\.html))</ul>\n"
        }
    }
}

/// The status of a page's content, for styles and tests.
enum PageStatus: String, Sendable {
    case idle, loading, ready, empty, failed

    /// Returns the element of a status, and the buttons that help.
    ///
    /// Screen readers announce the status with its message.
    ///
    /// - Parameter announcement: What only screen readers present, such as the number of rows.
    func html(_ lines: [String?] = [], announcement: String? = nil, message: (text: HTML, help: HTML?)? = nil) -> HTML {
        let lines = lines.compactMap { $0.map { "<p>\($0)</p>" as HTML } }
        let hidden = paragraph(announcement, class: "announcement")
        return """
            <div role="status" data-status="\(rawValue)">\(lines)\(hidden)\(message?.text)</div>\(message?.help)
            """
    }
}
