import Foundation

/// Finds part of a string, ignoring case, diacritics, and Unicode composition.
///
/// All filters in the SDK use this rule, including the favorites database's: `cafe` finds `Café`, `i` finds `İ`, `strasse`
/// finds `Straße`, and composed Hangul finds decomposed Hangul. White space around the filter is ignored. Parts of characters
/// don't match: `하` doesn't find `한`. A text and its `lowercased()` match the same parts.
package struct TextMatch: Sendable {
    private let part: [UInt8]

    /// Creates a match for typed text; blank text matches everything.
    package init(_ typed: String) {
        part = Array(typed.trimmed.foldedForSearch.utf8)
    }

    /// Whether the match includes every string.
    package var matchesEverything: Bool { part.isEmpty }

    /// Returns whether a string contains the part.
    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in part.withUnsafeBufferPointer { Self.contains($0, in: text) } }
    }

    /// Returns whether UTF-8 text contains a part that is folded already.
    package static func contains(_ part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !part.isEmpty else { return true }
        // Most names are ASCII, and a list can have many thousands of them.
        guard text.allSatisfy({ $0 < 0x80 }) else {
            var folded = String(decoding: text, as: UTF8.self).foldedForSearch
            return folded.withUTF8 { contains(part, in: $0) { $0 } }
        }
        return contains(part, in: text, lowercased: \.asciiLowercased)
    }

    private static func contains(
        _ part: UnsafeBufferPointer<UInt8>,
        in text: UnsafeBufferPointer<UInt8>,
        lowercased: (UInt8) -> UInt8
    ) -> Bool {
        guard let first = part.first, text.count >= part.count else { return part.isEmpty }
        var start = 0
        while start <= text.count - part.count {
            if lowercased(text[start]) == first,
                part.indices.allSatisfy({ lowercased(text[start + $0]) == part[$0] })
            {
                return true
            }
            start += 1
        }
        return false
    }
}

extension String {
    /// The text without case and diacritics, in composed form (NFC), for comparisons in a search.
    package var foldedForSearch: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return lowercased() }
        var letters = UnicodeScalarView()
        letters.append(contentsOf: decomposedStringWithCanonicalMapping.unicodeScalars.lazy.filter { !$0.isDiacritic })
        // Uppercase in between: ß and ss, ς and σ, ı and i have equal uppercase but different lowercase forms. The uppercase
        // letter ẞ isn't one of them, but its lowercase form is.
        return String(letters).lowercased().uppercased().lowercased().precomposedStringWithCanonicalMapping
    }
}

extension Unicode.Scalar {
    /// Whether a search ignores this mark.
    ///
    /// It ignores Latin, Greek, and Cyrillic accents (combining classes from 200), and Hebrew and Arabic points (10 to 36).
    /// Lower classes, and Thai and Tibetan vowels, distinguish words.
    fileprivate var isDiacritic: Bool {
        let combiningClass = properties.canonicalCombiningClass.rawValue
        return combiningClass >= 200 || (10...36).contains(combiningClass)
    }
}
