// Declarations of Apple's Foundation: JSON and dates, from developer.apple.com/documentation/foundation.

open class JSONSerialization: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static let mutableContainers = ReadingOptions(rawValue: 1)
        public static let fragmentsAllowed = ReadingOptions(rawValue: 4)
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static let prettyPrinted = WritingOptions(rawValue: 1)
        public static let sortedKeys = WritingOptions(rawValue: 2)
        public static let fragmentsAllowed = WritingOptions(rawValue: 4)
        public static let withoutEscapingSlashes = WritingOptions(rawValue: 8)
    }

    open class func isValidJSONObject(_ obj: Any) -> Bool { standIn() }
    open class func data(withJSONObject obj: Any, options opt: WritingOptions = []) throws -> Data { standIn() }
    open class func jsonObject(with data: Data, options opt: ReadingOptions = []) throws -> Any { standIn() }
}

open class Formatter: NSObject {}

open class ISO8601DateFormatter: Formatter, @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static let withInternetDateTime = Options(rawValue: 1)
        public static let withFractionalSeconds = Options(rawValue: 2)
    }

    public override init() { standIn() }
    open var formatOptions: Options {
        get { standIn() }
        set { standIn() }
    }
    open func string(from date: Date) -> String { standIn() }
    open func date(from string: String) -> Date? { standIn() }
}

open class PropertyListSerialization: NSObject {
    public enum PropertyListFormat: UInt, Sendable { case openStep = 1, xml = 100, binary = 200 }
    public struct ReadOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
    }
    open class func propertyList(
        from data: Data,
        options opt: ReadOptions = [],
        format: UnsafeMutablePointer<PropertyListFormat>?
    ) throws -> Any { standIn() }
}
