extension String {
    /// The width of ``sanitized`` text in terminal columns.
    package var columns: Int {
        let isASCII = utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isASCII ? utf8.count : reduce(0) { $0 + $1.columns }
    }

    /// Returns the text, truncated to a number of columns with "…".
    package func cut(to limit: Int) -> String {
        guard columns > limit else { return self }
        guard limit > 0 else { return "" }
        return prefix(columns: limit - 1) + "…"
    }

    /// Returns the text, padded with spaces to a number of columns.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// Returns the text in lines of at most a width, broken at spaces if possible.
    ///
    /// A text that fits keeps its spaces, which indent code and align columns. Another one keeps those
    /// at its beginning, if they take less than half of the width and leave room for the first word.
    /// A longer address has its own line, which a terminal wraps without breaking it, so it can be opened
    /// and copied.
    package func wrapped(to width: Int) -> [String] {
        guard width > 0, columns > width else { return [self] }
        var lines: [String] = []
        var line = ""
        let indentation = prefix { $0 == " " }
        for word in split(separator: " ").map(String.init) {
            if line.isEmpty {
                let fits = indentation.count < width / 2 && indentation.count + word.columns <= width
                line = (fits ? indentation : "") + word
            } else if line.columns + 1 + word.columns <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
            guard line.columns > width, !word.contains("://") else { continue }
            // Once through the word, which a server can make very long.
            var (part, columns) = ("", 0)
            for character in line {
                columns += character.columns
                // A character that is wider than a line gets its own.
                if columns > width, !part.isEmpty {
                    lines.append(part)
                    (part, columns) = ("", character.columns)
                }
                part.append(character)
            }
            line = part
        }
        return lines + [line]
    }

    private func prefix(columns limit: Int) -> String {
        var width = 0
        let part = prefix { character in
            width += character.columns
            return width <= limit
        }
        return String(part)
    }
}

extension Character {
    /// The width of the character in terminal columns: 0, 1, or 2; more only in scripts that join letters.
    package var columns: Int {
        let scalars = unicodeScalars
        if let only = scalars.first, scalars.count == 1 { return only.columns }
        // Emoji of several scalars: a family, a flag, a colored heart.
        let isEmoji = scalars.contains { scalar in
            scalar.properties.isEmojiPresentation || (scalar == "\u{FE0F}" && scalars.first?.properties.isEmoji == true)
        }
        return isEmoji ? 2 : scalars.reduce(0) { $0 + $1.columns }
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        if value < 0x300 { return 1 }
        // Vowels and final consonants of Korean syllables join the first consonant.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return properties.isEmojiPresentation || isWide ? 2 : 1
        }
    }

    /// Whether the scalar's block is wide in Unicode's EastAsianWidth.txt (version 16), except for emoji.
    private var isWide: Bool {
        guard value >= 0x1100 else { return false }
        return Self.wideBlocks.contains { $0.contains(value) }
    }

    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // first consonants of Korean syllables
        0x2329...0x232A,  // angle brackets
        0x2630...0x2637,  // trigrams
        0x268A...0x268F,  // digrams
        0x2E80...0x303E,  // radicals, ideographic punctuation
        0x3041...0x33FF,  // kana, compatible Korean letters, enclosed forms
        0x3400...0xA4C6,  // ideographs, hexagrams, Yi
        0xA960...0xA97C,  // more first consonants
        0xAC00...0xD7A3,  // Korean syllables
        0xF900...0xFAFF,  // compatible ideographs
        0xFE10...0xFE19,  // vertical forms
        0xFE30...0xFE6B,  // compatible and small forms
        0xFF01...0xFF60,  // full-width forms
        0xFFE0...0xFFE6,  // full-width signs
        0x16FE0...0x18DFF,  // Tangut, Khitan
        0x1AFF0...0x1B2FB,  // more kana, Nushu
        0x1D300...0x1D376,  // Tai Xuan Jing, counting rods
        0x1F200...0x1F265,  // enclosed ideographs
        0x20000...0x2FFFD,  // more ideographs
        0x30000...0x3FFFD,
    ]
}
