package import BrowsePresentation
package import Foundation

/// What the tool itself says, beside what the SDK says, in the SDK's languages.
package struct Words: Sendable {
    private let texts: Texts

    /// Creates the words in the language of the SDK's texts.
    package init(_ texts: Texts) {
        self.texts = texts
    }

    package func callAsFunction(_ phrase: Phrase) -> String {
        texts(phrase)
    }

    /// Creates the words for a locale.
    package init(locale: Locale) {
        self.init(Texts(locale: locale, timeZone: .gmt))
    }

    /// How long ago something was, or how far ahead it is, as one number: "3 minutes ago", "in 12 minutes".
    package func relative(_ date: Date, to now: Date) -> String {
        // Clocks are set back, and a date from elsewhere may be any.
        let seconds = min(max(date.timeIntervalSince(now), -1e11), 1e11)
        guard abs(seconds) >= 1 else { return self(.now) }
        let length = Duration.seconds(Int64(abs(seconds))).formatted(
            .units(
                allowed: [.days, .hours, .minutes, .seconds],
                width: .wide,
                maximumUnitCount: 1,
                fractionalPart: .hide(rounded: .down)
            )
            .locale(texts.formats.locale)
        )
        return self(seconds < 0 ? .ago(length) : .ahead(length))
    }
}
