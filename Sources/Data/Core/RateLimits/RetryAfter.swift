@_spi(Services) import BrowseDomain
public import Foundation

/// Parses `Retry-After` and `X-RateLimit-Reset`, and converts server times to local times.
public enum RetryAfter {
    /// The lowercase prefixes of the fields of limits.
    ///
    /// The second is that of X and Okta, and the third that of GitLab and Twitch.
    static let fieldPrefixes: [String] = ["x-ratelimit", "x-rate-limit", "ratelimit"]

    /// The value of a field such as `X-RateLimit-Reset`, whose prefix depends on the service.
    ///
    /// Policies can follow it, as in `100, 100;w=60` (draft-ietf-httpapi-ratelimit-headers-03,
    /// section 3.1).
    static func field(_ name: String, in headers: HTTPHeaders) -> String? {
        let text = fieldPrefixes.lazy.compactMap { headers["\($0)-\(name)"] }.first
        return text.map { $0.contains(";") ? String($0.prefix { !",;".contains($0) }.trimmingWhitespace) : $0 }
    }

    /// The local time in `Retry-After`, at most a day from now; `nil` without a valid one.
    ///
    /// A date is corrected by the difference between the response's `Date` and the local clock, and
    /// seconds by the age of a shared cache's copy. Source: RFC 9110, section 10.2.3.
    public static func date(_ headers: HTTPHeaders, now: Date) -> Date? {
        guard let text = headers["Retry-After"].map({ String($0[...].trimmingWhitespace) }) else { return nil }
        if let number = seconds(text) { return localDate(number.rounded(.up), headers, now: now) }
        return HTTPDate.date(text).map { localDate($0, skew: skew(headers, now: now), now: now) }
    }

    /// The age of a shared cache's copy in seconds (RFC 9111, section 5.1); 0 for other responses.
    ///
    /// It's the first of several, and at most 2³¹, as in section 1.2.2.
    @_spi(Services) public static func age(_ headers: HTTPHeaders) -> TimeInterval {
        let first = headers["Age"].map { $0.prefix { $0 != "," }.trimmingWhitespace }
        return min(max(0, first.flatMap { seconds(String($0)) } ?? 0), 0x8000_0000)
    }

    /// The local time in `X-RateLimit-Reset`, at most a day from now; `nil` without a valid one.
    ///
    /// The prefix can also be `X-Rate-Limit-` or `RateLimit-`. The field has a date in ISO 8601, as
    /// from Mastodon, or seconds or milliseconds since 1970, or seconds from now. They are
    /// corrected like those in `Retry-After`.
    public static func resetDate(_ headers: HTTPHeaders, now: Date) -> Date? {
        let number = field("Reset", in: headers).flatMap { seconds($0) ?? HTTPDate.isoDate($0)?.timeIntervalSince1970 }
        guard age(headers) == 0, let number else { return nil }
        return localDate(number, headers, now: now)
    }

    /// Converts a server's number: seconds from now, or since 1970 if they are 30 years or more.
    ///
    /// Services send both in both fields, although `Retry-After` has seconds from now.
    private static func localDate(_ number: TimeInterval, _ headers: HTTPHeaders, now: Date) -> Date {
        number < 946_080_000
            ? now.addingTimeInterval(min(max(0, number - age(headers)), maxWait))
            : localDate(serverDate(number), skew: skew(headers, now: now), now: now)
    }

    /// Converts a server time to a local time, at most a day from now.
    static func localDate(_ serverDate: Date, skew: TimeInterval, now: Date) -> Date {
        min(serverDate.addingTimeInterval(skew), now.addingTimeInterval(maxWait))
    }

    /// The seconds by which the local clock is ahead of a response's `Date` and `Age`.
    static func skew(_ headers: HTTPHeaders, now: Date) -> TimeInterval {
        skew(headers["Date"].flatMap(HTTPDate.date)?.addingTimeInterval(age(headers)), now: now)
    }

    /// The seconds by which the local clock is ahead of the server's.
    ///
    /// Differences of up to two seconds count as zero, since the response may have taken that long.
    static func skew(_ serverDate: Date?, now: Date) -> TimeInterval {
        let ahead = serverDate.map(now.timeIntervalSince) ?? 0
        return abs(ahead) > 2 ? ahead : 0
    }

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
