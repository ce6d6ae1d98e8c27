/// The form of a search or a filter, which changes the query of the address.
struct FormView: Sendable {
    /// A field of a form.
    struct Field: Sendable {
        /// The name in the query.
        var name: String
        /// The label.
        var label: String
        /// The text; `nil` for a choice.
        var text: String?
        /// The choices; `nil` for a text.
        var options: Options?
    }

    /// The choices of a field.
    ///
    /// They aren't an array, since Mustache renders a section once for each element of one.
    struct Options: Sendable {
        var list: [Option]
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
    /// Creates a field for a text.
    static func text(_ name: String, _ label: String, in address: PageAddress) -> Self {
        Self(name: name, label: label, text: address[name])
    }

    /// Creates a choice; the first option is the default, and isn't written into the address.
    static func choice(_ name: String, _ label: String, _ options: [(String, String)], in address: PageAddress) -> Self
    {
        Self(
            name: name,
            label: label,
            options: FormView.Options(
                list: options.map { FormView.Option(value: $0.0, title: $0.1, isSelected: $0.0 == address[name]) }
            )
        )
    }
}
