extension StringProtocol {
    /// The text without leading and trailing white space; empty if nothing of it is visible.
    @_spi(Services) public var trimmed: String {
        guard contains(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last].drop(while: \.isWhitespace))
    }

    /// The trimmed text; `nil` if it's empty.
    @_spi(Services) public var nonBlank: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }
}

extension Character {
    /// Whether the character is white space or invisible, such as a filler or a mark of direction.
    fileprivate var isBlank: Bool {
        isWhitespace
            || unicodeScalars.allSatisfy { scalar in
                // U+2800 is an empty Braille pattern.
                scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
                    || [.control, .format].contains(scalar.properties.generalCategory)
            }
    }
}
