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

extension FormView {
    /// Creates a form that leads to the same path.
    init(at address: PageAddress, _ fields: [Field], button: String, isLive: Bool = true) {
        self.init(path: address.withoutQuery.text, fields: fields, button: button, isLive: isLive)
    }
}

extension FormView.Field {
    /// Creates a field for a text.
    static func text(_ name: String, _ label: String, in address: PageAddress) -> Self {
        Self(name: name, label: label, text: address[name])
    }

    /// Creates a choice; the first option is the default, whose value is empty.
    static func choice(_ name: String, _ label: String, _ options: [(String, String)], in address: PageAddress) -> Self
    {
        let options = options.map { FormView.Option(value: $0.0, title: $0.1, isSelected: $0.0 == address[name]) }
        return Self(name: name, label: label, options: Group(options))
    }
}
