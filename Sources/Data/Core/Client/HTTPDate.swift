import Foundation

/// HTTP dates, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Obsolete forms aren't accepted. Source: RFC 9110, section 5.6.7.
enum HTTPDate {
    /// Returns the date; `nil` unless the text has exactly this form and the day exists.
    ///
    /// The day of the week must exist, but needn't match the date. The rest is read as ISO 8601,
    /// which takes less time than a format of Foundation's, and compared with the date's own text,
    /// since Foundation accepts days and times that don't exist.
    static func date(_ text: String) -> Date? {
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
