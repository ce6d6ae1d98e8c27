// Declarations of Apple's Foundation: queues, run loops, notifications, and streams, from
// developer.apple.com/documentation/foundation.

open class Operation: NSObject, @unchecked Sendable {
    open func start() { standIn() }
    open func main() { standIn() }
    open func cancel() { standIn() }
}

open class OperationQueue: NSObject, @unchecked Sendable {
    open class var main: OperationQueue { standIn() }
    open var maxConcurrentOperationCount: Int {
        get { standIn() }
        set { standIn() }
    }
    open var name: String? {
        get { standIn() }
        set { standIn() }
    }
    open func addOperation(_ op: Operation) { standIn() }
    @preconcurrency open func addOperation(_ block: @escaping @Sendable () -> Void) { standIn() }
}

open class Thread: NSObject {
    open class var current: Thread { standIn() }
    open class var isMainThread: Bool { standIn() }
    open class func sleep(forTimeInterval ti: TimeInterval) { standIn() }
    @preconcurrency open class func detachNewThread(_ block: @escaping @Sendable () -> Void) { standIn() }
    @preconcurrency public convenience init(block: @escaping @Sendable () -> Void) { standIn() }
    open func start() { standIn() }
    open var stackSize: Int {
        get { standIn() }
        set { standIn() }
    }
}

// Not Sendable.
open class RunLoop: NSObject {
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { standIn() }
        public static let `default` = Mode(rawValue: "")
        public static let common = Mode(rawValue: "")
    }

    @available(*, noasync) open class var current: RunLoop { standIn() }
    open class var main: RunLoop { standIn() }
    open var currentMode: RunLoop.Mode? { standIn() }
    open func perform(_ block: @escaping @Sendable () -> Void) { standIn() }
    open func perform(inModes modes: [RunLoop.Mode], block: @escaping @Sendable () -> Void) { standIn() }
    @available(*, noasync) open func run() { standIn() }
    @available(*, noasync) open func run(until limitDate: Date) { standIn() }
    @discardableResult
    @available(*, noasync) open func run(mode: RunLoop.Mode, before limitDate: Date) -> Bool { standIn() }
    open func getCFRunLoop() -> CFRunLoop { standIn() }
}

public final class CFRunLoop {}
public struct CFRunLoopMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: CFString
    public init(rawValue: CFString) { standIn() }
    public static let defaultMode: CFRunLoopMode! = nil
    public static let commonModes: CFRunLoopMode! = nil
}
public func CFRunLoopGetCurrent() -> CFRunLoop! { standIn() }
public func CFRunLoopPerformBlock(_ loop: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!) { standIn() }
public func CFRunLoopWakeUp(_ loop: CFRunLoop!) { standIn() }

open class NSLock: NSObject, @unchecked Sendable {
    open func lock() { standIn() }
    open func unlock() { standIn() }
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { standIn() }
}

open class NSRecursiveLock: NSObject, @unchecked Sendable {
    open func lock() { standIn() }
    open func unlock() { standIn() }
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { standIn() }
}

extension NSNotification {
    public struct Name: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(_ rawValue: String) { standIn() }
        public init(rawValue: String) { standIn() }
    }
}

open class NSNotification: NSObject {}

// Not Sendable.
public struct Notification {
    public typealias Name = NSNotification.Name
    public var name: Name
    public var object: Any?
    public var userInfo: [AnyHashable: Any]?
    public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) { standIn() }
}

@available(*, unavailable)
extension Notification: Sendable {}

open class NotificationCenter: NSObject, @unchecked Sendable {
    open class var `default`: NotificationCenter { standIn() }
    open func post(name: NSNotification.Name, object: Any?) { standIn() }
    open func post(name: NSNotification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) { standIn() }
    open func removeObserver(_ observer: Any) { standIn() }
    open func addObserver(
        forName name: NSNotification.Name?,
        object obj: Any?,
        queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol { standIn() }
}

// Not Sendable.
open class Stream: NSObject {
    open func open() { standIn() }
    open func close() { standIn() }
}

open class InputStream: Stream {
    public init(data: Data) { standIn() }
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { standIn() }
    open var hasBytesAvailable: Bool { standIn() }
}
