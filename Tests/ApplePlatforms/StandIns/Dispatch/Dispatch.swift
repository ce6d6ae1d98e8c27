// Declarations of Apple's Dispatch module, from developer.apple.com/documentation/dispatch.

public import ObjectiveC

open class DispatchObject: NSObject {
    public func activate() { standIn() }
    public func suspend() { standIn() }
    public func resume() { standIn() }
}

public struct DispatchQoS: Equatable, Sendable {
    public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
    public static let background = DispatchQoS()
    public static let utility = DispatchQoS()
    public static let `default` = DispatchQoS()
    public static let userInitiated = DispatchQoS()
    public static let userInteractive = DispatchQoS()
    public static let unspecified = DispatchQoS()
}

public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { standIn() }
    public static let barrier = DispatchWorkItemFlags(rawValue: 1)
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public struct DispatchTime: Comparable, Sendable {
    public let rawValue: UInt64
    public var uptimeNanoseconds: UInt64 { standIn() }
    public init(uptimeNanoseconds: UInt64) { standIn() }
    public static func now() -> DispatchTime { standIn() }
    public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)
    public static func < (left: DispatchTime, right: DispatchTime) -> Bool { standIn() }
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { standIn() }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { standIn() }
}

public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}

public final class DispatchSpecificKey<T> {
    public init() { standIn() }
}

extension DispatchSpecificKey: Sendable where T: Sendable {}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { standIn() }
        public static let concurrent = Attributes(rawValue: 1)
        public static let initiallyInactive = Attributes(rawValue: 2)
    }

    public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

    public class var main: DispatchQueue { standIn() }
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { standIn() }
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { standIn() }

    public convenience init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit,
        target: DispatchQueue? = nil
    ) { standIn() }

    public var label: String { standIn() }

    @preconcurrency
    public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { standIn() }

    @preconcurrency
    public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { standIn() }

    public func sync<T>(execute work: () throws -> T) rethrows -> T { standIn() }
    public func sync(execute block: () -> Void) { standIn() }
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) { standIn() }
    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { standIn() }
}

open class DispatchGroup: DispatchObject, @unchecked Sendable {
    public override init() { standIn() }
    public func enter() { standIn() }
    public func leave() { standIn() }
    @available(*, noasync) public func wait() { standIn() }
    @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { standIn() }

    @preconcurrency
    public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { standIn() }
}

open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) { standIn() }
    @discardableResult public func signal() -> Int { standIn() }
    @available(*, noasync) public func wait() { standIn() }
    @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { standIn() }
}

public protocol DispatchSourceProtocol: NSObjectProtocol {
    typealias DispatchSourceHandler = @convention(block) () -> Void

    func setEventHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
    func setCancelHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
    func cancel()
    func resume()
    func suspend()
    func activate()
    var handle: UInt { get }
    var mask: UInt { get }
    var data: UInt { get }
    var isCancelled: Bool { get }
}

extension DispatchSourceProtocol {
    public func setEventHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: DispatchSourceHandler?
    ) { standIn() }
    public func setCancelHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: DispatchSourceHandler?
    ) { standIn() }
    public func cancel() { standIn() }
    public func resume() { standIn() }
    public func suspend() { standIn() }
    public func activate() { standIn() }
    public var handle: UInt { standIn() }
    public var mask: UInt { standIn() }
    public var data: UInt { standIn() }
    public var isCancelled: Bool { standIn() }
}

public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {
    var data: DispatchSource.MemoryPressureEvent { get }
    var mask: DispatchSource.MemoryPressureEvent { get }
}

// Neither the class nor its protocols are Sendable.
open class DispatchSource: DispatchObject {
    public struct MemoryPressureEvent: OptionSet, RawRepresentable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static let normal = MemoryPressureEvent(rawValue: 1)
        public static let warning = MemoryPressureEvent(rawValue: 2)
        public static let critical = MemoryPressureEvent(rawValue: 4)
        public static let all: MemoryPressureEvent = [.normal, .warning, .critical]
    }

    public class func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent,
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure { standIn() }
}

func standIn() -> Never { fatalError() }

public enum DispatchPredicate {
    case onQueue(DispatchQueue)
    case onQueueAsBarrier(DispatchQueue)
    case notOnQueue(DispatchQueue)
}

public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) { standIn() }
