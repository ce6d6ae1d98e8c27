import BrowseKit

/// The public repositories of an account, or the visitor's own or starred ones.
struct RepoListScreen: ListScreen {
    static let paths = ["/users/:login/repos", "/account/repos", "/account/stars"]
    let address: PageAddress
    private let repoList: GitHub.RepoList

    init?(_ address: PageAddress) {
        switch address.parameters["login"].map({ GitHub.Login($0) }) {
        case let login? where login.isValid: repoList = .publicRepos(of: login)
        case nil: repoList = address.path.last == "stars" ? .starred : .own
        default: return nil
        }
        self.address = address
    }

    func makeModel(in context: PageContext) -> RepoListViewModel { context.container.repoListViewModel() }

    func start(_ model: RepoListViewModel) async { await model.show(repoList) }

    func list(in state: RepoListViewModel.State, _ context: PageContext) -> ListPart<RepoRow> {
        ListPart(title: state.title, content: state.content, notice: state.notice)
    }
}
