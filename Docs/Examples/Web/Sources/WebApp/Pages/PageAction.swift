/// An action of a page. Buttons send it as the field `do`: its name, its value, and its row.
struct PageAction: Sendable {
    enum Name: String {
        case none = ""
        /// Changes the fields of the page's own form while a person types.
        case input
        /// Reports that a row is visible, so that the list can load the next page in time.
        case appeared
        case more, retry, refresh, dismiss, undo, favorite, star, followers, following, repos, unfold, cancel
        case loadAll = "load-all"
        case signInByCode = "sign-in-by-code"
        case signInByBrowser = "sign-in-by-browser"
        case askToSignOut = "ask-to-sign-out"
        case signOut = "sign-out"
        /// Changes the language or the colors of the site.
        case language, theme
    }

    let name: Name
    /// The wanted value, such as `on` or `off` for a mark, or the address of a removed favorite.
    ///
    /// So a button of an outdated page doesn't do the opposite.
    let value: String
    /// The row's ``RowView/id``; empty for an action of the entire page.
    let row: String
    let fields: [String: String]

    init(_ fields: [String: String]) {
        let words = (fields["do"] ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        name = words.first.flatMap { Name(rawValue: String($0)) } ?? .none
        value = words.count > 1 ? String(words[1]) : ""
        row = words.count > 2 ? String(words[2]) : ""
        self.fields = fields
    }

    /// Whether the action starts or ends a session.
    var changesAccount: Bool { [.signInByBrowser, .signInByCode, .signOut].contains(name) }

    var isOn: Bool { value == "on" }
}
