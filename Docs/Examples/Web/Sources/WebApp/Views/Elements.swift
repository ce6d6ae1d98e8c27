import BrowseKit

/// A link to a page of this site or to a web page.
struct Link: Sendable {
    /// The address.
    var address: String
    /// The text; empty in a row, whose title is the text.
    var title = ""
    /// Whether the link leaves this site.
    var isExternal = false
}

/// A button that performs an action of the page.
struct ButtonView: Sendable {
    /// The value of the field `do`.
    var action: String
    var title: String

    init(_ action: PageAction.Name, _ title: String) {
        self.action = action.rawValue
        self.title = title
    }
}

/// A picture.
struct ImageView: Sendable {
    /// The signed address on this site.
    var source: String
    /// The width in CSS pixels.
    var width: Int
    /// The height in CSS pixels.
    var height: Int
    /// The description; empty for a picture that only decorates.
    var label = ""
}

/// A mark, such as a favorite or a star: a button that is pressed or not.
struct MarkView: Sendable {
    /// The value of the field `do`.
    let action: String
    /// The class of the button: `favorite` or `star`.
    let kind: String
    /// Whether the mark is set.
    let isOn: Bool
    /// The name of the button, which includes the name of the row.
    let label: String
    /// The text beside the symbol, such as a number of stars.
    let count: String?

    /// Creates a mark of a row, or of the page if `row` is empty.
    init(_ kind: PageAction.Name, row: String = "", isOn: Bool, label: String, count: String? = nil) {
        action = "\(kind.rawValue) \(isOn ? "off" : "on") \(row)"
        self.kind = kind.rawValue
        self.isOn = isOn
        self.label = label
        self.count = count
    }
}

/// A rating with five stars.
struct RatingView: Sendable {
    /// The average and the number of ratings, for people who can't see the stars.
    let label: String
    let average: String
    /// The classes of the stars: `full`, `half`, or `empty`.
    let stars: [String]
    /// The number of ratings.
    let count: String?

    init(_ rating: RatingLabel, in context: PageContext) {
        label = context.texts(.rating(rating.average))
        average = rating.average
        stars = rating.stars.map { star in
            switch star {
            case .full: "full"
            case .half: "half"
            case .empty: "empty"
            }
        }
        count = rating.count
    }
}

extension PageContext {
    /// Returns a square picture; `nil` without an address, or if this site doesn't serve it.
    ///
    /// - Parameters:
    ///   - address: The address of the image.
    ///   - side: The width and height in CSS pixels. Twice as many are requested, for dense screens.
    ///   - label: The description; empty for a picture that only decorates.
    func image(_ address: WebAddress?, side: Int, label: String = "") -> ImageView? {
        address.flatMap { image(ImageRequest($0, side: side * 2)) }
            .map { ImageView(source: $0, width: side, height: side, label: label) }
    }

    /// Returns a favorite mark.
    func favorite(_ isOn: Bool, row: String = "", name: String) -> MarkView {
        MarkView(.favorite, row: row, isOn: isOn, label: texts(.favorite(name)))
    }
}

extension Link {
    /// Creates a link to a screen of this site, or to a web page over https; `nil` for other routes.
    init?(_ route: Route, title: String = "") {
        switch route {
        case .webPage(let page): self.init(page, title: title)
        default:
            guard let path = route.path else { return nil }
            self.init(address: path, title: title)
        }
    }

    /// Creates a link to a web page over https; `nil` for other addresses.
    init?(_ page: WebAddress, title: String = "") {
        guard let url = page.url, url.scheme?.lowercased() == "https" else { return nil }
        self.init(address: url.absoluteString, title: title, isExternal: true)
    }
}
