import Foundation

/// The section of a name in an alphabetical list.
///
/// Each letter, in uppercase and without accents, has a section; digits have one section, and
/// everything else has another. Korean syllables are grouped by their initial consonant, and tense
/// consonants with the plain ones, as in address books: 깨비 is under ㄱ. Letters come first in the
/// order of their Unicode numbers, then digits, then the rest.
///
/// É is under E for all readers, and so are Ä and Ñ under A and N, as in CLDR's root collation. The
/// order is stored, so it isn't that of a language in which they are letters of their own. Letters
/// with a stroke, and ligatures (Ł, Ø, Æ), have sections of their own, unlike there.
package struct FavoriteSectionKey: Equatable, Sendable {
    /// The first character of a section's names.
    package enum Kind: Int, Sendable {
        /// A letter of any script.
        case letter
        /// A digit.
        case digit
        /// Another character, or none.
        case other
    }

    /// The first character of the names. Sections are ordered by its raw value, then by the bytes
    /// of their titles.
    package let kind: Kind
    package let title: String

    package init(of name: String) {
        // A scalar instead of a Character, so that each section is contiguous in a list sorted by
        // text.
        let first = name.foldedForSorting.unicodeScalars.first
        if let letter = first?.sectionTitle {
            (kind, title) = (.letter, letter)
        } else if first?.properties.numericType == .decimal {
            (kind, title) = (.digit, "0–9")
        } else {
            (kind, title) = (.other, "#")
        }
    }
}

extension FavoriteSortKey {
    /// The cursor of the page after this favorite.
    package var cursor: PageCursor { PageCursor(rawValue: "name \(id) \(foldedName)") }

    /// Creates a key from a cursor; `nil` if the cursor isn't one of the order by name.
    package init?(_ cursor: PageCursor) {
        // Split at bytes: a name that begins with a combining mark would join the space before it.
        let bytes = cursor.rawValue.utf8
        let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            .map(Substring.init)
        guard parts.count == 3, parts[0] == "name", let id = Favorite.ID(String(parts[1])) else { return nil }
        self.init(name: String(parts[2]), id: id)
    }
}

extension Unicode.Scalar {
    /// The title of the section of a folded letter; `nil` for other characters.
    fileprivate var sectionTitle: String? {
        let letter = Hangul.initial(of: self) ?? self
        // A tense consonant follows its plain one.
        if "ㄲㄸㅃㅆㅉ".unicodeScalars.contains(letter) { return Unicode.Scalar(letter.value - 1).map { String($0) } }
        return letter.properties.isAlphabetic ? String(letter.properties.titlecaseMapping.prefix(1)) : nil
    }
}

extension String {
    /// The text in lowercase and composed form (NFC), without accents and what a person doesn't
    /// see.
    var foldedForSorting: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return lowercased() }
        var letters = UnicodeScalarView()
        let scalars = withFewMarks.lowercased().withASCIIWidth.decomposedStringWithCanonicalMapping.unicodeScalars
        for scalar in scalars where !scalar.isInvisible {
            // й is the only such letter of Latin, Greek, and Cyrillic that isn't its base with an
            // accent in CLDR's root collation.
            let isLetter = !scalar.isDiacritic || scalar == "\u{306}" && letters.last == "и"
            if isLetter { letters.append(scalar) }
        }
        return String(letters).precomposedStringWithCanonicalMapping
    }
}
