public import Foundation

/// The formats of numbers, dates, and times for a reader; ``Texts/formats`` are those of the texts.
public struct Formats: Sendable {
    /// The reader's locale.
    public let locale: Locale
    /// The time zone of the reader's clock.
    public let timeZone: TimeZone
    let now: @Sendable () -> Date

    /// Creates formats for a reader.
    ///
    /// - Parameters:
    ///   - locale: The reader's locale.
    ///   - timeZone: The time zone of the reader's clock.
    ///   - now: The current time, which decides what today is.
    public init(locale: Locale, timeZone: TimeZone, now: @escaping @Sendable () -> Date = { Date() }) {
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
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

    /// The end of a wait: 2:06 PM, or, if it isn't today, Jan 26 at 2:06 PM.
    ///
    /// It is rounded up to a full minute, since trying again at 2:05 is too early for a wait that ends at 2:05:59.
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
