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
enum HTTPDate {
    /// Returns the date of a text; `nil` unless the text has exactly this form and the day exists.
    ///
    /// The day of the week must exist, but needn't match the date.
    static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, parts[5] == "GMT", weekdays.contains(parts[0]),
            let month = months.firstIndex(of: parts[2])
        else { return nil }
        let iso = "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z"
        // Parsing alone accepts other forms, and days that don't exist.
        guard let date = try? Date(iso, strategy: .iso8601), date.formatted(.iso8601) == iso else { return nil }
        return date
    }

    private static let weekdays: [Substring] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"]
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
