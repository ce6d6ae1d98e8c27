extension StringProtocol {
    /// The text without white space at its ends.
    package var trimmed: String {
        let text = drop(while: \.isWhitespace)
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...last])
    }

    /// The trimmed text; `nil` when nothing is left of it.
    var presence: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }
}
