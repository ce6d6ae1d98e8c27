import BrowseCore
import Foundation

extension Configuration {
    /// Creates a configuration with texts that don't depend on the machine.
    static func localized(_ locale: String = "en_US") -> Configuration {
        Configuration().with {
            $0.locale = Locale(identifier: locale)
            $0.timeZone = .gmt
        }
    }
}
