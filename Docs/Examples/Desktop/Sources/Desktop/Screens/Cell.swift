import BrowseKit
import CDesktop

/// The contents of a cell.
struct CellContent {
    var title: String
    var subtitle: String?
    var image: WebAddress?
    var isFavorite: Bool?
    var star: (isOn: Bool, count: String)?
}

extension RepoRow {
    /// The star and the number of stars; `nil` if it can't have one.
    func star(_ texts: Texts) -> (isOn: Bool, count: String)? {
        canStar ? (isStarred, starCount.map { texts.formats.compact($0) } ?? "") : nil
    }
}

/// Shows whether something is a favorite, or hides the heart.
func setHeart(_ button: Widget, _ isFavorite: Bool?, of thing: String, _ texts: Texts) {
    let name = texts(isFavorite == true ? .removeFavorite : .addFavorite)
    setTitle(button, isFavorite.map { $0 ? "♥" : "♡" }, name: name, of: thing)
}

/// Shows whether a repository has a star, or hides it.
func setStar(_ button: Widget, _ star: (isOn: Bool, count: String)?, of thing: String, _ texts: Texts) {
    let name = texts(star?.isOn == true ? .unstar : .star)
    // The name replaces the title, which has the number of stars.
    let count = star.flatMap { $0.count.isEmpty ? nil : texts(.starCount($0.count)) }
    let description = [thing, count].compactMap(\.self).joined(separator: ", ")
    setTitle(button, star.map { ($0.isOn ? "★ " : "☆ ") + $0.count }, name: name, of: description)
}

/// A cell of a list, which is reused for other rows.
final class Cell<Row: ListRow> {
    /// The place of a cell. GTK prepares about 200, of which those on the screen load their images
    /// first, and those far away none.
    enum Place { case visible, near, away }

    let root: Widget
    private(set) var row: Row?
    private let texts: Texts
    private let header = label("", "heading", "dim-label")
    private let title = label()
    private let subtitle = label("", "dim-label", "caption")
    let avatar: Avatar
    private let heart: Widget = gtk_button_new()
    private let star: Widget = gtk_button_new()
    private(set) var content = CellContent(title: "")
    var place = Place.away { didSet { if place != oldValue { loadImage() } } }

    /// - Parameter set: Turns a mark of a row on or off.
    init(_ container: Container, set: @escaping (RowMark, Row, Bool) -> Void) {
        texts = container.texts()
        avatar = Avatar(container, side: 36)
        for button in [heart, star] {
            gtk_widget_add_css_class(button, "flat")
            gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        }
        let lines = box(GTK_ORIENTATION_VERTICAL, 0, [title, subtitle])
        gtk_widget_set_hexpand(lines, 1)
        gtk_widget_set_valign(lines, GTK_ALIGN_CENTER)
        let line = box(GTK_ORIENTATION_HORIZONTAL, 10, [avatar.widget, lines, star, heart])
        root = box(GTK_ORIENTATION_VERTICAL, 0, [header, line])
        // A click on the header doesn't select the row.
        let click: OpaquePointer = gtk_gesture_click_new()
        connect(gpointer(click), "pressed") { _ in gtk_gesture_set_state(click, GTK_EVENT_SEQUENCE_CLAIMED) }
        gtk_widget_add_controller(header, click)
        connect(heart, "clicked") { [weak self] in
            if let self, let row { set(.favorite, row, content.isFavorite != true) }
        }
        connect(star, "clicked") { [weak self] in
            if let self, let row { set(.star, row, content.star?.isOn != true) }
        }
    }

    func show(_ row: Row, _ content: CellContent) {
        (self.row, self.content) = (row, content)
        setText(title, content.title)
        setText(subtitle, content.subtitle)
        setHeart(heart, content.isFavorite, of: content.title, texts)
        setStar(star, content.star, of: content.title, texts)
        // The parent is GTK's widget of the row.
        setName(gtk_widget_get_parent(root), content.title, of: content.subtitle)
        loadImage()
    }

    /// Loads the image with the urgency of the place; again, if it has failed.
    func loadImage() {
        avatar.image.priority = place == .visible ? .visible : .prefetch
        avatar.show(place == .away ? nil : content.image, name: content.title)
    }

    func showHeader(_ text: String?) { setText(header, text) }

    /// The row is no longer shown, so its image isn't loaded either.
    func unbind() {
        (row, content) = (nil, CellContent(title: ""))
        place = .away
    }
}
