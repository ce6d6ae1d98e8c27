import BrowseKit

extension CharacterRow: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(
            id: id.description,
            title: character.name,
            link: route.flatMap { Link($0) },
            image: context.image(character.image, side: 150),
            subtitle: "\(status) · \(species)",
            marks: Group([context.favorite(isFavorite, row: id.description, name: character.name)])
        )
    }
}

extension EpisodeRow: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(id: id.description, title: name, link: route.flatMap { Link($0) }, subtitle: "\(code) · \(airDate)")
    }
}

extension LocationRow: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(id: id.description, title: name, link: route.flatMap { Link($0) }, subtitle: "\(type) · \(dimension)")
    }
}

extension AppRow: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(
            id: id.description,
            title: app.name,
            link: route.flatMap { Link($0) },
            image: context.image(app.icon.forRow, side: 64),
            subtitle: app.developer?.name,
            facts: Group([app.genre, price].compactMap(\.self)),
            rating: rating.map { RatingView($0, in: context) },
            marks: Group([context.favorite(isFavorite, row: id.description, name: app.name)])
        )
    }
}

extension FavoriteListViewModel.Row: WebRow {
    func view(in context: PageContext) -> RowView {
        RowView(
            id: id.description,
            title: favorite.title,
            link: route.flatMap { Link($0) },
            image: context.image(favorite.image, side: 48),
            marks: Group([context.favorite(isFavorite, row: id.description, name: favorite.title)])
        )
    }
}
