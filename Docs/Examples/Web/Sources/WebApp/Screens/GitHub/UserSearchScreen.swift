import BrowseKit

/// The search for accounts.
struct UserSearchScreen: SearchScreen {
    static let title = Phrase.users
    let address: PageAddress

    func makeModel(in context: PageContext) -> UserSearchViewModel { context.container.userSearchViewModel() }

    func choices(_ texts: Texts) -> [FormView.Field] {
        [.choice("scope", texts(.scope), [("", "GitHub"), ("favorites", texts(.favorites))], in: address)]
    }

    func apply(_ fields: [String: String], to model: UserSearchViewModel) {
        model.scope = fields["scope"] == "favorites" ? .favorites : .gitHub
        model.query = fields["q"] ?? ""
    }
}
