public import Foundation

/// A text for people, in English and in Korean.
///
/// Declare each phrase once, next to the feature that uses it. Parameters become part of both
/// texts. An integer and a `\(month: date)` are written as the reader writes them:
///
/// ```swift
/// nonisolated extension Phrase {
///     static let booksTitle = Phrase("books.title", "Books", ko: "책")
///
///     static func editions(_ count: Int) -> Phrase {
///         Phrase("books.editions", plural: count, one: "\(count) edition", "\(count) editions", ko: "판본 \(count)개")
///     }
/// }
/// ```
///
/// `texts(.editions(3))` is the text in the reader's language. A ``Translation`` adds other
/// languages by ``id``.
public struct Phrase: Hashable, Sendable {
    /// The name that translations use, such as `books.title`; the singular of a plural has `.one`
    /// at its end.
    public let id: String
    /// The values in the text, in the order of the English text; a singular has those of its
    /// plural.
    let values: [Value]
    let english: Text
    let korean: Text

    /// Creates a phrase.
    ///
    /// - Parameters:
    ///   - id: The name for translations. Start it with the name of the feature.
    ///   - english: The text in American English.
    ///   - korean: The text in Korean, in the formal polite style (하십시오체); `nil` is the English
    ///     one, for an app that isn't in Korean.
    public init(_ id: String, _ english: Text, ko korean: Text? = nil) {
        self.id = id
        self.english = english
        self.korean = korean ?? english
        values = english.values
    }

    /// Creates a phrase whose English text depends on a number.
    ///
    /// - Parameters:
    ///   - id: The name for translations.
    ///   - count: The number.
    ///   - one: The text in English for 1.
    ///   - english: The text in English for other numbers.
    ///   - korean: The text in Korean; `nil` is the English one.
    public init(_ id: String, plural count: Int, one: Text, _ english: Text, ko korean: Text? = nil) {
        self.id = count == 1 ? id + ".one" : id
        self.english = count == 1 ? one : english
        self.korean = korean ?? self.english
        values = english.values
    }
}

extension Phrase {
    enum Value: Hashable, Sendable {
        case text(String)
        case number(Int)
        case compactNumber(Int)
        case month(Date)
        case moment(Date)
        case deadline(Date)
        case phrase(Phrase)
    }

    /// A text with values in it: a string literal with interpolations.
    public struct Text: ExpressibleByStringInterpolation, Hashable, Sendable {
        fileprivate enum Part: Hashable, Sendable {
            case literal(String)
            case value(Value)
        }

        private let parts: [Part]

        /// Creates a text without values.
        public init(stringLiteral text: String) { parts = [.literal(text)] }

        /// Creates a text from literals and values.
        public init(stringInterpolation: Interpolation) { parts = stringInterpolation.parts }

        fileprivate var values: [Value] {
            parts.compactMap { part in
                if case .value(let value) = part { value } else { nil }
            }
        }

        func string(in texts: @autoclosure () -> Texts) -> String {
            // Most phrases are one literal, and rows have many of them.
            if parts.count == 1, case .literal(let text) = parts[0] { return text }
            let texts = texts()
            return parts.enumerated().map { index, part in
                switch part {
                case .literal(let text): text
                // The name of a service has the article of the beginning of a sentence.
                case .value(.phrase(let name)) where index > 0: texts(name).replacing(/^The\b/, with: "the")
                case .value(let value): texts.string(value)
                }
            }
            .joined()
        }
    }
}

extension Phrase.Text {
    /// Collects the literals and values of a text.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds literal text.
        public mutating func appendLiteral(_ text: String) {
            if !text.isEmpty { parts.append(.literal(text)) }
        }

        /// Adds a value as it describes itself, such as a name.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.value(.text(value.description)))
        }

        /// Adds a number with all digits, grouped: 1,234,567.
        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            parts.append(.value(.number(Int(clamping: number))))
        }

        /// Adds a number in short: 12K, 1.2만.
        public mutating func appendInterpolation(compact number: Int) {
            parts.append(.value(.compactNumber(number)))
        }

        /// Adds the month and year of a date: January 2011.
        public mutating func appendInterpolation(month date: Date) {
            parts.append(.value(.month(date)))
        }

        /// Adds a day and time: Jan 26, 2011 at 2:05 PM.
        mutating func appendInterpolation(moment date: Date) {
            parts.append(.value(.moment(date)))
        }

        /// Adds the end of a wait, as ``Formats/deadline(_:)`` writes it.
        mutating func appendInterpolation(deadline date: Date) {
            parts.append(.value(.deadline(date)))
        }

        /// Adds another phrase, in the same language.
        public mutating func appendInterpolation(_ phrase: Phrase) {
            parts.append(.value(.phrase(phrase)))
        }
    }
}

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
        // As Unicode writes numbers: `U+200F`.
        return unicodeScalars.map { String(format: "U+%04X", $0.value) }.joined(separator: " ")
    }
}

extension String {
    /// Whether the text can reorder a sentence around it, by right-to-left letters or direction
    /// controls.
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
