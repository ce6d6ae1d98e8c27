extension StringProtocol {
    /// The text without leading and trailing white space.
    @_spi(Services) public var trimmed: String {
        let text = drop(while: \.isWhitespace)
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...last])
    }

    /// The trimmed text; `nil` if it's empty.
    @_spi(Services) public var nonBlank: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }
}
