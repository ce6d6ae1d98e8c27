public import BrowseDomain
public import Foundation

/// The on-screen texts in the language of a locale: English, Korean, or one that a ``Translation``
/// adds.
///
/// Texts are code instead of string tables, so a misspelled name doesn't compile, and an executable
/// needs no resource bundle. See Docs/Decisions/0028.
public struct Texts: Sendable {
    /// A language, identified by its code.
    public struct Language: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
        /// English, the fallback for languages without texts.
        public static let english: Language = Language(rawValue: "en")
        /// Korean.
        public static let korean: Language = Language(rawValue: "ko")

        /// The code, such as `en`, `zh-Hant`, or `pt-BR` (BCP 47).
        public let rawValue: String

        /// Creates a language from its code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a language from its code.
        public init(stringLiteral code: String) { rawValue = code }
    }

    /// The texts about a service, which messages mention by name.
    ///
    /// Declare one for a service of your own, and pass it to ``Texts/about(_:)``.
    public struct Service: Hashable, Sendable {
        /// Any service.
        static let anyServer = Service(name: Phrase("server.name", "The server", ko: "서버"))

        /// The name at the beginning of a sentence, such as `The Library`.
        public let name: Phrase
        /// The text for input that the service has nothing for.
        public let notFound: Phrase
        /// The text for input that the service can't process.
        let rejected: Phrase
        /// The text for an item that the service no longer has, or doesn't show to this person.
        let gone: Phrase

        /// Creates a service, whose default texts for input ask the person to check it.
        public init(name: Phrase, notFound: Phrase? = nil, rejected: Phrase? = nil, gone: Phrase? = nil) {
            self.name = name
            self.notFound = notFound ?? .notFound(in: name)
            self.rejected = rejected ?? .rejected(by: name)
            self.gone = gone ?? .gone(from: name)
        }
    }

    /// The language of the texts.
    public let language: Language
    /// The service that messages mention; "The server" unless the texts are ``about(_:)`` one.
    package private(set) var service: Service = .anyServer
    /// Whether the person typed what is requested, so that messages ask to check it.
    package private(set) var hasInput = false
    /// The formats of numbers and dates in these texts.
    public let formats: Formats
    private let translations: [Translation]

    /// Creates texts for a reader.
    ///
    /// - Parameters:
    ///   - locale: The reader's locale. If there are no texts in its language, texts, numbers, and
    ///     dates are in English.
    ///   - timeZone: The reader's time zone.
    ///   - now: Returns the current time. The end of a wait has no date if it's today.
    ///   - translations: Additional languages. A translation into English or Korean overrides
    ///     phrases of the SDK. Of several into one language, such as those of an app and of its
    ///     packages, the first that has a phrase applies.
    public init(
        locale: Locale,
        timeZone: TimeZone,
        now: @escaping @Sendable () -> Date = { Date() },
        translations: [Translation] = []
    ) {
        let match = LanguageMatch(locale.language).best(of: translations.map(\.language) + [.english, .korean])
        language = match ?? .english
        self.translations = translations.filter { [language] in $0.language == language }
        // Foundation on Linux reads the hour cycle and the calendar of `en-US-u-hc-h23`, but not
        // those of `en_US-u-hc-h23`.
        let tag = locale.identifier.replacing("_", with: "-")
        let reader = tag.contains("-u-") ? Locale(identifier: tag) : locale
        // Numbers and dates use the language of the text, because German numbers in an English
        // sentence mislead.
        formats = Formats(locale: match == nil ? Self.english(like: reader) : reader, timeZone: timeZone, now: now)
    }

    /// Returns the same texts, with messages about another service.
    public func about(_ service: Service) -> Texts { modified(self) { $0.service = service } }

    /// Returns the same texts, for a screen on which the person typed what is requested, or for
    /// others.
    public func withInput(_ hasInput: Bool = true) -> Texts { modified(self) { $0.hasInput = hasInput } }

    /// Returns a phrase in the reader's language.
    public func callAsFunction(_ phrase: Phrase) -> String {
        if let text = translations.lazy.compactMap({ $0.text(phrase, self) }).first { return text }
        if language.code == Language.korean.code { return phrase.korean.string(in: self) }
        return phrase.english.string(in: language.code == Language.english.code ? self : english)
    }

    /// Returns the localized age of cached or saved content; `nil` for fresh content.
    public func age(of provenance: Provenance) -> String? {
        switch provenance {
        case .fresh, .revalidated: nil
        // The clock may have been set back since.
        case .stale(let date): self(.lastUpdated(min(date, formats.now())))
        case .offline(let date): self(.offlineSince(min(date, formats.now())))
        case .saved: self(.savedCopy)
        }
    }

    /// The texts for phrases that a translation lacks.
    private var english: Texts {
        Texts(locale: Self.english(like: formats.locale), timeZone: formats.timeZone, now: formats.now)
    }

    /// Returns American English with a locale's calendar, hour cycle, and chosen digits.
    private static func english(like locale: Locale) -> Locale {
        var english = Locale.Components(identifier: "en_US")
        english.calendar = locale.calendar.identifier
        english.hourCycle = locale.hourCycle
        english.numberingSystem = Locale.Components(identifier: locale.identifier).numberingSystem
        return Locale(components: english)
    }

    func string(_ value: Phrase.Value) -> String {
        switch value {
        case .text(let text):
            formats.locale.language.characterDirection == .rightToLeft || text.affectsDirection ? text.isolated : text
        case .number(let number): formats.number(number)
        case .compactNumber(let number): formats.compact(number)
        case .month(let date): formats.month(date)
        case .moment(let date): formats.moment(date)
        case .deadline(let date): formats.deadline(date)
        case .phrase(let phrase): self(phrase)
        }
    }
}

// swift-format-ignore
extension Phrase {
    fileprivate static let savedCopy = Phrase("age.saved", "Saved copy. May be out of date", ko: "저장된 사본. 최신 정보가 아닐 수 있음")
    fileprivate static func lastUpdated(_ date: Date) -> Phrase {
        Phrase("age.cached", "Last updated \(moment: date)", ko: "마지막 업데이트: \(moment: date)")
    }
    fileprivate static func offlineSince(_ date: Date) -> Phrase {
        Phrase("age.offline", "May be out of date. Last updated \(moment: date)",
            ko: "최신 정보가 아닐 수 있음. 마지막 업데이트: \(moment: date)")
    }
}
