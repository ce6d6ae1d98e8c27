import BrowseKit

extension UserRow: WebRow {
    func view(in context: PageContext) -> RowView {
        let name = user.login.rawValue
        return RowView(
            id: id.description,
            title: name,
            link: route.flatMap { Link($0) },
            image: context.image(user.avatar, side: 48),
            marks: Group([context.favorite(isFavorite, row: id.description, name: name)])
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
        let star = MarkView(
            .star,
            row: id.description,
            isOn: isStarred,
            label: texts(.star(name)),
            count: starCount.map(texts.formats.compact)
        )
        return RowView(
            id: id.description,
            title: name,
            link: route.flatMap { Link($0) },
            image: context.image(repo.owner?.avatar, side: 48),
            text: repo.summary,
            facts: Group(facts.compactMap(\.self) + repo.topics.prefix(5).map { "#" + $0 }),
            marks: Group((canStar ? [star] : []) + [context.favorite(isFavorite, row: id.description, name: name)])
        )
    }
}
