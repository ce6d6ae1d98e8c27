import BrowseKit

/// The search for code repositories.
struct RepoSearchScreen: ListScreen {
    static let paths = ["/repos"]
    private static let sorts: [(String, Phrase, GitHub.RepoSearch.Sort)] = [
        ("", .bestMatch, .bestMatch), ("stars", .stars, .stars), ("forks", .forkCount, .forks),
        ("help-wanted", .helpWanted, .helpWantedIssues), ("updated", .lastUpdate, .updated),
    ]
    let address: PageAddress

    init?(_ address: PageAddress) {
        self.address = address
    }

    func makeModel(in context: PageContext) -> RepoSearchViewModel { context.container.repoSearchViewModel() }

    func start(_ model: RepoSearchViewModel) async {
        apply(address.query, to: model)
        await model.submit()
    }

    func input(_ fields: [String: String], to model: RepoSearchViewModel) { apply(fields, to: model) }

    func list(in state: RepoSearchViewModel.State, _ context: PageContext) -> ListPart<RepoRow> {
        ListPart(
            title: context.texts(.repos),
            content: state.content,
            notice: state.notice,
            hint: state.hint,
            summary: state.summary,
            isWaiting: state.isWaiting
        )
    }

    func form(in context: PageContext) -> FormView? {
        let texts = context.texts
        return FormView(
            at: address,
            [
                .text("q", texts(.query), in: address),
                .choice("sort", texts(.sort), Self.sorts.map { ($0.0, texts($0.1)) }, in: address),
                .choice(
                    "order",
                    texts(.order),
                    [("", texts(.descending)), ("ascending", texts(.ascending))],
                    in: address
                ),
            ],
            button: texts(.search)
        )
    }

    @MainActor
    private func apply(_ fields: [String: String], to model: RepoSearchViewModel) {
        let sort = Self.sorts.first { $0.0 == fields["sort"] ?? "" }?.2 ?? .bestMatch
        let order: GitHub.RepoSearch.Order = fields["order"] == "ascending" ? .ascending : .descending
        // Setting them searches again at once.
        if sort != model.sort { model.sort = sort }
        if order != model.order { model.order = order }
        model.query = fields["q"] ?? ""
    }
}
