public import Foundation

/// Localized formats of numbers, dates, and times. ``Texts/formats`` match the texts.
public struct Formats: Sendable {
    /// The locale.
    public let locale: Locale
    /// The time zone of times.
    public let timeZone: TimeZone
    let now: @Sendable () -> Date

    /// Creates formats.
    ///
    /// - Parameters:
    ///   - locale: The locale.
    ///   - timeZone: The time zone of times.
    ///   - now: The current time, which determines today's date.
    public init(locale: Locale, timeZone: TimeZone, now: @escaping @Sendable () -> Date = { Date() }) {
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
    }

    /// Returns all digits of a number, grouped: 1,234,567.
    public func number(_ value: Int) -> String {
        value.formatted(.number.locale(locale))
    }

    /// Returns a short form of a count: 12K, 1.2만.
    public func compact(_ value: Int) -> String {
        value.formatted(.number.locale(locale).notation(.compactName))
    }

    /// Returns the day, month, and year: Jan 26, 2011; 2011년 1월 26일.
    public func day(_ date: Date) -> String {
        date.formatted(style.year().month(.abbreviated).day())
    }

    /// Returns the month and year: January 2011, 2011년 1월.
    public func month(_ date: Date) -> String {
        date.formatted(style.year().month(.wide))
    }

    /// Returns the hour and minute: 2:05 PM.
    public func time(_ date: Date) -> String {
        date.formatted(style.hour().minute())
    }

    /// Returns the day and time: Jan 26, 2011 at 2:05 PM.
    public func moment(_ date: Date) -> String {
        date.formatted(style.year().month(.abbreviated).day().hour().minute())
    }

    /// Returns the end of a wait: 2:06 PM today, or Jan 26 at 2:06 PM on another day.
    ///
    /// It's rounded up to a full minute, since 2:05 is too early for a wait that ends at 2:05:59.
    public func deadline(_ date: Date) -> String {
        let end = Date(timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate / 60).rounded(.up) * 60)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        guard !calendar.isDate(end, inSameDayAs: now()) else { return time(end) }
        return end.formatted(style.month(.abbreviated).day().hour().minute())
    }

    private var style: Date.FormatStyle {
        Date.FormatStyle(locale: locale, timeZone: timeZone)
    }
}
