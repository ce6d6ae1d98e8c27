import Foundation

extension HTTPDate {
    /// Returns a date; `nil` unless the text has exactly that form and the day exists.
    static func date(_ text: String) -> Date? {
        seconds(text).map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }
}
