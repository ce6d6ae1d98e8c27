import BrowseKit

extension CharacterRow: WebRow {
    var key: String { "\(id.rawValue)" }

    func view(in context: PageContext) -> RowView {
        RowView(
            id: key,
            title: character.name,
            link: route.flatMap { Link($0) },
            image: context.image(character.image, side: 150),
            subtitle: "\(status) · \(species)",
            marks: Group([context.favorite(isFavorite, row: key, name: character.name)])
        )
    }
}

extension EpisodeRow: WebRow {
    var key: String { "\(id.rawValue)" }

    func view(in context: PageContext) -> RowView {
        RowView(id: key, title: name, link: route.flatMap { Link($0) }, subtitle: "\(code) · \(airDate)")
    }
}

extension LocationRow: WebRow {
    var key: String { "\(id.rawValue)" }

    func view(in context: PageContext) -> RowView {
        RowView(id: key, title: name, link: route.flatMap { Link($0) }, subtitle: "\(type) · \(dimension)")
    }
}

extension AppRow: WebRow {
    var key: String { "\(id.rawValue)" }

    func view(in context: PageContext) -> RowView {
        RowView(
            id: key,
            title: app.name,
            link: route.flatMap { Link($0) },
            image: context.image(app.icon.forRow, side: 64),
            subtitle: app.developer?.name,
            facts: Group([app.genre, price].compactMap(\.self)),
            rating: rating.map { RatingView($0, in: context) },
            marks: Group([context.favorite(isFavorite, row: key, name: app.name)])
        )
    }
}

extension FavoriteListViewModel.Row: WebRow {
    var key: String { "\(id.kind.rawValue)-\(id.key)" }

    func view(in context: PageContext) -> RowView {
        RowView(
            id: key,
            title: favorite.title,
            link: route.flatMap { Link($0) },
            image: context.image(favorite.image, side: 48),
            marks: Group([context.favorite(isFavorite, row: key, name: favorite.title)])
        )
    }
}
