@testable import BrowseData
import Foundation

/// The header fields that tell how long to wait.
@Sendable func retryAfter(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let day: TimeInterval = 86_400
    let found = RetryAfter.date(["Retry-After": text], now: now)
    if let found {
        require(found <= now.addingTimeInterval(day), "a wait is a day at most")
        require(
            RetryAfter.date(["Retry-After": " \(text)\t"], now: now) == found,
            "white space around it does not count"
        )
        // Before 1600 the calendar may not be the one that HTTP means.
        if found.timeIntervalSince1970 > -11_676_096_000, found < now.addingTimeInterval(day) {
            require(
                RetryAfter.date(["Retry-After": printed(found)], now: now) == found,
                "\(printed(found)) is read again"
            )
        }
    }
    if let reset = RetryAfter.resetDate(["X-RateLimit-Reset": text, "Date": text], now: now) {
        require(reset <= now.addingTimeInterval(day), "a reset is a day away at most")
        require(reset.timeIntervalSince1970 >= 0, "a reset is after 1970")
        require(found != nil, "whole seconds are a wait too")
    }
}

/// An HTTP date, by Foundation's calendar and not by the code that reads it.
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
