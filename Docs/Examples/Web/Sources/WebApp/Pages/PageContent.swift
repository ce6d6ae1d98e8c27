import BrowseKit

/// What a page shows: a title and parts. Each part is an element, which live updates replace separately.
struct PageContent: Sendable {
    /// The title of the document.
    var title: String
    /// The parts, in order. Their ids are unique.
    var parts: [PagePart]
}

/// An element of a page.
struct PagePart: Sendable {
    /// The `id` of an element.
    enum ID: String, Sendable {
        case header, form, notice, status, details, related, rows, more
    }

    /// The content of an element.
    enum Content: Sendable {
        /// A template and its values. The template renders the inside of the element.
        case template(String, any Sendable)
        /// The rows of a list.
        case rows(RowList)
    }

    /// The `id` of the element.
    let id: ID
    /// The content.
    let content: Content
    /// Whether live updates leave the element alone, because a person may be typing in it.
    let isInput: Bool

    /// Creates a part.
    init(_ id: ID, _ content: Content, isInput: Bool = false) {
        self.id = id
        self.content = content
        self.isInput = isInput
    }
}

/// The rows of a list, whatever their type, with the difference from older rows.
struct RowList: Sendable {
    /// The arrangement of the rows: the class of the element.
    enum Style: String, Sendable {
        case list, grid
    }

    /// The number of rows.
    let count: Int
    /// The arrangement.
    let style: Style
    /// The headings above rows, by position: the letters of favorites.
    let headings: [Int: String]
    /// The level of the rows' own headings.
    private let level: Int
    private let describe: @Sendable (Int) -> RowView
    private let rows: any Sendable
    private let difference: @Sendable (any Sendable) -> ListChange

    /// Creates a list from the rows of a state.
    init<Row: WebRow>(
        _ rows: Rows<Row>,
        style: Style = .list,
        headings: [Int: String] = [:],
        level: Int = 2,
        in context: PageContext
    ) {
        count = rows.count
        self.style = style
        self.headings = headings
        self.level = headings.isEmpty ? level : level + 1
        self.rows = rows
        describe = { rows[$0].view(in: context) }
        difference = { old in (old as? Rows<Row>).map(rows.change(since:)) ?? .reset }
    }

    /// Returns the row at a position.
    subscript(position: Int) -> RowView {
        var row = describe(position)
        row.heading = headings[position]
        row.level = level
        return row
    }

    /// Returns the update of a page that shows older rows; see `Rows.change(since:)`.
    func change(since old: RowList) -> ListChange { difference(old.rows) }
}
