extension String {
    /// Whether the text can reorder a sentence around it, by right-to-left letters or direction controls.
    var affectsDirection: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case ..<0x590: false
            // The right-to-left scripts, and the direction controls.
            case 0x590...0x8FF, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF, 0xFE70...0xFEFF,
                0x10800...0x10FFF, 0x1E800...0x1EFFF:
                true
            default: false
            }
        }
    }

    /// The text in an isolate, in which its own isolates are closed (Unicode Standard Annex 9).
    var isolated: String {
        var result = "\u{2068}".unicodeScalars
        var depth = 1
        for scalar in unicodeScalars {
            if ("\u{2066}"..."\u{2068}").contains(scalar) { depth += 1 }
            if scalar == "\u{2069}" {
                // One too many would close the isolate.
                guard depth > 1 else { continue }
                depth -= 1
            }
            result.append(scalar)
        }
        return String(result) + String(repeating: "\u{2069}", count: depth)
    }
}
