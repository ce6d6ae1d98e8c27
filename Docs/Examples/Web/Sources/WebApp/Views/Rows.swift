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
        let star = context.mark(
            .star,
            row: id.description,
            isOn: isStarred,
            label: texts(.star(name)),
            count: starCount.map(texts.formats.compact)
        )
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
    func view(in context: PageContext) -> RowView {
        RowView(
            id: id.description,
            title: favorite.title,
            link: Link(route),
            image: context.image(favorite.image, 48),
            marks: [context.favorite(isFavorite, row: id.description, name: favorite.title)]
        )
    }
}
