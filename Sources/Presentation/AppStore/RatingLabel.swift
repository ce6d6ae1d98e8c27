public import BrowseAppStoreDomain
package import BrowsePresentation
import Foundation

/// A localized rating.
public struct RatingLabel: Hashable, Sendable {
    /// The average with one decimal, rounded down: `4.7`.
    public let average: String
    /// Five stars.
    public let stars: [AppStore.Rating.Star]
    /// The number of ratings, such as `12K ratings`; `nil` if it's unknown.
    public let count: String?

    /// Localizes a rating; `nil` if nobody has rated the app, because the average is then zero.
    init?(_ rating: AppStore.Rating, texts: Texts) {
        guard rating.count.map({ $0 > 0 }) ?? (rating.average > 0) else { return nil }
        average = texts.formats.rating(rating)
        stars = rating.stars
        count = rating.count.map { texts(.ratingCount($0)) }
    }
}

extension Formats {
    /// Returns the average with one decimal, rounded down: 4.7 for 4.75.
    ///
    /// Rounding down never overstates a rating.
    package func rating(_ rating: AppStore.Rating) -> String {
        rating.average.formatted(.number.precision(.fractionLength(1)).rounded(rule: .down).locale(locale))
    }
}
