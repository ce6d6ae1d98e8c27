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

/// A cell of a list, which is reused for other rows.
@MainActor
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
    private let avatar: Avatar
    private let heart: Widget
    private let star: Widget
    private var request: ImageRequest?
    private var place = Place.away

    init(
        _ container: Container,
        toggleFavorite: @escaping @MainActor (Row) -> Void,
        toggleStar: @escaping @MainActor (Row) -> Void
    ) {
        texts = container.texts()
        avatar = Avatar(container, side: 36)
        heart = gtk_button_new_with_label("")
        star = gtk_button_new_with_label("")
        for button in [heart, star] {
            gtk_widget_add_css_class(button, "flat")
            gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        }
        let lines = box(GTK_ORIENTATION_VERTICAL, 0, [title, subtitle])
        gtk_widget_set_hexpand(lines, 1)
        gtk_widget_set_valign(lines, GTK_ALIGN_CENTER)
        let line = box(GTK_ORIENTATION_HORIZONTAL, 10, [avatar.widget, lines, star, heart])
        root = box(GTK_ORIENTATION_VERTICAL, 6, margin: 3, [header, line])
        showHeader(nil)
        connect(heart, "clicked") { [weak self] in if let row = self?.row { toggleFavorite(row) } }
        connect(star, "clicked") { [weak self] in if let row = self?.row { toggleStar(row) } }
    }

    func show(_ row: Row, _ content: CellContent) {
        self.row = row
        setText(title, content.title)
        setText(subtitle, content.subtitle ?? "")
        setVisible(subtitle, content.subtitle != nil)
        setVisible(heart, content.isFavorite != nil)
        let isFavorite = content.isFavorite == true
        gtk_button_set_label(heart.as(), isFavorite ? "♥" : "♡")
        setName(heart, texts(isFavorite ? .removeFavorite : .addFavorite), of: content.title)
        setVisible(star, content.star != nil)
        if let value = content.star {
            gtk_button_set_label(star.as(), (value.isOn ? "★ " : "☆ ") + value.count)
            setName(star, texts(value.isOn ? .unstar : .star), of: content.title)
        }
        request = content.image.map { ImageRequest($0, side: 36) }
        move(to: place)
    }

    /// Loads the image with the urgency of a place; again, if it has failed.
    func move(to place: Place) {
        self.place = place
        avatar.image.priority = place == .visible ? .visible : .prefetch
        avatar.show(place == .away ? nil : request, name: String(cString: gtk_label_get_text(title.opaque)))
    }

    /// The state of the row's image; `nil` if it has none.
    var imageState: RemoteImageViewModel.State? { request == nil ? nil : avatar.image.state }

    func showHeader(_ text: String?) {
        setVisible(header, text != nil)
        setText(header, text ?? "")
    }

    /// The row is no longer shown, so its image isn't loaded either.
    func unbind() {
        (row, request) = (nil, nil)
        move(to: .away)
    }
}
