import BrowseKit

/// The search for accounts.
struct UserSearchScreen: ListScreen {
    static let path = "/users"
    let address: PageAddress

    init?(_ address: PageAddress) {
        self.address = address
    }

    func makeModel(in container: Container) -> UserSearchViewModel { container.userSearchViewModel() }

    func start(_ model: UserSearchViewModel) async {
        model.scope = Self.scope(address["scope"])
        model.query = address["q"]
        await model.submit()
    }

    func input(_ fields: [String: String], to model: UserSearchViewModel) {
        model.scope = Self.scope(fields["scope"])
        model.query = fields["q"] ?? ""
    }

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
            path: Self.path,
            fields: [
                .text("q", texts(.query), in: address),
                .choice("scope", texts(.scope), [("", "GitHub"), ("favorites", texts(.favorites))], in: address),
            ],
            button: texts(.search)
        )
    }

    private static func scope(_ text: String?) -> UserSearchViewModel.Scope {
        text == "favorites" ? .favorites : .gitHub
    }
}
