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

/// The position of a favorite in the order by name.
///
/// Favorites are ordered by section, then by lowercase name in composed form (NFC) without accents
/// and invisible characters, then by kind and key. Strings are compared by their UTF-8 bytes, as
/// SQLite compares them.
public struct FavoriteSortKey: Comparable, Sendable {
    package let section: FavoriteSectionKey
    /// The lowercase name in composed form (NFC), without accents and invisible characters.
    package let foldedName: String
    /// The identity, which orders favorites with equal names.
    package let id: Favorite.ID

    /// Creates the key of a favorite.
    public init(_ favorite: Favorite) {
        self.init(name: favorite.title, id: favorite.id)
    }

    init(name: String, id: Favorite.ID) {
        section = FavoriteSectionKey(of: name)
        foldedName = name.foldedForSorting
        self.id = id
    }

    /// Compares bytes, like the sort order.
    public static func == (left: FavoriteSortKey, right: FavoriteSortKey) -> Bool {
        left.id == right.id && left.foldedName.utf8.elementsEqual(right.foldedName.utf8)
    }

    /// Returns whether a favorite comes before another.
    public static func < (left: FavoriteSortKey, right: FavoriteSortKey) -> Bool {
        let leftID = left.id
        let rightID = right.id
        let leftKind = left.section.kind.rawValue
        let rightKind = right.section.kind.rawValue
        guard leftKind == rightKind else { return leftKind < rightKind }
        let texts = [
            (left.section.title, right.section.title), (left.foldedName, right.foldedName),
            (leftID.kind.rawValue, rightID.kind.rawValue), (leftID.key, rightID.key),
        ]
        let difference = texts.first { !$0.utf8.elementsEqual($1.utf8) }
        return difference.map { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? false
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

/// A section of favorites that are sorted by name, and the positions of its rows.
public struct FavoriteSection: Equatable, Sendable {
    /// The title: the uppercase letter, `0–9`, or `#`.
    public let title: String
    /// The positions of its rows.
    public let positions: Range<Int>
}

extension [FavoriteSection] {
    /// Finds the sections of titles in the order ``FavoriteQuery/Order/name``.
    ///
    /// A binary search finds the end of each section, so it's fast enough to repeat for each page
    /// of a long list.
    package init(count: Int, title: (Int) -> String) {
        self = []
        var start = 0
        while start < count {
            let section = FavoriteSectionKey(of: title(start))
            let end = (start + 1..<count).partitioningIndex { FavoriteSectionKey(of: title($0)) != section }
            append(FavoriteSection(title: section.title, positions: start..<end))
            start = end
        }
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
    fileprivate var foldedForSorting: String {
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
