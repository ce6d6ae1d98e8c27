import BrowseKit

/// A row of any list, as the template `row` shows it.
///
/// Templates write optional values with a leading dot, as in `{{#.text}}`; without it, Mustache would search the enclosing
/// values for a missing one.
struct RowView: Sendable {
    /// The text of the row's id, unique in its list: the element's id is `row-` and the text.
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
    var facts: Group<String>?
    /// The rating.
    var rating: RatingView?
    /// The marks that a person can set and remove.
    var marks: Group<MarkView>?
}

/// A row of the SDK that this site can show.
protocol WebRow: ListRow {
    /// Describes the row.
    func view(in context: PageContext) -> RowView
    /// Sets the favorite mark of a row; the default does nothing.
    @MainActor static func setFavorite(_ action: PageAction, in list: some ListIntents<Self>) async
}

extension WebRow {
    @MainActor
    static func setFavorite(_ action: PageAction, in list: some ListIntents<Self>) async {}
}

extension WebRow where Self: FavoriteRow {
    @MainActor
    static func setFavorite(_ action: PageAction, in list: some ListIntents<Self>) async {
        if let id = ID(action.row) { await list.setFavorite(id, to: action.isOn) }
    }
}
