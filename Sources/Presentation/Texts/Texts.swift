public import BrowseDomain
public import Foundation

/// The texts for a reader, in the language of a locale: English, Korean, or one that a ``Translation`` adds.
///
/// Texts are code, not string tables: a phrase that lacks one of the two languages doesn't compile, and a tool that was copied
/// without its resource bundle has its texts. Docs/Decisions/0028 gives the reasons.
public struct Texts: Sendable {
    /// A language, by its code.
    public struct Language: RawRepresentable, Hashable, Sendable {
        /// English, also for every language without texts.
        public static let english: Language = Language(rawValue: "en")
        /// Korean.
        public static let korean: Language = Language(rawValue: "ko")

        /// The code of ISO 639, such as `en`.
        public let rawValue: String

        /// Creates a language from its code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// A service that messages name.
    ///
    /// Declare one for a service of your own, and pass it to ``Texts/about(_:)``.
    public struct Service: Hashable, Sendable {
        /// The name, as at the beginning of a sentence.
        public let name: Phrase
        /// The text of the message about something that the service doesn't have.
        public let notFound: Phrase

        /// Creates a service.
        ///
        /// - Parameters:
        ///   - name: The name, as at the beginning of a sentence: `The App Store`.
        ///   - notFound: What to say about something that it doesn't have; `nil` asks to check the name.
        public init(name: Phrase, notFound: Phrase? = nil) {
            self.name = name
            self.notFound = notFound ?? .notFound(in: name)
        }
    }

    /// The language of the texts.
    public let language: Language
    /// The service that messages name.
    public private(set) var service: Service = .gitHub
    /// The formats of numbers and dates in these texts, for what a front end writes beside them.
    public let formats: Formats
    private let translation: Translation?
    let favoriteKinds: [Favorite.Kind: Phrase]

    /// Creates texts for a reader.
    ///
    /// - Parameters:
    ///   - locale: The reader's locale. If there are no texts in its language, texts, numbers, and dates are in English.
    ///   - timeZone: The time zone of the reader's clock.
    ///   - now: The current time, which decides whether a text has to name the day.
    ///   - translations: Other languages; one for English or Korean replaces phrases of the SDK.
    ///   - favoriteKinds: The titles of the kinds of favorites that other modules add.
    public init(
        locale: Locale,
        timeZone: TimeZone,
        now: @escaping @Sendable () -> Date = { Date() },
        translations: [Translation] = [],
        favoriteKinds: [Favorite.Kind: Phrase] = [:]
    ) {
        let wanted = locale.language.languageCode.map { Language(rawValue: $0.identifier) }
        let isKnown = wanted == .english || wanted == .korean || translations.contains { $0.language == wanted }
        language = isKnown ? wanted ?? .english : .english
        translation = translations.first { [language] in $0.language == language }
        self.favoriteKinds = favoriteKinds
        // Numbers and dates are in the language of the text around them: German numbers in an English sentence mislead.
        formats = Formats(locale: isKnown ? locale : Self.englishLocale, timeZone: timeZone, now: now)
    }

    /// Returns the same texts, with messages that name another service.
    public func about(_ service: Service) -> Texts {
        var texts = self
        texts.service = service
        return texts
    }

    /// Returns a phrase in the reader's language.
    public func callAsFunction(_ phrase: Phrase) -> String {
        if let text = translation?.text(phrase, self) { return text }
        if language == .korean { return phrase.korean.string(in: self) }
        return phrase.english.string(in: language == .english ? self : english)
    }

    /// The texts for what a translation lacks.
    private var english: Texts {
        Texts(locale: Self.englishLocale, timeZone: formats.timeZone, now: formats.now)
    }

    private static let englishLocale = Locale(identifier: "en_US")

    func string(_ value: Phrase.Value) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): formats.number(number)
        case .compactNumber(let number): formats.compact(number)
        case .month(let date): formats.month(date)
        case .moment(let date): formats.moment(date)
        case .deadline(let date): formats.deadline(date)
        case .phrase(let phrase): self(phrase)
        }
    }
}
