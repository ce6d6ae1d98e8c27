import BrowseKit

/// The favorites, by letter, kind, or date.
struct FavoriteListScreen: ListScreen {
    private static let kinds: [(String, Phrase, Favorite.Kind?)] = [
        ("", .any, nil), ("users", .users, .user), ("repos", .repos, .repo), ("characters", .characters, .character),
        ("apps", .apps, .app),
    ]
    let address: PageAddress

    func makeModel(in context: PageContext) -> FavoriteListViewModel { context.container.favoriteListViewModel() }

    func start(_ model: FavoriteListViewModel) async {
        model.query = query(address.query)
        await model.show()
    }

    func input(_ fields: [String: String], to model: FavoriteListViewModel) { model.query = query(fields) }

    func list(in state: FavoriteListViewModel.State, _ context: PageContext) -> ListPart<FavoriteListViewModel.Row> {
        var headings: [Int: String] = [:]
        for section in state.sections { headings[section.positions.lowerBound] = section.section.title }
        for group in state.kinds { headings[group.positions.lowerBound] = group.title }
        return ListPart(title: state.title, content: state.content, notice: state.notice, headings: headings)
    }

    func form(in context: PageContext) -> FormView? {
        let texts = context.texts
        return FormView(
            at: address,
            [
                .text("filter", texts(.filter), in: address),
                .choice("kind", texts(.kind), Self.kinds.map { ($0.0, texts($0.1)) }, in: address),
                .choice(
                    "order",
                    texts(.sort),
                    [("", texts(.byName)), ("kind", texts(.byKind)), ("date", texts(.byDate))],
                    in: address
                ),
            ],
            button: texts(.apply)
        )
    }

    private func query(_ fields: [String: String]) -> FavoriteQuery {
        let kind = Self.kinds.first { $0.0 == fields["kind"] ?? "" }?.2
        let order: FavoriteQuery.Order =
            switch fields["order"] {
            case "kind": .kind
            case "date": .added
            default: .name
            }
        return FavoriteQuery(kinds: kind.map { [$0] } ?? [], filter: fields["filter"] ?? "", order: order)
    }
}
