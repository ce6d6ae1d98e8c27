import BrowseDomain

extension ListController {
    /// Shows only rows whose field contains a text, as `TypedText.isPart(of:)` finds it.
    ///
    /// The filter applies to later pages too.
    ///
    /// - Parameters:
    ///   - text: The text, as the person typed it; a blank one shows all rows.
    ///   - field: Returns the field of a row.
    public func filter(containing text: String, in field: @escaping @Sendable (Row) -> String) {
        let text = TypedText(text)
        update { list in
            if text.isEmpty { list.filter(nil) } else { list.filter { text.isPart(of: field($0)) } }
        }
    }
}
