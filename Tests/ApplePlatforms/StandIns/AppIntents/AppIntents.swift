// Declarations of Apple's AppIntents, from developer.apple.com/documentation/appintents.

public import Foundation

public protocol IntentResult: Sendable {}

public protocol ProvidesDialog: IntentResult {}

public struct IntentDialog: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) { standIn() }
}

public struct IntentResultContainer: ProvidesDialog {}

extension IntentResult where Self == IntentResultContainer {
    public static func result(dialog: IntentDialog) -> Self { standIn() }
}

public protocol AppIntent: Sendable {
    associatedtype PerformResult: IntentResult
    static var title: LocalizedStringResource { get }
    init()
    func perform() async throws -> PerformResult
}

extension AppIntent {
    public typealias Parameter = IntentParameter
}

@propertyWrapper
public final class IntentParameter<Value: Sendable>: Sendable {
    public init(title: LocalizedStringResource) { standIn() }
    public var wrappedValue: Value {
        get { standIn() }
        set { standIn() }
    }
}

@propertyWrapper
public final class AppDependency<Value: Sendable>: Sendable {
    public init(key: AnyHashable? = nil, manager: AppDependencyManager = .shared) { standIn() }
    public var wrappedValue: Value { standIn() }
}

public final class AppDependencyManager: Sendable {
    public static let shared: AppDependencyManager = { standIn() }()
    public func add<Dependency: Sendable>(
        key: AnyHashable? = nil,
        dependency dependencyProvider: @autoclosure @escaping () -> Dependency
    ) { standIn() }
}

nonisolated func standIn() -> Never { fatalError() }
