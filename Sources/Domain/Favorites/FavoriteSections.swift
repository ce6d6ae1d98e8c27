/// The group that a name belongs to in a list by letters.
///
/// The group of a letter is the letter, uppercased; digits have one group and everything else another. Korean syllables are
/// grouped by their initial consonant, tense consonants with their plain ones, as in address books: 깨비 is under ㄱ.
/// Letters come first, by their Unicode number, then digits, then the rest.
public struct FavoriteSection: Hashable, Comparable, Sendable {
    /// What the names in a group begin with.
    public enum Kind: Int, Hashable, Comparable, Sendable {
        /// One letter of any script.
        case letter
        /// A digit.
        case digit
        /// Anything else, and the empty name.
        case other

        /// Letters before digits before the rest.
        public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    /// What the names begin with.
    public let kind: Kind
    /// What stands above the group: the uppercased letter, `0–9` or `#`.
    public let title: String

    /// The group of a name.
    public init(of name: String) {
        // A scalar and not a Character, so that the groups of names that are sorted by their text are each in one piece.
        guard let written = name.unicodeScalars.first, let first = written.lowercased else {
            self.init(kind: .other, title: "#")
            return
        }
        if first.isASCII {
            // A list asks this of very many names, nearly all of which begin so.
            switch UInt8(ascii: first) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                self.init(kind: .letter, title: String(Character(Unicode.Scalar(UInt8(ascii: first) & ~0x20))))
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                self.init(kind: .digit, title: "0–9")
            default:
                self.init(kind: .other, title: "#")
            }
        } else if let consonant = first.initialConsonant {
            self.init(kind: .letter, title: String(Character(consonant)))
        } else if first.properties.isAlphabetic {
            self.init(kind: .letter, title: first.properties.uppercaseMapping)
        } else if first.properties.numericType == .decimal {
            self.init(kind: .digit, title: "0–9")
        } else {
            self.init(kind: .other, title: "#")
        }
    }

    private init(kind: Kind, title: String) {
        self.kind = kind
        self.title = title
    }

    /// Whether two names are in one group; bytes count, as in the order.
    ///
    /// Two ideographs may be equal as texts and stand far apart in the order, with other groups between them.
    public static func == (left: FavoriteSection, right: FavoriteSection) -> Bool {
        left.kind == right.kind && left.title.utf8.elementsEqual(right.title.utf8)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        for byte in title.utf8 { hasher.combine(byte) }
    }

    /// Letters before digits before the rest, letters by their Unicode number.
    public static func < (left: FavoriteSection, right: FavoriteSection) -> Bool {
        left.kind == right.kind ? left.title.utf8.lexicographicallyPrecedes(right.title.utf8) : left.kind < right.kind
    }
}

/// Where a favorite stands in the order by name: by section, then by the lowercased name, then by kind and key; or in the
/// order by kind, which comes before all of these.
///
/// Texts compare by their UTF-8 bytes, which is how SQLite compares them too.
public struct FavoriteSortKey: Hashable, Comparable, Sendable {
    /// The group that the name belongs to.
    public let section: FavoriteSection
    /// The name in lower case.
    public let foldedName: String
    /// The favorite itself, so that two of one name have an order too.
    public let id: Favorite.ID
    /// Whether the kind comes first; places of two orders are not compared.
    public let isByKind: Bool

    /// The place of a favorite.
    public init(_ favorite: Favorite, byKind isByKind: Bool = false) {
        self.init(name: favorite.title, id: favorite.id, byKind: isByKind)
    }

    /// The place that a favorite of this name has.
    public init(name: String, id: Favorite.ID, byKind isByKind: Bool = false) {
        self.isByKind = isByKind
        section = FavoriteSection(of: name)
        foldedName = name.lowercased()
        self.id = id
    }

    /// Whether two favorites have the same place; bytes count, as in the order.
    public static func == (left: FavoriteSortKey, right: FavoriteSortKey) -> Bool {
        left.id == right.id && left.foldedName.utf8.elementsEqual(right.foldedName.utf8)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        for byte in foldedName.utf8 { hasher.combine(byte) }
    }

    /// Whether a favorite comes before another.
    public static func < (left: FavoriteSortKey, right: FavoriteSortKey) -> Bool {
        let kinds = (left.id.kind.rawValue.utf8, right.id.kind.rawValue.utf8)
        if left.isByKind, !kinds.0.elementsEqual(kinds.1) { return kinds.0.lexicographicallyPrecedes(kinds.1) }
        if left.section != right.section { return left.section < right.section }
        if !left.foldedName.utf8.elementsEqual(right.foldedName.utf8) {
            return left.foldedName.utf8.lexicographicallyPrecedes(right.foldedName.utf8)
        }
        if !kinds.0.elementsEqual(kinds.1) { return kinds.0.lexicographicallyPrecedes(kinds.1) }
        return left.id.key.utf8.lexicographicallyPrecedes(right.id.key.utf8)
    }
}

