import BrowseKit

/// A repository, with its README.
struct RepoDetailScreen: DetailScreen {
    let address: PageAddress
    let show: @MainActor @Sendable (RepoDetailViewModel) async -> Void

    func makeModel(in context: PageContext) -> RepoDetailViewModel { context.container.repoDetailViewModel() }

    func load(_ model: RepoDetailViewModel, in context: PageContext) async { await show(model) }

    func details(_ details: RepoFacts, of state: RepoDetailViewModel.State, in context: PageContext) -> (HTML, [HTML?])
    {
        let repo = details.details.repo
        let star = state.row.flatMap { row in
            row.canStar ? context.star(row.isStarred, count: row.starCount, name: row.fullName) : nil
        }
        let page = repo.webPage.flatMap { Link($0)?.html(context.texts(.onGitHub)) }
        let header = header(
            state.title,
            repo.summary,
            image: context.image(repo.owner?.avatar, 96),
            group("marks", [star, context.favorite(state.isFavorite, name: state.title)].compactMap(\.self)),
            links([page].compactMap(\.self))
        )
        let facts = WebApp.facts(details.facts.filter { !["summary", "webPage"].contains($0.id) && !$0.isMissing })
        return (header, [section("repo", nil, facts), readme(in: state.readme.status, context)])
    }

    private func readme(in status: DetailState<GitHub.Readme?>.Status, _ context: PageContext) -> HTML? {
        let texts = context.texts
        let content: HTML? =
            switch status {
            case .idle: nil
            case .loading: PageStatus.loading.html([texts(.loading)])
            case .failed(let message): "\(context.html(message).text)\(context.html(message).help)"
            case .loaded(nil): paragraph(texts(.noReadme), class: "subtitle")
            case .loaded(let readme?):
                """
                <div class="markdown">\(Markdown(readme.text, below: 2).html)</div>\
                \(paragraph(readme.isTruncated ? texts(.readmeTruncated) : nil, class: "subtitle"))
                """
            }
        return section("readme", texts(.readme), content)
    }

    func performOwn(_ action: PageAction, on model: RepoDetailViewModel, in context: PageContext) async -> PageOutcome?
    {
        guard action.name == .star else { return nil }
        guard await model.setStar(to: action.isOn) == .signIn else { return .stay }
        if let repo = model.state.row?.repo { await context.session.save(repo) }
        // Signing in leads back to the repository, and then the star is set.
        return .go(PageAddress(path: "sign-in", query: ["for": "star", "from": address.text]).text)
    }
}
