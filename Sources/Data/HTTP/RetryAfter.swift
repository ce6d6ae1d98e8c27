import Foundation

/// The header `Retry-After` of RFC 9110, section 10.2.3.
enum RetryAfter {
    /// The time by the clock here that a response names, as seconds from now or as an HTTP date; `nil` when it names none.
    ///
    /// Of a date, the difference to the response's own `Date` counts where the server's clock differs from the one here.
    static func date(_ headers: HTTPHeaders, now: Date) -> Date? {
        guard let text = headers["Retry-After"].map({ String($0[...].trimmingWhitespace) }) else { return nil }
        if let seconds = seconds(text) { return now.addingTimeInterval(min(seconds, longest)) }
        return HTTPDate.date(text).map { localDate($0, skew: skew(headers, now: now), now: now) }
    }

    /// The time by the clock here that a response's `X-RateLimit-Reset` names in seconds since 1970; `nil` when there is none, or
    /// it is not a whole number.
    ///
    /// The server's clock decides, as its `Date` tells: a clock that is ahead here would take an empty budget for full.
    static func resetDate(_ headers: HTTPHeaders, now: Date) -> Date? {
        guard let reset = headers["X-RateLimit-Reset"].flatMap(reset) else { return nil }
        return localDate(reset, skew: skew(headers, now: now), now: now)
    }

    /// The time by the clock here that is a time by the server's clock, at most a day from now.
    static func localDate(_ serverDate: Date, skew: TimeInterval, now: Date) -> Date {
        min(serverDate.addingTimeInterval(skew), now.addingTimeInterval(longest))
    }

    /// How far the clock here is ahead of the server's, as a response's `Date` tells.
    static func skew(_ headers: HTTPHeaders, now: Date) -> TimeInterval {
        skew(headers["Date"].flatMap(HTTPDate.date), now: now)
    }

    /// How far the clock here is ahead of the server's, in seconds; up to two may be the time that the response took.
    static func skew(_ serverDate: Date?, now: Date) -> TimeInterval {
        let ahead = serverDate.map(now.timeIntervalSince) ?? 0
        return abs(ahead) > 2 ? ahead : 0
    }

    /// The time that `X-RateLimit-Reset` names, by the server's clock.
    static func reset(_ header: String) -> Date? {
        seconds(header).map(Date.init(timeIntervalSince1970:))
    }

    /// Digits only: `TimeInterval` would also read `nan`, `inf` and `-1e9`.
    private static func seconds(_ text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return TimeInterval(text)
    }

    /// A server that asks for more than a day does not know what it asks for.
    private static var longest: TimeInterval { 86_400 }
}
