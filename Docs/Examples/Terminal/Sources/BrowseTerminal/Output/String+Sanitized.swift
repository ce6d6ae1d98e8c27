extension String {
    /// The text on one line, without control characters.
    ///
    /// A server can send escape sequences that change the window's title, or controls that override the
    /// writing direction. White space becomes a space, and other controls become U+FFFD. Joiners of
    /// letters (as in Persian) and emoji stay; invisible decorations, such as soft hyphens, byte order
    /// marks, and the marks and isolates of right-to-left text, are removed.
    package var sanitized: String {
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) }) else { return self }
        var result = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in unicodeScalars {
            // CR LF is one line break.
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\n", isAfterReturn { continue }
            if let sanitized = scalar.sanitized { result.append(sanitized) }
        }
        return String(result)
    }

    /// The text's lines, each ``sanitized``.
    package var sanitizedLines: [String] {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0).sanitized }
    }
}

extension Unicode.Scalar {
    /// The replacement of the scalar; `nil` removes it.
    fileprivate var sanitized: Unicode.Scalar? {
        switch value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
        case 0x20...0x7E: self
        case 0x200C, 0x200D: self
        // Soft hyphen; spaces and joiners without a width, as in "@\u{200B}name"; the tags at the end of some flags.
        case 0xAD, 0x200B, 0x2060, 0xFEFF, 0xE0020...0xE007F: nil
        // The SDK's texts have isolates around names, and numbers and times have marks, as in Hebrew
        // and Urdu. Both only keep the order that the text has by itself.
        case 0x61C, 0x200E, 0x200F, 0x2066...0x2069: nil
        default:
            switch properties.generalCategory {
            // Format characters change the direction.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
            default: self
            }
        }
    }
}
