public import Foundation

/// Localized formats of numbers, dates, and times; ``Texts/formats`` use the language of the texts.
public struct Formats: Sendable {
    /// The locale.
    public let locale: Locale
    /// The time zone of times.
    package let timeZone: TimeZone
    /// Returns the current time.
    @_spi(Services) public let now: @Sendable () -> Date

    /// Creates formats; `now` determines which dates are today's.
    public init(locale: Locale, timeZone: TimeZone, now: @escaping @Sendable () -> Date = { Date() }) {
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
    }

    /// Returns all digits of a number, grouped: 1,234,567.
    package func number(_ value: Int) -> String {
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
    func month(_ date: Date) -> String {
        date.formatted(style.year().month(.wide))
    }

    /// Returns the hour and minute: 2:05 PM.
    public func time(_ date: Date) -> String {
        date.formatted(style.hour().minute())
    }

    /// Returns the day and time: Jan 26, 2011 at 2:05 PM.
    func moment(_ date: Date) -> String {
        date.formatted(style.year().month(.abbreviated).day().hour().minute())
    }

    /// Returns the end of a wait: 2:06 PM today, or Jan 26 at 2:06 PM on another day.
    ///
    /// It's rounded up to a full minute, since 2:05 is too early for a wait that ends at 2:05:59,
    /// or to a second if that is less than a minute away: 2:05:59 PM.
    func deadline(_ date: Date) -> String {
        let isSoon = date.timeIntervalSince(now()) < 60
        let unit: TimeInterval = isSoon ? 1 : 60
        let end = Date(timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate / unit).rounded(.up) * unit)
        if isSoon { return end.formatted(style.hour().minute().second()) }
        var calendar = locale.calendar
        calendar.timeZone = timeZone
        guard !calendar.isDate(end, inSameDayAs: now()) else { return time(end) }
        return end.formatted(style.month(.abbreviated).day().hour().minute())
    }

    /// Returns a size in localized units: 124.7 MB.
    ///
    /// - Parameter bytes: 0 or more.
    public func size(_ bytes: Int64) -> String {
        // Zero is a digit, because the style spells it out in English only.
        bytes.formatted(.byteCount(style: .file, spellsOutZero: false).locale(locale))
    }

    /// Returns the name of a language, such as French or 프랑스어; its uppercased code if it has no
    /// name.
    ///
    /// - Parameter code: The code of ISO 639-1, in any case.
    public func languageName(_ code: String) -> String {
        locale.localizedString(forLanguageCode: code.lowercased()) ?? code.uppercased()
    }

    /// Returns the name of a country or region, such as France; its uppercased code if it has none.
    func regionName(_ code: String) -> String {
        locale.localizedString(forRegionCode: code.uppercased()) ?? code.uppercased()
    }

    /// Returns a calendar day, which doesn't depend on the reader's time zone.
    ///
    /// - Parameter date: A time of that day in GMT.
    public func calendarDay(_ date: Date) -> String { Formats(locale: locale, timeZone: .gmt, now: now).day(date) }

    /// Returns a list of words: a, b, and c.
    public func list(_ words: [String]) -> String {
        words.formatted(.list(type: .and).locale(locale))
    }

    /// Returns an amount of money: $4.99.
    ///
    /// - Parameters:
    ///   - amount: The amount.
    ///   - currency: The code of ISO 4217; `nil` returns the number only.
    public func price(_ amount: Decimal, currency: String?) -> String {
        guard let currency else { return amount.formatted(.number.locale(locale)) }
        return amount.formatted(.currency(code: currency).locale(locale))
    }

    private var style: Date.FormatStyle {
        Date.FormatStyle(locale: locale, calendar: locale.calendar, timeZone: timeZone)
    }
}
