import Foundation

/// Text that a person typed or pasted, in the form in which it's sent and compared.
///
/// The text is composed (NFC), without invisible characters, line breaks, and surrounding white
/// space. Every query, filter, and username of the SDK is read through this type, so a front end
/// passes on text as it was typed.
public struct TypedText: Hashable, Sendable, CustomStringConvertible {
    /// The text to send.
    public let text: String
    /// The text as ``isPart(of:)`` compares it.
    package let folded: String

    /// Normalizes typed text, of which the first 32,768 Unicode scalars count.
    public init(_ typed: String) {
        // A pasted book would take seconds, and no service accepts a tenth of this.
        let start = typed.utf8.count > 32_768 ? String(Substring(typed.unicodeScalars.prefix(32_768))) : typed
        self.init(normalized: start.normalizedAfterTyping)
    }

    private init(normalized: String) {
        text = normalized
        folded = normalized.foldedForSearch
    }

    /// Whether nothing visible was typed.
    public var isEmpty: Bool { text.isEmpty }

    /// The text to send.
    public var description: String { text }

    /// The text with straight quotes, for services in which quotes are syntax or compared.
    ///
    /// The keyboards of Apple's platforms insert typographic quotes.
    public var withStraightQuotes: TypedText { TypedText(normalized: text.withStraightQuotes) }

