/// Phrases in another language, or in other words.
///
/// Pass it to ``Texts/init(locale:timeZone:now:translations:)``. Phrases that it lacks are in
/// English, with English numbers and dates, or in Korean if that is the language.
///
/// ```swift
/// let german = Translation(
///     Texts.Language(rawValue: "de"),
///     ["action.retry": "Erneut versuchen", "search.results.one": "1 Ergebnis", "search.results": "{1} Ergebnisse"]
/// )
/// ```
public struct Translation: Sendable {
    /// The language.
    let language: Texts.Language
    let text: @Sendable (_ phrase: Phrase, _ texts: Texts) -> String?

    /// Creates a translation from templates.
    ///
    /// The singular of a plural is for 1, as in English. Use a function for a language whose
    /// singular is also for other numbers, such as 0 in French or 21 in Russian, or that has more
    /// forms. Source: CLDR, "Language Plural Rules".
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - templates: The texts by ``Phrase/id``. `{1}` is the first value in the English text,
    ///     `{2}` the second.
    public init(_ language: Texts.Language, _ templates: [String: String]) {
        self.init(language) { phrase, texts in
            let values = phrase.values(in: texts)
            // One pass, so that a value with braces in it stays as it is.
            return templates[phrase.id]?.replacing(/\{([1-9])\}/) { match in
                let index = (Int(match.output.1) ?? 1) - 1
                return values.indices.contains(index) ? values[index] : String(match.output.0)
            }
        }
    }

    /// Creates a translation from a function, such as one that knows a language's plurals.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - text: Returns the text of a phrase; `nil` leaves it in English, or in Korean where that
    ///     is the language.
    public init(_ language: Texts.Language, text: @escaping @Sendable (_ phrase: Phrase, _ texts: Texts) -> String?) {
        self.language = language
        self.text = text
    }
}

extension Phrase {
    /// The values in the English text, in order, as a reader writes them.
    public func values(in texts: Texts) -> [String] { values.map(texts.string) }

    /// The numbers among the values, in order: those that decide on a plural.
    public var numbers: [Int] {
        values.compactMap { value in
            switch value {
            case .number(let number), .compactNumber(let number): number
            case .text, .month, .moment, .deadline, .phrase: nil
            }
        }
    }
}
