/// An action of a page. Buttons send it as the field `do`: its name, its value, and its row.
struct PageAction: Sendable {
    /// The name of an action.
    struct Name: RawRepresentable, Hashable, Sendable {
        let rawValue: String

        /// Changes the fields of the page's own form while a person types.
        static let input = Name(rawValue: "input")
        /// Reports that a row is visible, so that the list can load the next page in time.
        static let appeared = Name(rawValue: "appeared")
        static let more = Name(rawValue: "more")
        static let loadAll = Name(rawValue: "load-all")
        static let retry = Name(rawValue: "retry")
        static let refresh = Name(rawValue: "refresh")
        static let dismiss = Name(rawValue: "dismiss")
        static let favorite = Name(rawValue: "favorite")
        static let star = Name(rawValue: "star")
        static let followers = Name(rawValue: "followers")
        static let following = Name(rawValue: "following")
        static let repos = Name(rawValue: "repos")
        static let unfold = Name(rawValue: "unfold")
        static let signInByCode = Name(rawValue: "sign-in-by-code")
        static let signInByBrowser = Name(rawValue: "sign-in-by-browser")
        static let cancel = Name(rawValue: "cancel")
        static let askToSignOut = Name(rawValue: "ask-to-sign-out")
        static let signOut = Name(rawValue: "sign-out")
        /// Changes the language of the site.
        static let language = Name(rawValue: "language")
    }

    /// The name.
    let name: Name
    /// The wanted value, such as `on` or `off` for a mark.
    ///
    /// So a button of an outdated page doesn't do the opposite.
    let value: String
    /// The row's ``RowView/id``; empty for an action of the entire page.
    let row: String
    /// All fields of the form.
    let fields: [String: String]

    /// Reads an action from the fields of a form.
    init(_ fields: [String: String]) {
        let words = (fields["do"] ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        name = Name(rawValue: words.first.map(String.init) ?? "")
        value = words.count > 1 ? String(words[1]) : ""
        row = words.count > 2 ? String(words[2]) : ""
        self.fields = fields
    }

    /// Whether the action starts or ends a session.
    var changesAccount: Bool { [.signInByBrowser, .signInByCode, .signOut].contains(name) }

    /// Whether the mark is to be set.
    var isOn: Bool { value == "on" }
}
