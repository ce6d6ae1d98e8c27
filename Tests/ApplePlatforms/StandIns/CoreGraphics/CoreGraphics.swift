// Declarations of Apple's CoreGraphics, from developer.apple.com/documentation/coregraphics.

/// The compiler converts between this type and `Double`, by its name and its module's.
public struct CGFloat: Hashable, Comparable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, Sendable {
    public static var infinity: CGFloat { standIn() }
    public init(_ value: Double) { standIn() }
    public init(floatLiteral value: Double) { standIn() }
    public init(integerLiteral value: Int) { standIn() }
    public static func < (left: CGFloat, right: CGFloat) -> Bool { standIn() }
    public static func * (left: CGFloat, right: CGFloat) -> CGFloat { standIn() }
    public func rounded(_ rule: FloatingPointRoundingRule) -> CGFloat { standIn() }
}

extension Double {
    public init(_ value: CGFloat) { standIn() }
}

public struct CGSize: Equatable, Sendable {
    public var width: CGFloat { standIn() }
    public var height: CGFloat { standIn() }
}

public class CGImage {
    init() { standIn() }
    public var width: Int { standIn() }
    public var height: Int { standIn() }
    public var bytesPerRow: Int { standIn() }
}

func standIn() -> Never { fatalError() }
