public import Foundation

/// How numbers, dates and times are written for a reader; ``Texts/formats`` are those that go with the texts.
public struct Formats: Sendable {
    /// The reader's language and habits.
    public let locale: Locale
    /// Where the reader's clock is.
    public let timeZone: TimeZone

    /// Creates formats for a reader.
    public init(locale: Locale, timeZone: TimeZone) {
        self.locale = locale
        self.timeZone = timeZone
    }

    /// All digits, grouped: 1,234,567.
    public func number(_ value: Int) -> String {
        value.formatted(.number.locale(locale))
    }

    /// Short, for counts that are looked at and not read: 12K, 1.2만.
    public func compact(_ value: Int) -> String {
        value.formatted(.number.locale(locale).notation(.compactName))
    }

    /// Day, month and year: Jan 26, 2011; 2011년 1월 26일.
    public func day(_ date: Date) -> String {
        date.formatted(style.year().month(.abbreviated).day())
    }

    /// Month and year: January 2011, 2011년 1월.
    public func month(_ date: Date) -> String {
        date.formatted(style.year().month(.wide))
    }

    /// Hour and minute: 2:05 PM.
    public func time(_ date: Date) -> String {
        date.formatted(style.hour().minute())
    }

    /// Day and time: Jan 26, 2011 at 2:05 PM.
    public func moment(_ date: Date) -> String {
        date.formatted(style.year().month(.abbreviated).day().hour().minute())
    }

    private var style: Date.FormatStyle {
        Date.FormatStyle(locale: locale, timeZone: timeZone)
    }
}
