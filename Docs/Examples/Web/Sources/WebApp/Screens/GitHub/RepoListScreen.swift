import BrowseKit

/// The public repositories of an account, or the visitor's own or starred ones.
struct RepoListScreen: ListScreen {
    let address: PageAddress
    let repoList: GitHub.RepoList

    func makeModel(in context: PageContext) -> RepoListViewModel { context.container.repoListViewModel() }

    func start(_ model: RepoListViewModel) async { await model.show(repoList) }
}
