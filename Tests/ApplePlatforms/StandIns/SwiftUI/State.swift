// Declarations of Apple's SwiftUI: property wrappers and the environment.

public import Foundation

public protocol DynamicProperty {}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) { standIn() }
    public init(initialValue value: Value) { standIn() }
    public var wrappedValue: Value {
        get { standIn() }
        nonmutating set { standIn() }
    }
    public var projectedValue: Binding<Value> { standIn() }
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    public init(
        @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
        @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) { standIn() }
    public var wrappedValue: Value {
        get { standIn() }
        nonmutating set { standIn() }
    }
    public static func constant(_ value: Value) -> Binding<Value> { standIn() }
    public var projectedValue: Binding<Value> { standIn() }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { standIn() }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
    @propertyWrapper
    public struct Binding {
        public init() { standIn() }
        public var wrappedValue: Value {
            get { standIn() }
            nonmutating set { standIn() }
        }
        public var projectedValue: FocusState<Value>.Binding { standIn() }
    }

    public init() where Value == Bool { standIn() }
    public var wrappedValue: Value {
        get { standIn() }
        nonmutating set { standIn() }
    }
    public var projectedValue: FocusState<Value>.Binding { standIn() }
}

@propertyWrapper
public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
    public init(wrappedValue: Value) { standIn() }
    public var wrappedValue: Value { standIn() }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { standIn() }
    public var wrappedValue: Value { standIn() }
}

extension Environment: Sendable where Value: Sendable {}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { standIn() }
        set { standIn() }
    }
    public var dismiss: DismissAction { standIn() }
    public var scenePhase: ScenePhase { standIn() }
    public var openURL: OpenURLAction {
        get { standIn() }
        set { standIn() }
    }
    public var accessibilityReduceMotion: Bool { standIn() }
    public var displayScale: CGFloat {
        get { standIn() }
        set { standIn() }
    }
    public var locale: Locale {
        get { standIn() }
        set { standIn() }
    }
    public var dynamicTypeSize: DynamicTypeSize {
        get { standIn() }
        set { standIn() }
    }
}

public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
    public var isAccessibilitySize: Bool { standIn() }
}

@MainActor @preconcurrency
public struct DismissAction {
    @MainActor @preconcurrency public func callAsFunction() { standIn() }
}

@MainActor @preconcurrency
public struct OpenURLAction {
    @MainActor @preconcurrency public func callAsFunction(_ url: URL) { standIn() }
}
