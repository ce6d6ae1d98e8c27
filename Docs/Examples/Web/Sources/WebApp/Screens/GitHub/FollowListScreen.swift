import BrowseKit

/// The followers of an account, or the accounts that it follows.
struct FollowListScreen: ListScreen {
    let address: PageAddress
    let followList: GitHub.FollowList

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
