import Foundation

extension HTTPDate {
    static func date(_ text: String) -> Date? {
        seconds(text).map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }
}
