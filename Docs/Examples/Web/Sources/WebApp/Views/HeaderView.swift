import BrowseKit

/// The heading of a page.
struct HeaderView: Sendable {
    var title: String
    var subtitle: String?
    var image: ImageView?
    var rating: RatingView?
    var marks: Group<MarkView>?
    var links: Group<Link>?
    var buttons: Group<ButtonView>?

    init(
        title: String,
        subtitle: String? = nil,
        image: ImageView? = nil,
        rating: RatingView? = nil,
        marks: [MarkView] = [],
        links: [Link] = [],
        buttons: [ButtonView] = []
    ) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
        self.rating = rating
        self.marks = Group(marks)
        self.links = Group(links)
        self.buttons = Group(buttons)
    }
}

/// The sections of a detail page.
struct DetailsView: Sendable {
    var sections: [SectionView]
}

/// A section of a detail page.
struct SectionView: Sendable {
    /// A fact: a name and a value, which may be a link.
    struct Fact: Sendable {
        var name: String
        var value: String
        var link: Link?

        init(_ fact: BrowseKit.Fact) {
            (name, value) = (fact.label, fact.value)
            link = fact.route.flatMap { Link($0) }
        }
    }

    /// A picture that leads to a larger one.
    struct Picture: Sendable {
        var link: String
        var image: ImageView
    }

    /// The name of the section, for styles and tests.
    var id: String
    /// The heading.
    var title: String?
    /// The line below the heading.
    var subtitle: String?
    var facts: Group<Fact>?
    var text: String?
    var button: ButtonView?
    var pictures: Group<Picture>?
    var links: Group<Link>?
    var buttons: Group<ButtonView>?
}

extension SectionView {
    /// Creates a section with facts.
    init(id: String, title: String? = nil, facts: [BrowseKit.Fact]) {
        self.init(id: id, title: title, facts: Group(facts.map { Fact($0) }))
    }
}

/// The heading of a related list.
struct RelatedView: Sendable {
    var title: String
    var status: StatusView
}
