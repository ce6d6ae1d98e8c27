public import BrowseAppStoreDomain
import BrowseDomain
public import BrowsePresentation
import Foundation

extension Formats {
    /// Returns the average with one decimal, rounded down: 4.7 for 4.75.
    public func rating(_ rating: AppStore.Rating) -> String {
        // The tenths are rounded down already; the style must not round them up.
        (Double(rating.tenths) / 10).formatted(.number.precision(.fractionLength(1)).locale(locale))
    }
}
