/// The letters of Korean syllables, as a keyboard enters them (Unicode 16, section 3.12).
enum Hangul {
    private static let initials = scalars(of: "ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ")
    private static let vowels = scalars(of: "ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅗㅏ ㅗㅐ ㅗㅣ ㅛ ㅜ ㅜㅓ ㅜㅔ ㅜㅣ ㅠ ㅡ ㅡㅣ ㅣ")
    private static let finals = scalars(
        of: "ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ"
    )

    static func isSyllable(_ scalar: Unicode.Scalar) -> Bool { (0xAC00...0xD7A3).contains(scalar.value) }

    /// Returns the initial consonant of a syllable, composed or not; `nil` for other characters.
    static func initial(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0xAC00...0xD7A3: initials[Int(clamping: scalar.value - 0xAC00) / 588].first
        case 0x1100...0x1112: initials[Int(clamping: scalar.value - 0x1100)].first
        default: nil
        }
    }

    /// Returns the letters of a consonant or vowel without a syllable; `nil` for other characters.
    static func letters(ofJamo scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch scalar.value {
        case 0x1100...0x1112: initials[Int(clamping: scalar.value - 0x1100)]
        case 0x1161...0x1175: vowels[Int(clamping: scalar.value - 0x1161)]
        case 0x11A8...0x11C2: finals[Int(clamping: scalar.value - 0x11A8)]
        default: nil
        }
    }

    /// Returns whether further letters can turn a syllable into the beginning of a text.
    ///
    /// A final consonant can become the initial one of the next syllable.
    static func canBecome(_ text: ArraySlice<Unicode.Scalar>, from syllable: Unicode.Scalar) -> Bool {
        guard isSyllable(syllable), let first = text.first, initial(of: first) == initial(of: syllable) else {
            return false
        }
        return text.prefix(2).flatMap(letters).starts(with: letters(of: syllable))
    }

    private static func letters(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        guard isSyllable(scalar) else { return [scalar] }
        let index = Int(clamping: scalar.value - 0xAC00)
        let final = index % 28 == 0 ? [] : finals[index % 28 - 1]
        return initials[index / 588] + vowels[index % 588 / 28] + final
    }

    private static func scalars(of list: String) -> [[Unicode.Scalar]] {
        list.split(separator: " ").map { Array($0.unicodeScalars) }
    }
}
