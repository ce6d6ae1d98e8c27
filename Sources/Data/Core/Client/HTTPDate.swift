import Foundation

/// HTTP dates, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Recipients must accept the obsolete forms, too. Source: RFC 9110, section 5.6.7.
enum HTTPDate {
    /// Returns the date; `nil` unless the text has exactly one of the forms and the day exists.
    static func date(_ text: String) -> Date? { fixedDate(text) ?? fixedDate(modernized(text)) }

    /// Returns the date of a text in ISO 8601, with or without a fraction of a second.
    static func isoDate(_ text: String) -> Date? {
        let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: precise))
    }

    /// Returns an obsolete form in the one that is used now.
    private static func modernized(_ text: String) -> String {
        let parts = text.split(separator: " ")
        switch parts.count {
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4:
            let day = parts[1].split(separator: "-")
            guard day.count == 3, day[2].utf8.count == 2, parts[0].hasSuffix("day,") else { return "" }
            let year = "\(day[2] < "70" ? 20 : 19)\(day[2])"
            return "\(parts[0].prefix(3)), \(day[0]) \(day[1]) \(year) \(parts[2]) \(parts[3])"
        // Sun Nov  6 08:49:37 1994
        case 5:
            let day = parts[2].utf8.count == 1 ? "0\(parts[2])" : String(parts[2])
            return "\(parts[0]), \(day) \(parts[1]) \(parts[4]) \(parts[3]) GMT"
        default: return ""
        }
    }

    /// Returns the date of a text in the form that is used now.
    ///
    /// The day of the week must exist, but needn't match the date. The rest is read as ISO 8601,
    /// which takes less time than a format of Foundation's, and compared with the date's own text,
    /// since Foundation accepts days and times that don't exist.
    private static func fixedDate(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, weekdays.contains(parts[0]), parts[5] == "GMT",
            let month = months.firstIndex(of: parts[2])
        else { return nil }
        let isLeapSecond = parts[4].hasSuffix(":60")
        let time = isLeapSecond ? parts[4].dropLast(2) + "59" : parts[4]
        let iso = "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(time)Z"
        guard let date = try? Date(iso, strategy: .iso8601), date.formatted(.iso8601) == iso else { return nil }
        return isLeapSecond ? date + 1 : date
    }

    private static let weekdays: [Substring] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"]
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
