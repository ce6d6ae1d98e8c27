import Foundation

extension HTTPDate {
    /// The time that a field's value names; `nil` when it is not exactly of that form, or when there is no such day.
    static func date(_ text: String) -> Date? {
        seconds(text).map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }
}
