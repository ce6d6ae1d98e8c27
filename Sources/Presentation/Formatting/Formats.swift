import Foundation

/// How numbers, dates and times are written for a reader.
struct Formats: Sendable {
    let locale: Locale
    let timeZone: TimeZone

    /// All digits, grouped: 1,234,567.
    func number(_ value: Int) -> String {
        value.formatted(.number.locale(locale))
    }

    /// Month and year: January 2011, 2011년 1월.
    func month(_ date: Date) -> String {
        date.formatted(style.year().month(.wide))
    }

    /// Hour and minute, with the day when it is not the same one everywhere near: 2:05 PM.
    func time(_ date: Date) -> String {
        date.formatted(style.hour().minute())
    }

    private var style: Date.FormatStyle {
        Date.FormatStyle(locale: locale, timeZone: timeZone)
    }
}
