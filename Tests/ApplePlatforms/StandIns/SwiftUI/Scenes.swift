// Declarations of Apple's SwiftUI: scenes, widgets, commands, and values of the scene.

@_exported public import Observation
public import CoreGraphics
public import Foundation

#if os(macOS)
public import AppKit

@MainActor @preconcurrency @propertyWrapper
public struct NSApplicationDelegateAdaptor<DelegateType: NSObject & NSApplicationDelegate>: DynamicProperty {
    @MainActor @preconcurrency public var wrappedValue: DelegateType { standIn() }
    @MainActor @preconcurrency public init(_ delegateType: DelegateType.Type = DelegateType.self) { standIn() }
}
#endif

@MainActor @preconcurrency
public protocol Commands {
    associatedtype Body: Commands
    @CommandsBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Commands where Body == Never {
    public var body: Never { standIn() }
}

extension Never: Commands {}

@resultBuilder
public struct CommandsBuilder {
    /// The opaque result of Apple's.
    public struct Tuple: Commands {
        public typealias Body = Never
    }

    public static func buildExpression<Content: Commands>(_ content: Content) -> Content { standIn() }
    public static func buildBlock<C: Commands>(_ content: C) -> C { standIn() }
    public static func buildBlock<C0: Commands, C1: Commands>(_ c0: C0, _ c1: C1) -> Tuple { standIn() }
}

public struct CommandGroupPlacement: Sendable {
    public static let sidebar: CommandGroupPlacement = { standIn() }()
    public static let toolbar: CommandGroupPlacement = { standIn() }()
}

public struct CommandGroup<Content: View>: Commands {
    public typealias Body = Never
    nonisolated public init(before group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) { standIn() }
    nonisolated public init(after group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) { standIn() }
}

public struct SidebarCommands: Commands {
    public typealias Body = Never
    nonisolated public init() { standIn() }
}

@MainActor @preconcurrency
public protocol Widget {
    associatedtype Body: WidgetConfiguration
    @MainActor @preconcurrency init()
    @MainActor @preconcurrency var body: Body { get }
}

@MainActor @preconcurrency
public protocol WidgetConfiguration {
    associatedtype Body: WidgetConfiguration
}

extension Never: WidgetConfiguration {}

extension Scene {
    nonisolated public func commands<Content: Commands>(@CommandsBuilder content: () -> Content) -> some Scene {
        let none: Never = standIn()
        return none
    }
}

public struct FocusedValues {}

@propertyWrapper
public struct FocusedBinding<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<FocusedValues, Binding<Value>?>) { standIn() }
    public var wrappedValue: Value? {
        get { standIn() }
        nonmutating set { standIn() }
    }
    public var projectedValue: Binding<Value?> { standIn() }
}

@propertyWrapper
public struct SceneStorage<Value>: DynamicProperty {
    public var wrappedValue: Value {
        get { standIn() }
        nonmutating set { standIn() }
    }
    public var projectedValue: Binding<Value> { standIn() }
    public init(wrappedValue: Value, _ key: String) where Value: RawRepresentable, Value.RawValue == String {
        standIn()
    }
    public init(wrappedValue: Value, _ key: String) where Value == String { standIn() }
}

extension View {
    nonisolated public func focusedSceneValue<T>(_ keyPath: WritableKeyPath<FocusedValues, T?>, _ value: T) -> some View
    {
        EmptyView?.none
    }
}

public struct KeyEquivalent: Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    public static let leftArrow: KeyEquivalent = { standIn() }()
    public static let rightArrow: KeyEquivalent = { standIn() }()
    public init(_ character: Character) { standIn() }
    public init(extendedGraphemeClusterLiteral: Character) { standIn() }
}

public struct EventModifiers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { standIn() }
    public static let command: EventModifiers = { standIn() }()
}

extension View {
    nonisolated public func keyboardShortcut(
        _ key: KeyEquivalent,
        modifiers: EventModifiers = .command
    ) -> some View { EmptyView?.none }
}

public enum ScenePhase: Comparable, Sendable {
    case background, inactive, active
}
