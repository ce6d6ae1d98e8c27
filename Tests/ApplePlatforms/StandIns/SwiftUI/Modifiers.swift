// Declarations of Apple's SwiftUI: modifiers.
//
// Each result is opaque, as it is documented, so that nothing depends on what it is.

public import CoreGraphics
public import Foundation

extension View {
    nonisolated public func modifier<T: ViewModifier>(_ modifier: T) -> ModifiedContent<Self, T> { standIn() }
    nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { EmptyView?.none }
    nonisolated public func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View { EmptyView?.none }
    nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        EmptyView?.none
    }
}

// Appearance.
extension View {
    nonisolated public func font(_ font: Font?) -> some View { EmptyView?.none }
    nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { EmptyView?.none }
    nonisolated public func tint(_ tint: Color?) -> some View { EmptyView?.none }
    nonisolated public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        EmptyView?.none
    }
    nonisolated public func background<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> V
    ) -> some View { EmptyView?.none }
    nonisolated public func containerBackground<S: ShapeStyle>(
        _ style: S,
        for container: ContainerBackgroundPlacement
    ) -> some View { EmptyView?.none }
    nonisolated public func opacity(_ opacity: Double) -> some View { EmptyView?.none }
    nonisolated public func lineLimit(_ number: Int?) -> some View { EmptyView?.none }
    nonisolated public func minimumScaleFactor(_ factor: CGFloat) -> some View { EmptyView?.none }
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { EmptyView?.none }
    nonisolated public func frame(
        width: CGFloat? = nil,
        height: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { EmptyView?.none }
    nonisolated public func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { EmptyView?.none }
    nonisolated public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View {
        EmptyView?.none
    }
    nonisolated public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View { EmptyView?.none }
    nonisolated public func scaledToFit() -> some View { EmptyView?.none }
    nonisolated public func scaledToFill() -> some View { EmptyView?.none }
    nonisolated public func overlay<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> V
    ) -> some View { EmptyView?.none }
    nonisolated public func safeAreaInset<V: View>(
        edge: VerticalEdge,
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View { EmptyView?.none }
    nonisolated public func disabled(_ disabled: Bool) -> some View { EmptyView?.none }
    nonisolated public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { EmptyView?.none }
    nonisolated public func dynamicTypeSize<T: RangeExpression<DynamicTypeSize>>(_ range: T) -> some View {
        EmptyView?.none
    }
    nonisolated public func redacted(reason: RedactionReasons) -> some View { EmptyView?.none }
}

public struct ContainerBackgroundPlacement: Sendable {}

public struct RedactionReasons: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { standIn() }
    public static let placeholder: RedactionReasons = { standIn() }()
}

// Work.
extension View {
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { EmptyView?.none }
    nonisolated public func task<T: Equatable>(
        id value: T,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { EmptyView?.none }
    nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { EmptyView?.none }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView?.none }
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView?.none }
    nonisolated public func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping () -> Void
    ) -> some View { EmptyView?.none }
    nonisolated public func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View { EmptyView?.none }
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { EmptyView?.none }
    nonisolated public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping (() -> Void)) -> some View {
        EmptyView?.none
    }
}

public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { standIn() }
    public static let text: SubmitTriggers = { standIn() }()
    public static let search: SubmitTriggers = { standIn() }()
}

// Search, actions, and presentation.
extension View {
    @_disfavoredOverload
    nonisolated public func searchable<S: StringProtocol>(
        text: Binding<String>,
        placement: SearchFieldPlacement = .automatic,
        prompt: S
    ) -> some View { EmptyView?.none }
    nonisolated public func searchScopes<V: Hashable, S: View>(
        _ scope: Binding<V>,
        @ViewBuilder scopes: () -> S
    ) -> some View { EmptyView?.none }
    nonisolated public func searchScopes<V: Hashable, S: View>(
        _ scope: Binding<V>,
        activation: SearchScopeActivation,
        @ViewBuilder _ scopes: () -> S
    ) -> some View { EmptyView?.none }
    nonisolated public func searchFocused(_ binding: FocusState<Bool>.Binding) -> some View { EmptyView?.none }
    nonisolated public func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing,
        allowsFullSwipe: Bool = true,
        @ViewBuilder content: () -> T
    ) -> some View { EmptyView?.none }
    nonisolated public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
        EmptyView?.none
    }
    nonisolated public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { EmptyView?.none }
    nonisolated public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        EmptyView?.none
    }
    nonisolated public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { EmptyView?.none }
    nonisolated public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { EmptyView?.none }
    @_disfavoredOverload
    nonisolated public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View { EmptyView?.none }
    @_disfavoredOverload
    nonisolated public func confirmationDialog<S: StringProtocol, A: View, M: View, T>(
        _ title: S,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        presenting data: T?,
        @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View { EmptyView?.none }
    @_disfavoredOverload
    nonisolated public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { EmptyView?.none }
    nonisolated public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type,
        @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { EmptyView?.none }
}

public struct SearchFieldPlacement: Sendable {
    public static let automatic: SearchFieldPlacement = { standIn() }()
}
public struct SearchScopeActivation {
    public static var onSearchPresentation: SearchScopeActivation { standIn() }
}
public enum Visibility: Hashable, Sendable { case automatic, visible, hidden }

// Accessibility.
public struct AccessibilityAttachmentModifier: ViewModifier {
    public func body(content: Content) -> some View { EmptyView?.none }
}
public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore: AccessibilityChildBehavior = { standIn() }()
    public static let combine: AccessibilityChildBehavior = { standIn() }()
}
public struct AccessibilityTraits: SetAlgebra, Sendable {
    public typealias Element = AccessibilityTraits
    public static let isImage: AccessibilityTraits = { standIn() }()
    public init() { standIn() }
    public func contains(_ member: AccessibilityTraits) -> Bool { standIn() }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { standIn() }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits { standIn() }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits { standIn() }
    public mutating func insert(
        _ newMember: AccessibilityTraits
    ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) { standIn() }
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? { standIn() }
    public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? { standIn() }
    public mutating func formUnion(_ other: AccessibilityTraits) { standIn() }
    public mutating func formIntersection(_ other: AccessibilityTraits) { standIn() }
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) { standIn() }
    public static func == (left: AccessibilityTraits, right: AccessibilityTraits) -> Bool { standIn() }
}

extension View {
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        EmptyView?.none
    }
    @_disfavoredOverload
    nonisolated public func accessibilityLabel<S: StringProtocol>(
        _ label: S
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { standIn() }
    nonisolated public func accessibilityIgnoresInvertColors(_ active: Bool = true) -> some View { EmptyView?.none }
    nonisolated public func speechSpellsOutCharacters(_ value: Bool = true) -> some View { EmptyView?.none }
    @_disfavoredOverload
    nonisolated public func help<S: StringProtocol>(_ text: S) -> some View { EmptyView?.none }
    nonisolated public func accessibilityHidden(
        _ hidden: Bool
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { standIn() }
    nonisolated public func accessibilityAddTraits(
        _ traits: AccessibilityTraits
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { standIn() }
}

@discardableResult
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    standIn()
}

public struct Animation: Equatable, Sendable {
    public static let `default`: Animation = { standIn() }()
}
