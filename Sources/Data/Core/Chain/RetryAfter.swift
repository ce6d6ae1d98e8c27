@_spi(Services) import BrowseDomain
public import Foundation

/// Parses `Retry-After` and `X-RateLimit-Reset`, and converts server times to local times.
public enum RetryAfter {
    /// The local time in `Retry-After`, at most a day from now; `nil` without a valid one.
    ///
    /// An HTTP date is corrected by the difference between the response's `Date` and the local clock. Source: RFC 9110, section
    /// 10.2.3.
    public static func date(_ headers: HTTPHeaders, now: Date) -> Date? {
        guard let text = headers["Retry-After"].map({ String($0[...].trimmingWhitespace) }) else { return nil }
        if let seconds = seconds(text) { return now.addingTimeInterval(min(seconds, maxWait)) }
        return HTTPDate.date(text).map { localDate($0, skew: skew(headers, now: now), now: now) }
    }

    /// The local time in `X-RateLimit-Reset`, at most a day from now; `nil` unless it is a whole number.
    ///
    /// The field has seconds since 1970, which are corrected like the date in `Retry-After`.
    public static func resetDate(_ headers: HTTPHeaders, now: Date) -> Date? {
        guard let reset = headers["X-RateLimit-Reset"].flatMap(reset) else { return nil }
        return localDate(reset, skew: skew(headers, now: now), now: now)
    }

    /// Converts a server time to a local time, at most a day from now.
    static func localDate(_ serverDate: Date, skew: TimeInterval, now: Date) -> Date {
        min(serverDate.addingTimeInterval(skew), now.addingTimeInterval(maxWait))
    }

    /// The seconds by which the local clock is ahead of a response's `Date`.
    static func skew(_ headers: HTTPHeaders, now: Date) -> TimeInterval {
        skew(headers["Date"].flatMap(HTTPDate.date), now: now)
    }

    /// The seconds by which the local clock is ahead of the server's.
    ///
    /// Differences of up to two seconds count as zero, since the response may have taken that long.
    static func skew(_ serverDate: Date?, now: Date) -> TimeInterval {
        let ahead = serverDate.map(now.timeIntervalSince) ?? 0
        return abs(ahead) > 2 ? ahead : 0
    }

    package static func reset(_ header: String) -> Date? { seconds(header).map(serverDate) }

    /// Returns a server's time, clamped to the years 1970 through 9999.
    ///
    /// Digits can make any number, even infinity.
    static func serverDate(_ seconds: TimeInterval) -> Date {
        Date(timeIntervalSince1970: seconds.clamped(to: 0...253_402_300_799))
    }

    /// Parses digits only; `TimeInterval` would accept `nan`, `inf`, and `-1e9`.
    private static func seconds(_ text: String) -> TimeInterval? {
        !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit) ? TimeInterval(text) : nil
    }

    /// The maximum wait in seconds, a day.
    static var maxWait: TimeInterval { 86_400 }
}

/// HTTP dates, such as `Sun, 06 Nov 1994 08:49:37 GMT`, but no obsolete forms (RFC 9110, section 5.6.7).
///
/// Each response has one, and Foundation's formats take longer, and accept invalid dates.
enum HTTPDate {
    static func date(_ text: String) -> Date? {
        seconds(text).map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }

    /// Returns seconds since 1970; `nil` unless the text has exactly this form and the day exists.
    ///
    /// The day of the week must exist, but needn't match the date. The result has 64 bits, since `Int` has 32 on some Apple
    /// Watches, which overflows in 2038.
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, weekdays.contains(where: bytes[..<3].elementsEqual), contains(bytes, ", ", at: 3),
            let day = number(bytes[5..<7]), contains(bytes, " ", at: 7), contains(bytes, " ", at: 11),
            let year = number(bytes[12..<16]), contains(bytes, " ", at: 16), contains(bytes, " GMT", at: 25),
            let month = months.firstIndex(where: bytes[8..<11].elementsEqual),
            let hour = number(bytes[17..<19]), hour < 24, contains(bytes, ":", at: 19),
            let minute = number(bytes[20..<22]), minute < 60, contains(bytes, ":", at: 22),
            // A leap second is 60.
            let second = number(bytes[23..<25]), second <= 60
        else { return nil }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month]).contains(day) else { return nil }
        let days = daysBefore(year) - daysBefore(1970) + lengths[..<month].reduce(0, +) + day - 1
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map { $0.utf8 }
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { $0.utf8 }

    private static func contains(_ bytes: [UInt8], _ text: String, at index: Int) -> Bool {
        bytes[index...].starts(with: text.utf8)
    }

    /// Parses ASCII digits; `nil` if there is any other byte.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = 10 * number + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// The days from year 1 to the start of a year in the proleptic Gregorian calendar, which HTTP uses.
    private static func daysBefore(_ year: Int) -> Int {
        let last = year - 1
        return last * 365 + last / 4 - last / 100 + last / 400
    }
}
