import BrowseKit

/// A row of any list, as the template `row` shows it.
///
/// Templates write optional values with a leading dot, as in `{{#.text}}`; without it, Mustache would search the enclosing
/// values for a missing one.
struct RowView: Equatable, Sendable {
    /// The key of the row, unique in its list: the element's id is `row-` and the key.
    var id: String
    /// The heading above the row, if a group begins.
    var heading: String?
    /// The level of the row's own heading.
    var level = 2
    /// The title.
    var title: String
    /// Where the title leads.
    var link: Link?
    /// The picture.
    var image: ImageView?
    /// The line below the title.
    var subtitle: String?
    /// A longer text.
    var text: String?
    /// Short facts.
    var facts: [String] = []
    /// The rating.
    var rating: RatingView?
    /// The marks that a person can set and remove.
    var marks: [MarkView] = []
}

/// A link to a page of this site or to a web page.
struct Link: Equatable, Sendable {
    /// The address.
    var address: String
    /// The text; empty in a row, whose title is the text.
    var title = ""
    /// Whether the link leaves this site.
    var isExternal = false
}

/// A picture.
struct ImageView: Equatable, Sendable {
    /// The signed address on this site.
    var source: String
    /// The width and height in CSS pixels; pictures are cropped to them.
    var width: Int
    var height: Int
    /// The description; empty for a picture that only decorates.
    var label = ""
}

/// A mark, such as a favorite or a star: a form with one button.
struct MarkView: Equatable, Sendable {
    /// The action of the form.
    var action: String
    /// The row; empty for the page itself.
    var row: String
    /// The value that the button sends: `on` or `off`.
    var value: String
    /// Whether the mark is set.
    var isOn: Bool
    /// The name of the button, which includes the name of the row.
    var label: String
    /// The text beside the symbol, such as a number of stars.
    var count: String?

    init(_ action: String, row: String, isOn: Bool, label: String, count: String? = nil) {
        self.action = action
        self.row = row
        self.isOn = isOn
        self.label = label
        self.count = count
        value = isOn ? "off" : "on"
    }
}

/// A rating with five stars.
struct RatingView: Equatable, Sendable {
    /// The average and the number of ratings, for people who can't see the stars.
    var label: String
    /// The average.
    var average: String
    /// The classes of the stars: `full`, `half`, or `empty`.
    var stars: [String]
    /// The number of ratings.
    var count: String?
}

/// A row of the SDK that this site can show.
protocol WebRow: ListRow {
    /// The key of the row, unique in its list.
    var key: String { get }
    /// Describes the row.
    func view(in context: PageContext) -> RowView
}
