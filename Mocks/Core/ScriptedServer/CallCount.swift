/// The number of requests that a stub expects.
public struct CallCount: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    let least: Int
    let most: Int?

    private init(least: Int, most: Int?) {
        self.least = max(0, least)
        self.most = most.map { max(0, $0) }
    }

    /// Creates a count that expects exactly a number of requests.
    public init(integerLiteral count: Int) {
        self.init(least: count, most: count)
    }

    /// Returns a count that expects exactly a number of requests.
    public static func exactly(_ count: Int) -> CallCount { CallCount(least: count, most: count) }

    /// Returns a count that expects a number of requests or more.
    public static func atLeast(_ count: Int) -> CallCount { CallCount(least: count, most: nil) }

    /// Returns a count that expects a number of requests or fewer.
    public static func atMost(_ count: Int) -> CallCount { CallCount(least: 0, most: count) }

    /// A count that accepts any number of requests, including zero: for an optional stub.
    public static var any: CallCount { atLeast(0) }

    /// A count that accepts no request: each one that the stub is selected for is unexpected.
    public static var never: CallCount { exactly(0) }

    /// The expected number in words.
    public var description: String {
        switch (least, most) {
        case (0, 0): "never"
        case (let least, let most?) where least == most: "exactly \(Self.times(least))"
        case (0, let most?): "at most \(Self.times(most))"
        case (let least, let most?): "\(least) to \(most) times"
        case (0, nil): "any number of times"
        case (let least, nil): "at least \(Self.times(least))"
        }
    }

    static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
