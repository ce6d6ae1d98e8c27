import BrowseKit

/// The followers of an account, or the accounts that it follows.
struct FollowListScreen: ListScreen {
    let address: PageAddress
    let followList: GitHub.FollowList
    var owner: GitHub.Login? { followList.owner }

    func makeModel(in context: PageContext) -> FollowerListViewModel { context.container.followerListViewModel() }

    func start(_ model: FollowerListViewModel) async {
        await model.show(followList)
        model.filter = address["filter"]
    }

    func input(_ fields: [String: String], to model: FollowerListViewModel) async {
        model.filter = fields["filter"] ?? ""
    }

    func form(of state: FollowerListViewModel.State, in context: PageContext) -> HTML? {
        let field = textField("filter", context.texts(.filter), address["filter"])
        let (path, rows) = (address.withoutQuery.text, context.address.rowCount)
        return searchForm([field], path: path, rows: rows, button: context.texts(.filter))
    }
}

/// The public repositories of an account, or the visitor's own or starred ones.
struct RepoListScreen: ListScreen {
    let address: PageAddress
    let repoList: GitHub.RepoList
    var owner: GitHub.Login? { if case .publicRepos(let login) = repoList { login } else { nil } }

    func makeModel(in context: PageContext) -> RepoListViewModel { context.container.repoListViewModel() }

    func start(_ model: RepoListViewModel) async { await model.show(repoList) }
}
