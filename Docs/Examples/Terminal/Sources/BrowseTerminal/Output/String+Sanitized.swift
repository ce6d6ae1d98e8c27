extension String {
    /// The text on one line, without anything that would act on a terminal instead of being seen.
    ///
    /// Whatever a server sends may hold an escape sequence that retitles the window, or a control that turns the direction of
    /// what follows. White space of every kind becomes a space; other controls become U+FFFD. What joins letters (as in
    /// Persian) and emoji stays; what is invisible and only decorates, such as a soft hyphen, goes.
    package var harmless: String {
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) }) else { return self }
        var result = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in unicodeScalars {
            // A line break of two characters is one.
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\n", isAfterReturn { continue }
            if let harmless = scalar.harmless { result.append(harmless) }
        }
        return String(result)
    }

    /// The text's lines, each ``harmless``.
    package var harmlessLines: [String] {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0).harmless }
    }
}

extension Unicode.Scalar {
    /// What to show for the scalar; `nil` for nothing.
    fileprivate var harmless: Unicode.Scalar? {
        switch value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
        case 0x20...0x7E: self
        case 0x200C, 0x200D: self
        // Soft hyphen; the tags that some flags end in.
        case 0xAD, 0xE0020...0xE007F: nil
        default:
            switch properties.generalCategory {
            // Format holds the marks, embeddings, overrides and isolates that turn the direction.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
            default: self
            }
        }
    }
}
