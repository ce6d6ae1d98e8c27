import BrowseDomain

extension AppStore {
    /// The rating of an app: the average, 0 to 5 stars, and the number of ratings.
    public struct Rating: Hashable, Codable, Sendable {
        /// The shape of a star.
        public enum Star: Hashable, Sendable {
            /// A filled star.
            case full
            /// A star whose left half is filled.
            case half
            /// A star that is only outlined.
            case empty
        }

        /// The average, 0 to 5, not rounded.
        public let average: Double
        /// The number of ratings; `nil` if unknown.
        public let count: Int?

        /// Creates a rating; the average is clamped to 0 through 5, and NaN becomes 0.
        public init(average: Double, count: Int? = nil) {
            self.average = average.isNaN ? 0 : min(max(average, 0), 5)
            self.count = count
        }

        /// Decodes a rating; the average is clamped to 0 through 5.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                average: try container.decode(Double.self, forKey: .average),
                count: try container.decodeIfPresent(Int.self, forKey: .count)
            )
        }

        /// Five stars for the average, rounded down to halves.
        public var stars: [Star] {
            (0..<5).map { index in
                let rest = average - Double(index)
                return rest >= 1 ? .full : rest >= 0.5 ? .half : .empty
            }
        }

        /// The average in tenths, 0 to 50, rounded down: 4.75 is 47.
        ///
        /// Rounding down never overstates a rating.
        public var tenths: Int {
            var tenths = Int(exactly: (average * 10).rounded(.down)) ?? 0
            // Rounding of the product can be off by a tenth. Division is exact enough: 47 / 10 equals the literal 4.7.
            while Double(tenths + 1) / 10 <= average { tenths += 1 }
            while Double(tenths) / 10 > average { tenths -= 1 }
            return tenths
        }
    }
}
