import BrowseKit
import WebSupport

/// A row of any list.
struct RowView: Sendable {
    /// The text of the row's id, unique in its list: the element's id is `row-` and the text.
    var id: String
    var title: String
    /// Where the title leads.
    var link: Link?
    var image: HTML?
    /// The line below the title.
    var subtitle: String?
    /// A longer text.
    var text: String?
    /// Short facts.
    var facts: [String] = []
    var rating: HTML?
    /// The marks that a person can set and remove.
    var marks: [HTML] = []

    /// Returns the element of the row.
    ///
    /// - Parameters:
    ///   - heading: The heading above the row, if a group begins.
    ///   - level: The level of the row's own heading.
    func html(heading: String?, level: Int) -> HTML {
        let facts = facts.map { "<li>\($0)</li>" as HTML }
        return """
            <li id="row-\(id)" class="row" data-row="\(id)">\(heading.map { "<h2>\($0)</h2>" })<article>\(image)\
            <div class="text"><h\(level)>\(link?.html(title) ?? "\(title)")</h\(level)>\
            \(paragraph(subtitle, class: "subtitle"))\(paragraph(text, class: "summary"))\(rating)\
            \(facts.isEmpty ? nil : "<ul class=\"facts\">\(facts)</ul>")</div>\(group("marks", marks))</article></li>

            """
    }
}

/// A row of the SDK that this site can show.
protocol WebRow: ListRow {
    /// Describes the row.
    func view(in context: PageContext) -> RowView
}
