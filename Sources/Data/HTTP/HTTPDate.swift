import Foundation

/// A time as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
///
/// By hand: Foundation's formats read much that is no time, such as `08:49e19:37`, to which they give a year of antiquity.
enum HTTPDate {
    /// The time that a field's value names; `nil` when it is not exactly of that form, or when there is no such day.
    ///
    /// The day of the week has to be one, but not that of the date, which says the same better.
    static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].last == ",", weekdays.contains(parts[0].dropLast()),
            let day = number(parts[1], digits: 2), let month = months.firstIndex(of: parts[2]),
            let year = number(parts[3], digits: 4), let seconds = seconds(parts[4]), parts[5] == "GMT"
        else { return nil }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month]).contains(day) else { return nil }
        let days = daysBefore(year) - daysBefore(1970) + lengths[..<month].reduce(0, +) + day - 1
        return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + seconds))
    }

    private static let weekdays: [Substring] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func seconds(_ time: Substring) -> Int? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        // 60 is a leap second.
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
            minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// A number of that many digits of ASCII.
    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// The days of the Gregorian calendar, which HTTP means for all times, from the year 1 up to a year.
    private static func daysBefore(_ year: Int) -> Int {
        let last = year - 1
        return last * 365 + last / 4 - last / 100 + last / 400
    }
}
