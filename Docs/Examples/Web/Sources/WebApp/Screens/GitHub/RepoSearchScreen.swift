import BrowseKit

/// The search for code repositories.
struct RepoSearchScreen: SearchScreen {
    static let title = Phrase.repos
    private static let sorts: [(String, Phrase, GitHub.RepoSearch.Sort)] = [
        ("", .bestMatch, .bestMatch), ("stars", .stars, .stars), ("forks", .forkCount, .forks),
        ("help-wanted", .helpWanted, .helpWantedIssues), ("updated", .lastUpdate, .updated),
    ]
    let address: PageAddress

    func makeModel(in context: PageContext) -> RepoSearchViewModel { context.container.repoSearchViewModel() }

    func choices(_ texts: Texts) -> [FormView.Field] {
        let orders = [("", texts(.descending)), ("ascending", texts(.ascending))]
        return [
            .choice("sort", texts(.sort), Self.sorts.map { ($0.0, texts($0.1)) }, in: address),
            .choice("order", texts(.order), orders, in: address),
        ]
    }

    func apply(_ fields: [String: String], to model: RepoSearchViewModel) {
        let sort = Self.sorts.first { $0.0 == fields["sort"] ?? "" }?.2 ?? .bestMatch
        let order: GitHub.RepoSearch.Order = fields["order"] == "ascending" ? .ascending : .descending
        // Setting them searches again at once.
        if sort != model.sort { model.sort = sort }
        if order != model.order { model.order = order }
        model.query = fields["q"] ?? ""
    }
}
