// Declarations of Apple's ObjectiveC module, from developer.apple.com/documentation/objectivec.

public protocol NSObjectProtocol: AnyObject {
    func isEqual(_ object: Any?) -> Bool
    var hash: Int { get }
    var superclass: AnyClass? { get }
    func isKind(of aClass: AnyClass) -> Bool
    func isMember(of aClass: AnyClass) -> Bool
    var description: String { get }
    var debugDescription: String { get }
}

open class NSObject: NSObjectProtocol, Equatable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    public init() { standIn() }
    open func isEqual(_ object: Any?) -> Bool { standIn() }
    open var hash: Int { standIn() }
    open var superclass: AnyClass? { standIn() }
    open func isKind(of aClass: AnyClass) -> Bool { standIn() }
    open func isMember(of aClass: AnyClass) -> Bool { standIn() }
    open var description: String { standIn() }
    open var debugDescription: String { standIn() }
    open func copy() -> Any { standIn() }
    open func mutableCopy() -> Any { standIn() }
    public static func == (left: NSObject, right: NSObject) -> Bool { standIn() }
    public func hash(into hasher: inout Hasher) { standIn() }
}

@discardableResult
public func autoreleasepool<Result, E: Error>(invoking body: () throws(E) -> Result) throws(E) -> Result { standIn() }

/// The body of all declarations; stand-ins are never linked or run.
func standIn() -> Never { fatalError() }
