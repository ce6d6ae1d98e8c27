@_spi(Services) import BrowseDomain
public import Foundation

/// Parses `Retry-After` and `X-RateLimit-Reset`, and converts server times to local times.
public enum RetryAfter {
    /// The local time in `Retry-After`, at most a day from now; `nil` without a valid one.
    ///
    /// An HTTP date is corrected by the difference between the response's `Date` and the local
    /// clock, and seconds by the age of a shared cache's copy. Source: RFC 9110, section 10.2.3.
    public static func date(_ headers: HTTPHeaders, now: Date) -> Date? {
        guard let text = headers.single("Retry-After").map({ String($0[...].trimmingWhitespace) }) else { return nil }
        if let seconds = seconds(text)?.rounded(.up) {
            return now.addingTimeInterval(min(max(0, seconds - age(headers)), maxWait))
        }
        return HTTPDate.date(text).map { localDate($0, skew: skew(headers, now: now), now: now) }
    }

    /// The age of a shared cache's copy in seconds (RFC 9111, section 5.1); 0 for other responses.
    ///
    /// It's the first of several, and at most 2³¹, as in section 1.2.2.
    @_spi(Services) public static func age(_ headers: HTTPHeaders) -> TimeInterval {
        let first = headers["Age"].map { $0.prefix { $0 != "," }.trimmingWhitespace }
        return min(max(0, first.flatMap { seconds(String($0)) } ?? 0), 0x8000_0000)
    }

    /// The local time in `X-RateLimit-Reset`, at most a day from now; `nil` unless it is a number.
    ///
    /// The field has seconds or milliseconds since 1970, which are corrected like the date in
    /// `Retry-After`.
    public static func resetDate(_ headers: HTTPHeaders, now: Date) -> Date? {
        guard age(headers) == 0, let reset = headers.single("X-RateLimit-Reset").flatMap(reset) else { return nil }
        return localDate(reset, skew: skew(headers, now: now), now: now)
    }

    /// Converts a server time to a local time, at most a day from now.
    static func localDate(_ serverDate: Date, skew: TimeInterval, now: Date) -> Date {
        min(serverDate.addingTimeInterval(skew), now.addingTimeInterval(maxWait))
    }

    /// The seconds by which the local clock is ahead of a response's `Date` and `Age`.
    static func skew(_ headers: HTTPHeaders, now: Date) -> TimeInterval {
        skew(headers.single("Date").flatMap(HTTPDate.date)?.addingTimeInterval(age(headers)), now: now)
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
    /// Digits can make any number, even infinity. One of a later year is in milliseconds.
    static func serverDate(_ number: TimeInterval) -> Date {
        let last = 253_402_300_799.0
        return Date(timeIntervalSince1970: (number > last ? number / 1000 : number).clamped(to: 0...last))
    }

    /// Parses digits, with the fraction of some services; `TimeInterval` would accept `nan`, `inf`,
    /// and `-1e9`.
    private static func seconds(_ text: String) -> TimeInterval? {
        text.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") } ? TimeInterval(text) : nil
    }

    /// Returns the time until a local date, 0 to a day.
    ///
    /// A service can send any date: one in the past, one in another century, or one that isn't a
    /// number.
    static func wait(until date: Date, now: Date) -> Duration {
        .clampedSeconds(date.timeIntervalSince(now)).clamped(to: .zero...(.seconds(maxWait)))
    }

    /// The maximum wait in seconds, a day.
    static var maxWait: TimeInterval { 86_400 }
}
