import BrowseKit

/// The search for accounts.
struct UserSearchScreen: ListScreen {
    static let paths = ["/users"]
    let address: PageAddress

    init?(_ address: PageAddress) {
        self.address = address
    }

    func makeModel(in context: PageContext) -> UserSearchViewModel { context.container.userSearchViewModel() }

    func start(_ model: UserSearchViewModel) async {
        apply(address.query, to: model)
        await model.submit()
    }

    func input(_ fields: [String: String], to model: UserSearchViewModel) { apply(fields, to: model) }

    func list(in state: UserSearchViewModel.State, _ context: PageContext) -> ListPart<UserRow> {
        ListPart(
            title: context.texts(.users),
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
                .choice("scope", texts(.scope), [("", "GitHub"), ("favorites", texts(.favorites))], in: address),
            ],
            button: texts(.search)
        )
    }

    @MainActor
    private func apply(_ fields: [String: String], to model: UserSearchViewModel) {
        model.scope = fields["scope"] == "favorites" ? .favorites : .gitHub
        model.query = fields["q"] ?? ""
    }
}
