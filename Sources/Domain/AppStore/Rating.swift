extension AppStore {
    /// How people rate an app: the average, from 0 to 5 stars, and how many of them did.
    public struct Rating: Hashable, Codable, Sendable {
        /// How a star is drawn.
        public enum Star: Hashable, Sendable {
            /// Filled.
            case full
            /// Half filled.
            case half
            /// Outlined.
            case empty
        }

        /// The average, 0 to 5, not rounded.
        public let average: Double
        /// How many people rated it; `nil` when the shop did not tell.
        public let count: Int?

        /// Creates a rating; an average outside of 0 to 5 counts as the nearest of them, and one that is no number as 0.
        public init(average: Double, count: Int? = nil) {
            self.average = average.isNaN ? 0 : min(max(average, 0), 5)
            self.count = count
        }

        /// Decodes a rating, with the average clamped to 0 to 5.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                average: try container.decode(Double.self, forKey: .average),
                count: try container.decodeIfPresent(Int.self, forKey: .count)
            )
        }

        /// Five stars, of the unrounded average; what is left of a star shows as half from .5 up, and not at all below.
        public var stars: [Star] {
            (0..<5).map { index in
                let rest = average - Double(index)
                return rest >= 1 ? .full : rest >= 0.5 ? .half : .empty
            }
        }

        /// The average in whole tenths, 0 to 50, rounded down: 4.75 is 47.
        ///
        /// A rating is never shown as better than it is.
        public var tenths: Int {
            var tenths = Int(exactly: (average * 10).rounded(.down)) ?? 0
            // The product is rounded, so that what looks like 4.7 may be a tenth too little or too much. A division of whole
            // numbers gives the nearest value there is, which is what reading "4.7" gives too.
            while Double(tenths + 1) / 10 <= average { tenths += 1 }
            while Double(tenths) / 10 > average { tenths -= 1 }
            return tenths
        }
    }
}
