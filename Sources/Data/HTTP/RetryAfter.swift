import Foundation

/// The header `Retry-After` of RFC 9110, section 10.2.3.
enum RetryAfter {
    /// The time it names, as seconds from now or as an HTTP date; `nil` when it is neither.
    static func date(from header: String, now: Date) -> Date? {
        let text = header.trimmingCharacters(in: .whitespaces)
        if let seconds = seconds(text) { return now.addingTimeInterval(min(seconds, longest)) }
        guard let date = HTTPDate.date(text) else { return nil }
        return min(date, now.addingTimeInterval(longest))
    }

    /// The time that GitHub's `X-RateLimit-Reset` names in seconds since 1970; `nil` when it is not a whole number.
    static func date(fromReset header: String, now: Date) -> Date? {
        seconds(header).map { min(Date(timeIntervalSince1970: $0), now.addingTimeInterval(longest)) }
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
