import BrowseKit

/// The followers of an account, or the accounts that it follows.
struct FollowListScreen: ListScreen {
    static let paths = ["/users/:login/followers", "/users/:login/following"]
    let address: PageAddress
    private let followList: GitHub.FollowList

    init?(_ address: PageAddress) {
        let login = GitHub.Login(address.parameters["login"] ?? "")
        guard login.isValid else { return nil }
        followList = address.path.last == "following" ? .following(by: login) : .followers(of: login)
        self.address = address
    }

    func makeModel(in context: PageContext) -> FollowerListViewModel { context.container.followerListViewModel() }

    func start(_ model: FollowerListViewModel) async {
        await model.show(followList)
        model.filter = address["filter"]
    }

    func input(_ fields: [String: String], to model: FollowerListViewModel) { model.filter = fields["filter"] ?? "" }

    func list(in state: FollowerListViewModel.State, _ context: PageContext) -> ListPart<UserRow> {
        ListPart(title: state.title, content: state.content, notice: state.notice)
    }

    func form(in context: PageContext) -> FormView? {
        let texts = context.texts
        return FormView(at: address, [.text("filter", texts(.filter), in: address)], button: texts(.apply))
    }

    func performOwn(
        _ action: PageAction,
        on model: FollowerListViewModel,
        in context: PageContext
    ) async -> PageOutcome? {
        guard action.name == .loadAll else { return nil }
        if model.state.content.rows.count < rowLimit { await model.loadAll() }
        return .stay
    }
}
