@testable import BrowseData
import Foundation

/// The header fields with the time to wait.
@Sendable func retryAfter(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let day: TimeInterval = 86_400
    let found = RetryAfter.date(["Retry-After": text], now: now)
    if let found {
        require(found <= now.addingTimeInterval(day), "a wait is at most a day")
        require(
            RetryAfter.date(["Retry-After": " \(text)\t"], now: now) == found,
            "surrounding white space is ignored"
        )
        // Before 1600, calendars differ, and only a number has milliseconds.
        let seconds = found.timeIntervalSince1970
        if seconds > -11_676_096_000, seconds == seconds.rounded(), found < now.addingTimeInterval(day) {
            require(
                RetryAfter.date(["Retry-After": printed(found)], now: now) == found,
                "\(printed(found)) parses to the same date"
            )
        }
    }
    if let reset = RetryAfter.resetDate(["X-RateLimit-Reset": text, "Date": text], now: now) {
        require(reset <= now.addingTimeInterval(day), "a reset is at most a day away")
        require(reset.timeIntervalSince1970 >= 0, "a reset is after 1970")
        // A date in ISO 8601 is none, and nor is a number with policies.
        require(found != nil || text.contains("-") || text.contains(";"), "seconds are also a wait")
    }
}

/// Formats an HTTP date with Foundation's calendar, independently of the code under test.
private func printed(_ date: Date) -> String {
    let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int?) -> String { String(String((number ?? 0) + 100).suffix(2)) }
    return "\(days[(parts.weekday ?? 1) - 1]), \(two(parts.day)) \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0) "
        + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
}

private let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
}()
