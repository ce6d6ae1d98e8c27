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
    }
}
