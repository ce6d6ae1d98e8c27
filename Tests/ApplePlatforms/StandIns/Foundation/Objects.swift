// Declarations of Apple's Foundation: values as objects, and their bridges, from
// developer.apple.com/documentation/foundation.

open class NSString: NSObject, @unchecked Sendable {
    public override init() { standIn() }
    open var length: Int { standIn() }
    open var deletingPathExtension: String { standIn() }
    open var pathExtension: String { standIn() }
    open var lastPathComponent: String { standIn() }
    open var deletingLastPathComponent: String { standIn() }
    open func appendingPathComponent(_ text: String) -> String { standIn() }
}

open class NSData: NSObject, @unchecked Sendable {}
open class NSDate: NSObject, @unchecked Sendable {}
open class NSURL: NSObject, @unchecked Sendable {}
open class NSArray: NSObject {}
open class NSDictionary: NSObject {}
open class NSCoder: NSObject {}
open class NSNull: NSObject, @unchecked Sendable {}
open class NSValue: NSObject, @unchecked Sendable {}

open class NSNumber: NSValue, @unchecked Sendable {
    public init(value: Int) { standIn() }
    public init(value: Bool) { standIn() }
    public init(value: Double) { standIn() }
    open var boolValue: Bool { standIn() }
    open var doubleValue: Double { standIn() }
    open var int64Value: Int64 { standIn() }
    open var intValue: Int { standIn() }
    open var stringValue: String { standIn() }
    open var objCType: UnsafePointer<CChar> { standIn() }
}

open class UserDefaults: NSObject {
    public init?(suiteName suitename: String?) { standIn() }
    open class var standard: UserDefaults { standIn() }
    open func string(forKey defaultName: String) -> String? { standIn() }
    open func set(_ value: Any?, forKey defaultName: String) { standIn() }
}

open class NSError: NSObject, Error, @unchecked Sendable {
    public init(domain: String, code: Int, userInfo dict: [String: Any]? = nil) { standIn() }
    open var domain: String { standIn() }
    open var code: Int { standIn() }
    open var userInfo: [String: Any] { standIn() }
    open var localizedDescription: String { standIn() }
    open var underlyingErrors: [any Error] { standIn() }
}

extension Error {
    public var localizedDescription: String { standIn() }
}

// The compiler calls these for `as NSError` and back.
public func _convertErrorToNSError(_ error: any Error) -> NSError { standIn() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { standIn() }

public let NSLocalizedDescriptionKey: String = ""
public let NSUnderlyingErrorKey: String = ""

// Core Foundation's types are distinct classes that are toll-free bridged to these; here they are the same.
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFData = NSData
public typealias CFBoolean = NSNumber
public typealias CFTypeRef = AnyObject
public nonisolated(unsafe) let kCFBooleanTrue: CFBoolean! = nil
public nonisolated(unsafe) let kCFBooleanFalse: CFBoolean! = nil

open class NSCache<KeyType: AnyObject, ObjectType: AnyObject>: NSObject {
    open func object(forKey key: KeyType) -> ObjectType? { standIn() }
    open func setObject(_ obj: ObjectType, forKey key: KeyType, cost g: Int) { standIn() }
    open func removeObject(forKey key: KeyType) { standIn() }
    open var totalCostLimit: Int {
        get { standIn() }
        set { standIn() }
    }
}

/// A value type that Swift converts to and from an Objective-C class with `as`.
public protocol Bridged: _ObjectiveCBridgeable {}

extension Bridged {
    public func _bridgeToObjectiveC() -> _ObjectiveCType { standIn() }
    public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) { standIn() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool {
        standIn()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { standIn() }
}

extension String: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSString }
extension Data: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSData }
extension Date: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSDate }
extension URL: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSURL }
extension Array: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSArray }
extension Dictionary: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSDictionary }
extension Bool: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSNumber }
extension Int: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSNumber }
extension Int64: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSNumber }
extension Double: @retroactive _ObjectiveCBridgeable, Bridged { public typealias _ObjectiveCType = NSNumber }

extension String {
    public init(format: String, _ arguments: any CVarArg...) { standIn() }
    public init(format: String, locale: Locale?, _ arguments: any CVarArg...) { standIn() }
}

extension NSData {
    public struct SearchOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static let backwards = SearchOptions(rawValue: 1)
        public static let anchored = SearchOptions(rawValue: 2)
    }
}

extension Data {
    public func range(
        of dataToFind: Data,
        options: NSData.SearchOptions = [],
        in range: Range<Index>? = nil
    ) -> Range<Index>? { standIn() }
}