    /// The text without the user and password of each address in it, for what is sent or logged.
    ///
    /// The address of a copied Git remote can contain a token.
    public var withoutCredentials: TypedText {
        TypedText(normalized: text.replacing(/:\/\/[^\s\/?#]*@/, with: "://"))
    }

    /// Returns whether a text contains the typed text; every text contains an empty one.
    ///
    /// Ignores case, diacritics, width, Unicode composition, invisible characters, the kind of
    /// quotes, digits, and kana, and the kind and number of dashes and spaces: `cafe` finds
    /// `Café`, `strasse` finds `Straße`, and `Beth’s` finds `Beth's`. A letter that keyboards of
    /// Arabic, Persian, and Urdu enter differently finds its other forms. A Korean consonant finds
    /// syllables that begin with it, and the last syllable finds all that it can become: `ㅎㄱ`, `하`,
    /// `한ㄱ`, and `한그` find `한글`, and `한` finds `하늘`. In a text that isn't ASCII, the first 65,536
    /// bytes count.
    public func isPart(of text: String) -> Bool {
        var (part, text) = (folded, text)
        return part.withUTF8 { part in text.withUTF8 { Self.contains(part, in: $0) } }
    }

    /// Returns whether UTF-8 text contains a part that is folded already.
    package static func contains(_ part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = part.first else { return true }
        // Most names are ASCII, and a list can have many thousands of them.
        var last: UInt8 = 0
        let isFoldedButForCase = text.allSatisfy { byte in
            defer { last = byte }
            return (0x20..<0x7F).contains(byte) && (byte != last || byte != 0x20 && byte != 0x2D)
        }
        guard isFoldedButForCase else {
            // A hostile server's text of megabytes would take minutes.
            let text = String(decoding: text.prefix(65_536), as: UTF8.self)
            return text.scalarsForSearch.contains(Array(String(decoding: part, as: UTF8.self).unicodeScalars))
        }
        guard text.count >= part.count else { return false }
        return (0...text.count - part.count).contains { start in
            text[start].asciiLowercased == first
                && part.indices.allSatisfy { text[start + $0].asciiLowercased == part[$0] }
        }
    }
}

extension String {
    /// The text without what a keyboard or a copied page adds, in composed form (NFC).
    fileprivate var normalizedAfterTyping: String {
        var scalars = UnicodeScalarView()
        func next(_ index: Index) -> Unicode.Scalar? { unicodeScalars[index...].dropFirst().first }
        for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
            // U+2800 is an empty Braille pattern.
            if scalar.properties.isWhitespace || scalar == "\u{2800}" {
                // A line break and other white space of a pasted text become one space.
                if !scalars.isEmpty, scalar == " " || scalars.last != " " { scalars.append(" ") }
            } else if !scalar.isInvisible || scalars.last.map({ scalar.shapes($0, before: next(index)) }) == true {
                scalars.append(scalar)
            }
        }
        while let last = scalars.last, last == " " || last.properties.isJoinControl { scalars.removeLast() }
        return String(scalars).composed
    }

    /// The text in composed form (NFC).
    private var composed: String {
        var text = UnicodeScalarView()
        var run = UnicodeScalarView()
        func flush() {
            let isASCII = run.allSatisfy(\.isASCII)
            text.append(contentsOf: isASCII ? run : String(run).precomposedStringWithCanonicalMapping.unicodeScalars)
            run = UnicodeScalarView()
        }
        for scalar in withFewMarks.unicodeScalars {
            if scalar.value <= 0xFFFF {
                run.append(scalar)
            } else {
                // Foundation on Linux composes 𐐋 and an accent to Ѓ, as if the number had 16 bits.
                flush()
                text.append(scalar)
            }
        }
        flush()
        return String(text)
    }

    fileprivate var withStraightQuotes: String {
        String(UnicodeScalarView(unicodeScalars.lazy.map(\.straightQuote)))
    }

    /// The text without differences that ``TypedText/isPart(of:)`` ignores, in composed form (NFC).
    package var foldedForSearch: String {
        let scalars = withStraightQuotes.withFewMarks.decomposedStringWithCompatibilityMapping.unicodeScalars
        let letters = UnicodeScalarView(scalars.lazy.filter { !$0.isDiacritic && !$0.isInvisible })
        // Uppercase in between: ß and ss, ς and σ, ı and i have equal uppercase but different
        // lowercase forms. The uppercase letter ẞ isn't one of them, but its lowercase form is.
        let folded = String(letters).lowercased().uppercased().lowercased().composed
        var text = UnicodeScalarView()
        let plain = folded.unicodeScalars.flatMap { (Unicode.Scalar.plainLetters[$0] ?? String($0)).unicodeScalars }
        for scalar in plain {
            let scalar = scalar.foldedForm
            if scalar == " " || scalar == "-", text.last == scalar { continue }
            // One by one: appending a sequence copies the whole text.
            for letter in Hangul.letters(ofJamo: scalar) ?? [scalar] { text.append(letter) }
        }
        return String(text)
    }

    /// The scalars of ``foldedForSearch``.
    ///
    /// Fast for most alphabets, because a filter compares thousands of names in a frame.
    fileprivate var scalarsForSearch: [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for scalar in unicodeScalars {
            switch scalar.value {
            // Letters of Latin, Greek, and Cyrillic, which compose with no other scalar after
            // folding.
            case ..<0x300, 0x370..<0x530:
                let folded = Self.foldedLetters[Int(clamping: scalar.value)]
                if folded != [" "] && folded != ["-"] || folded.first != scalars.last { scalars += folded }
            // Japanese, Chinese, and Korean characters have no other form, apart from kana.
            case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x9FFF, 0xAC00...0xD7A3: scalars.append(scalar.hiragana)
            default: return Array(foldedForSearch.unicodeScalars)
            }
        }
        return scalars
    }

    private static let foldedLetters = (0..<0x530).map { (value: UInt32) in
        Unicode.Scalar(value).map { Array(String($0).foldedForSearch.unicodeScalars) } ?? []
    }
}

extension [Unicode.Scalar] {
    /// Returns whether folded text contains a folded part.
    fileprivate func contains(_ part: [Unicode.Scalar]) -> Bool {
        guard count >= part.count else { return false }
        return (0...count - part.count).contains { start in
            part.indices.allSatisfy { index in
                let wanted = part[index]
                let scalar = self[start + index]
                return wanted == scalar || wanted == Hangul.initial(of: scalar)
                    || index == part.count - 1 && Hangul.canBecome(self[(start + index)...], from: wanted)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether searches and sections ignore this mark.
    ///
    /// They ignore Latin, Greek, and Cyrillic accents (combining classes from 200), and Hebrew and
    /// Arabic points (10 to 36). Lower classes, and Thai and Tibetan vowels, distinguish words.
    var isDiacritic: Bool {
        let combiningClass = properties.canonicalCombiningClass.rawValue
        // The last one only lengthens the line between Arabic letters.
        return combiningClass >= 200 || (10...36).contains(combiningClass) || self == "\u{640}"
    }

    /// Whether the scalar shows nothing, such as a directional mark or a byte order mark.
    package var isInvisible: Bool {
        if isASCII { return value < 0x20 && !properties.isWhitespace || value == 0x7F }
        return properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
            || (0xFFF9...0xFFFB).contains(value)
    }

    /// Whether the scalar combines with the one before it.
    package var isMark: Bool {
        // Most text is in these blocks, which have none, and the look-up takes longer.
        guard value >= 0x300, !(0x309B..<0xA66F).contains(value), !(0xAC00..<0xD800).contains(value)
        else { return false }
        let category = properties.generalCategory
        return category == .nonspacingMark || category == .spacingMark || category == .enclosingMark
    }

    /// A space, a hyphen, an ASCII digit, or hiragana in place of its other forms.
    fileprivate var foldedForm: Unicode.Scalar {
        if properties.isWhitespace || self == "\u{2800}" { return " " }
        if properties.numericType == .decimal, let digit = properties.numericValue {
            return Unicode.Scalar(UInt8(digit) + UInt8(ascii: "0"))
        }
        return properties.generalCategory == .dashPunctuation || self == "−" ? "-" : hiragana
    }

    /// The hiragana in place of a katakana, which differs from it as a letter does from a capital.
    fileprivate var hiragana: Unicode.Scalar {
        (0x30A1...0x30F6).contains(value) ? Unicode.Scalar(value - 0x60) ?? self : self
    }

    /// Letters in place of those that differ from them as by an accent, but don't decompose.
    ///
    /// Source: the secondary differences of Unicode's collation (UTS #10). In the other lines, what
    /// keyboards of other languages and systems enter: alef, kaf, yeh, and heh, quotes of Hebrew,
    /// and the tilde of Japanese.
    fileprivate static let plainLetters: [Self: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "æ": "ae", "œ": "oe",
        "ٱ": "ا", "ک": "ك", "ی": "ي", "ى": "ي", "ې": "ي", "ے": "ي", "ة": "ه", "ہ": "ه", "ھ": "ه", "ۃ": "ه", "ە": "ه",
        "׳": "'", "״": "\"", "〜": "~",
    ]

    /// Whether this invisible scalar changes the look of the one before it.
    ///
    /// It does in emoji, such as `1️⃣` and `©️`, in Arabic and Indic words, and in variants of
    /// Chinese characters.
    fileprivate func shapes(_ previous: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        let isTag = (0xE0020...0xE007F).contains(value)
        guard properties.isJoinControl || properties.isVariationSelector || isTag else { return false }
        // A digit is an emoji only before a keycap.
        if properties.isVariationSelector, previous.properties.isEmoji {
            return !previous.isASCII || next == "\u{20E3}"
        }
        return previous.value >= 0x590 && !Hangul.isSyllable(previous)
    }

    /// The straight quote in the place of a typographic one; other scalars are unchanged.
    fileprivate var straightQuote: Unicode.Scalar {
        switch self {
        case "‘", "’", "‚", "‛", "‹", "›", "′", "´", "ʼ", "ʻ": "'"
        case "“", "”", "„", "‟", "«", "»", "″", "〝", "〞", "〟": "\""
        default: self
        }
    }
}

extension String {
    /// The text with ASCII characters in place of full-width ones, which East Asian keyboards have.
    @_spi(Services) public var withASCIIWidth: String {
        let scalars = unicodeScalars.lazy.map { scalar in
            (0xFF01...0xFF5E).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value - 0xFEE0)) : scalar
        }
        return String(UnicodeScalarView(scalars))
    }

    /// The text with at most 30 combining marks in a row, more than words have.
    ///
    /// More of them are normalized and compared in a time that grows with the square of their
    /// number. Source: UAX #15, "Stream-Safe Text Format".
    @_spi(Services) public var withFewMarks: String {
        var count = 0
        let scalars: UnicodeScalarView = unicodeScalars.filter { scalar in
            count = scalar.isMark ? count + 1 : 0
            return count <= 30
        }
        return String(scalars)
    }

    /// The text without white space in addresses between angle brackets, which mail programs wrap.
    ///
    /// Source: RFC 3986, appendix C.
    @_spi(Services) public var joiningWrappedAddresses: String {
        var parts = split(separator: "<", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            guard let end = parts[index].firstIndex(of: ">"), parts[index][..<end].contains("://") else { continue }
            parts[index] = parts[index][..<end].filter { !$0.isWhitespace } + parts[index][end...]
        }
        return parts.joined(separator: "<")
    }
}

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

    /// The text without a pair of quotation marks around it, as some files of settings have them.
    package var unquoted: String {
        let isQuoted = count > 1 && first == last && (hasPrefix("\"") || hasPrefix("'"))
        return isQuoted ? dropFirst().dropLast().trimmed : String(self)
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
