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

    func form(of state: FollowerListViewModel.State, in context: PageContext) -> FormView? {
        let field = FormView.Field(name: "filter", label: context.texts(.filter), text: address["filter"])
        return FormView(path: address.withoutQuery.text, fields: [field], button: context.texts(.search))
    }
}
