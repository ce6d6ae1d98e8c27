import BrowseKit

extension UserRow: WebRow {
    func view(in context: PageContext) -> RowView {
        let name = user.login.rawValue
        return RowView(
            id: id.description,
            title: name,
            link: Link(route),
            image: context.image(user.avatar, 48),
            marks: [context.favorite(isFavorite, row: id.description, name: name)]
        )
    }
}

extension RepoRow: WebRow {
    func view(in context: PageContext) -> RowView {
        let (texts, name) = (context.texts, repo.fullName)
        let facts = [
            repo.language, repo.license?.name, repo.forkCount.map { texts(.forks($0)) },
            repo.updatedAt.map { texts(.updated(texts.formats.day($0))) }, repo.isFork ? texts(.isFork) : nil,
            repo.isArchived ? texts(.isArchived) : nil, repo.isPrivate ? texts(.isPrivate) : nil,
        ]
        let star = context.star(isStarred, row: id.description, count: starCount, name: name)
        return RowView(
            id: id.description,
            title: name,
            link: Link(route),
            image: context.image(repo.owner?.avatar, 48),
            text: repo.summary,
            facts: facts.compactMap(\.self) + repo.topics.prefix(5).map { "#" + $0 },
            marks: (canStar ? [star] : []) + [context.favorite(isFavorite, row: id.description, name: name)]
        )
    }
}

extension CharacterRow: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(
            id: id.description,
            title: character.name,
            link: Link(route),
            image: context.image(character.image, 150),
            subtitle: "\(status) · \(species)",
            marks: [context.favorite(isFavorite, row: id.description, name: character.name)]
        )
    }
}

extension EpisodeRow: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(id: id.description, title: name, link: Link(route), subtitle: "\(code) · \(airDate)")
    }
}

extension LocationRow: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(id: id.description, title: name, link: Link(route), subtitle: "\(type) · \(dimension)")
    }
}

extension AppRow: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(
            id: id.description,
            title: app.name,
            link: Link(route),
            image: context.image(app.icon.forRow, 64),
            subtitle: app.developer?.name,
            facts: [app.genre, price].compactMap(\.self),
            rating: rating.map(context.html),
            marks: [context.favorite(isFavorite, row: id.description, name: app.name)]
        )
    }
}

extension FavoriteListViewModel.Row: WebRow {
    /// The titles of the kinds, which are those of their lists.
    private static let titles = [
        GitHub.User.favoriteKind: UserSearchViewModel.title, GitHub.Repo.favoriteKind: RepoSearchViewModel.title,
        RickAndMorty.Character.favoriteKind: CharacterRow.listTitle,
        AppStore.App.favoriteKind: AppSearchViewModel.title,
    ]

    func view(in context: PageContext) -> RowView {
        RowView(
            id: id.description,
            title: favorite.title,
            link: Link(route),
            image: context.image(favorite.image, 48),
            subtitle: Self.titles[favorite.kind].map { context.texts($0) },
            marks: [context.favorite(isFavorite, row: id.description, name: favorite.title)]
        )
    }
}

/// A row of any list.
struct RowView: Sendable {
    /// The text of the row's id, unique in its list: the element's id is `row-` and the text.
    var id: String
    var title: String
    var link: Link?
    var image: HTML?
    var subtitle: String?
    var text: String?
    var facts: [String] = []
    var rating: HTML?
    /// The marks that a person can set and remove.
    var marks: [HTML] = []

    /// Returns the element of the row, with a heading above it if a group begins.
    func html(heading: String?, level: Int) -> HTML {
        let facts = facts.map { "<li>\($0)</li>" as HTML }
        return """
            <li id="row-\(id)" class="row" data-row="\(id)">\(heading.map { "<h2>\($0)</h2>" })<article>\(image)\
            <div class="text"><h\(level)>\(link?.html(title) ?? "\(title)")</h\(level)>\
            \(paragraph(subtitle, class: "subtitle"))\(paragraph(text, class: "summary"))\(rating)\
            \(facts.isEmpty ? nil : "<ul class=\"facts\" role=\"list\">\(facts)</ul>")</div>\(group("marks", marks))</article></li>

            """
    }
}

/// A row of the SDK that this site can show.
protocol WebRow: ListRow {
    func view(in context: PageContext) -> RowView
}
