import Foundation

/// The header `Retry-After` of RFC 9110, section 10.2.3.
enum RetryAfter {
    /// The time it names, as seconds from now or as an HTTP date; `nil` when it is neither.
    static func date(from header: String, now: Date) -> Date? {
        let text = String(header[...].withoutOuterSpace)
        if let seconds = seconds(text) { return now.addingTimeInterval(min(seconds, longest)) }
        guard let date = HTTPDate.date(text) else { return nil }
        return min(date, now.addingTimeInterval(longest))
    }

    /// The time by the clock here that a reply's `X-RateLimit-Reset` names in seconds since 1970; `nil` when there is none, or
    /// it is not a whole number.
    ///
    /// The server's clock decides, as its `Date` tells: one that is ahead here would take a budget for whole that is not. Up
    /// to two seconds may be the time that the reply took.
    static func resetDate(_ headers: HTTPHeaders, now: Date) -> Date? {
        guard let reset = headers["X-RateLimit-Reset"].flatMap(reset) else { return nil }
        let ahead = headers["Date"].flatMap(HTTPDate.date).map(now.timeIntervalSince) ?? 0
        return min(reset.addingTimeInterval(abs(ahead) > 2 ? ahead : 0), now.addingTimeInterval(longest))
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
