extension Character {
    /// The character as a message shows it: itself, or, if it is invisible, its code.
    var visible: String {
        let isVisible = unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .surrogate,
                .privateUse:
                false
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
        guard !isVisible else { return String(self) }
        return unicodeScalars.map(\.code).joined(separator: " ")
    }
}

extension Unicode.Scalar {
    /// The number as Unicode writes it: `U+200F`.
    fileprivate var code: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
