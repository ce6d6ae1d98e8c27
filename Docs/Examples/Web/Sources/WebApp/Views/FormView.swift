import BrowseKit

/// The form of a search or a filter, which changes the query of the address.
struct FormView: Sendable {
    /// A field of a form.
    struct Field: Sendable {
        /// The name in the query.
        var name: String
        /// The label.
        var label: String
        /// The text.
        var text = ""
        /// The choices; `nil` for a text.
        var options: Group<Option>?
    }

    /// A choice.
    struct Option: Sendable {
        var value: String
        var title: String
        var isSelected: Bool
    }

    /// The path of the page.
    var path: String
    var fields: [Field]
    /// The title of the button.
    var button: String
    /// Whether the list follows while a person types.
    var isLive = true
}

extension FormView.Field {
    /// Creates the field of a query.
    init<Query>(_ field: QueryField<Query>, value: String) {
        self.init(name: field.id, label: field.title)
        switch field.input {
        case .text: text = value
        case .choice(let choices): options = Self.options(choices.map { ($0.id, $0.title) }, selected: value)
        case .toggle: options = Self.options([("", "–"), ("on", "✓")], selected: value)
        }
    }

    private static func options(_ choices: [(String, String)], selected: String) -> Group<FormView.Option>? {
        Group(choices.map { FormView.Option(value: $0.0, title: $0.1, isSelected: $0.0 == selected) })
    }
}