extension FavoriteSortKey {
    /// The place as a cursor, behind which the next page begins.
    ///
    /// The parts may contain any character, so their lengths come first.
    package var cursor: PageCursor {
        let (kind, key) = (id.kind.rawValue, id.key)
        let lengths = "\(kind.utf8.count) \(key.utf8.count)"
        return PageCursor(rawValue: "\(isByKind ? "kind" : "name") \(lengths) \(kind)\(key)\(foldedName)")
    }

    /// Reads a cursor; `nil` if it isn't one of this order.
    package init?(_ cursor: PageCursor, byKind isByKind: Bool) {
        let parts = cursor.rawValue.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == (isByKind ? "kind" : "name"), let kindLength = Int(parts[1]),
            let keyLength = Int(parts[2]), kindLength >= 0, keyLength >= 0
        else { return nil }
        let (kind, rest) = (parts[3].utf8.prefix(kindLength), parts[3].utf8.dropFirst(kindLength))
        self.init(
            name: String(decoding: rest.dropFirst(keyLength), as: UTF8.self),
            id: Favorite.ID(
                kind: Favorite.Kind(rawValue: String(decoding: kind, as: UTF8.self)),
                key: String(decoding: rest.prefix(keyLength), as: UTF8.self)
            ),
            byKind: isByKind
        )
    }
}

/// The groups of favorites that are in order by name, each as the positions of its rows.
///
/// It looks at a few rows per group, not at all of them, so that it can be made again for each page of a long list.
public struct FavoriteSections: RandomAccessCollection, Hashable, Sendable {
    /// One group.
    public struct Element: Hashable, Sendable {
        /// The group.
        public let section: FavoriteSection
        /// The positions of its rows.
        public let positions: Range<Int>
    }

    private let sections: [Element]

    /// No groups.
    public init() {
        sections = []
    }

    /// Finds the groups of favorites that are in the order ``FavoriteQuery/Order/name``.
    public init(of favorites: some RandomAccessCollection<Favorite>) {
        var sections: [Element] = []
        var start = favorites.startIndex
        var position = 0
        while start != favorites.endIndex {
            let section = FavoriteSection(of: favorites[start].title)
            let end = Self.end(of: section, from: start, in: favorites)
            let count = favorites.distance(from: start, to: end)
            sections.append(Element(section: section, positions: position..<(position + count)))
            position += count
            start = end
        }
        self.sections = sections
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of groups.
    public var endIndex: Int { sections.count }

    /// The group at a position.
    public subscript(position: Int) -> Element { sections[position] }

    /// Where a group ends, by a search that halves what is left.
    private static func end<Rows: RandomAccessCollection<Favorite>>(
        of section: FavoriteSection,
        from start: Rows.Index,
        in rows: Rows
    ) -> Rows.Index {
        var low = rows.index(after: start)
        var length = rows.distance(from: low, to: rows.endIndex)
        while length > 0 {
            let half = length / 2
            let middle = rows.index(low, offsetBy: half)
            if FavoriteSection(of: rows[middle].title) == section {
                low = rows.index(after: middle)
                length -= half + 1
            } else {
                length = half
            }
        }
        return low
    }
}

extension Unicode.Scalar {
    /// The plain initial consonants, in the order of the Unicode blocks (Unicode 16, section 3.12): ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ….
    private static let initialConsonants = Array("ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ".unicodeScalars)

    /// The plain consonant that a Korean syllable or a tense consonant begins with; `nil` for everything else.
    fileprivate var initialConsonant: Unicode.Scalar? {
        switch value {
        // Precomposed syllables, 588 for each consonant.
        case 0xAC00...0xD7A3: return Self.initialConsonants[Int(truncatingIfNeeded: value - 0xAC00) / 588]
        // Initial consonants of decomposed syllables.
        case 0x1100...0x1112: return Self.initialConsonants[Int(truncatingIfNeeded: value - 0x1100)]
        default: break
        }
        // Consonants that stand alone; the tense ones follow their plain ones.
        return switch self {
        case "ㄲ", "ㄸ", "ㅃ", "ㅆ", "ㅉ": Unicode.Scalar(value - 1)
        default: nil
        }
    }

    /// The first scalar of what it is in lower case.
    fileprivate var lowercased: Unicode.Scalar? {
        guard isASCII else { return properties.lowercaseMapping.unicodeScalars.first }
        return ("A"..."Z").contains(self) ? Unicode.Scalar(value | 0x20) : self
    }
}
