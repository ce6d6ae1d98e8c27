// Declarations of Apple's SwiftUI: containers and navigation.

public import CoreGraphics

public enum VerticalEdge: Int8, Sendable { case top, bottom }
public enum HorizontalEdge: Int8, Sendable { case leading, trailing }

public enum Edge: Int8, Sendable {
    case top, leading, bottom, trailing
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { standIn() }
        public static let all: Set = { standIn() }()
        public static let vertical: Set = { standIn() }()
        public static let leading: Set = { standIn() }()
    }
}

public enum Axis: Int8, Sendable {
    case horizontal, vertical
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { standIn() }
        public static let horizontal: Set = { standIn() }()
        public static let vertical: Set = { standIn() }()
    }
}

public struct HorizontalAlignment: Equatable, Sendable {
    public static let leading: HorizontalAlignment = { standIn() }()
    public static let trailing: HorizontalAlignment = { standIn() }()
    public static let center: HorizontalAlignment = { standIn() }()
}
public struct VerticalAlignment: Equatable, Sendable {
    public static let top: VerticalAlignment = { standIn() }()
    public static let center: VerticalAlignment = { standIn() }()
}
public struct Alignment: Equatable, Sendable {
    public static let leading: Alignment = { standIn() }()
    public static let center: Alignment = { standIn() }()
}

public struct HStack<Content: View>: View {
    public typealias Body = Never
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        standIn()
    }
}
public struct VStack<Content: View>: View {
    public typealias Body = Never
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        standIn()
    }
}
public struct ZStack<Content: View>: View {
    public typealias Body = Never
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) { standIn() }
}
public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { standIn() }
}
public struct LazyHStack<Content: View>: View {
    public typealias Body = Never
    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) { standIn() }
}
public struct Spacer: View {
    public typealias Body = Never
    public init(minLength: CGFloat? = nil) { standIn() }
}
public struct ScrollView<Content: View>: View {
    public typealias Body = Never
    public init(_ axes: Axis.Set = .vertical, @ViewBuilder content: () -> Content) { standIn() }
}
public struct Divider: View {
    public typealias Body = Never
    public init() { standIn() }
}
public struct ViewThatFits<Content: View>: View {
    public typealias Body = Never
    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) { standIn() }
}
public struct GeometryProxy {
    public var size: CGSize { standIn() }
}
public struct GeometryReader<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { standIn() }
}

public protocol Layout: Sendable {}
extension Layout {
    public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View { EmptyView?.none }
}
public struct AnyLayout: Layout {
    public init<L: Layout>(_ layout: L) { standIn() }
}
public struct HStackLayout: Layout {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) { standIn() }
}
public struct VStackLayout: Layout {
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) { standIn() }
}
public struct List<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Never { standIn() }
}
public struct Form<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) { standIn() }
}

public struct Section<Parent, Content, Footer> {}

extension Section: View where Parent: View, Content: View, Footer: View {
    public typealias Body = Never
    public init(
        @ViewBuilder content: () -> Content,
        @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) { standIn() }
}
extension Section where Parent: View, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) { standIn() }
}
extension Section where Parent == EmptyView, Content: View, Footer: View {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) { standIn() }
}
extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) { standIn() }
}
extension Section where Parent == Text, Content: View, Footer == EmptyView {
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) { standIn() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: View where Content: View {
    public typealias Body = Never
}
extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) { standIn() }
}
extension ForEach where Content: View {
    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) { standIn() }
}

public struct NavigationPath {}

public struct NavigationStack<Data, Root: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { standIn() }
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
        standIn()
    }
}

public struct NavigationLink<Label: View, Destination: View>: View {
    public typealias Body = Never
}

extension NavigationLink where Destination == Never {
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) { standIn() }
}

public struct TabView<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
    public init<C: TabContent>(
        selection: Binding<SelectionValue>,
        @TabContentBuilder<SelectionValue> content: () -> C
    ) where Content == TabContentBuilder<SelectionValue>.Content<C>, C.TabValue == SelectionValue { standIn() }
    public init<C: TabContent>(@TabContentBuilder<Never> content: () -> C)
    where SelectionValue == Never, Content == TabContentBuilder<Never>.Content<C> { standIn() }
}

@MainActor @preconcurrency
public protocol TabContent<TabValue> {
    associatedtype TabValue: Hashable
}

public struct DefaultTabLabel: View {
    public typealias Body = Never
}

public struct Tab<Value, Content, Label> {}

extension Tab: TabContent where Value: Hashable, Content: View, Label: View {
    public typealias TabValue = Value
}
extension Tab where Value: Hashable, Content: View, Label == DefaultTabLabel {
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        value: Value,
        @ViewBuilder content: () -> Content
    ) { standIn() }
}
extension Tab where Value == Never, Content: View, Label == DefaultTabLabel {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, @ViewBuilder content: () -> Content) { standIn() }
}

@resultBuilder
public struct TabContentBuilder<TabValue: Hashable> {
    public struct Content<C: TabContent>: View {
        public typealias Body = Never
    }
    /// The opaque result of Apple's.
    public struct Tuple: TabContent {}

    public static func buildExpression<C: TabContent<TabValue>>(_ content: C) -> C { standIn() }
    public static func buildBlock<C0, C1, C2>(_ c0: C0, _ c1: C1, _ c2: C2) -> Tuple
    where C0: TabContent<TabValue>, C1: TabContent<TabValue>, C2: TabContent<TabValue> { standIn() }
    public static func buildBlock<C0, C1, C2, C3, C4>(_ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4) -> Tuple
    where
        C0: TabContent<TabValue>, C1: TabContent<TabValue>, C2: TabContent<TabValue>, C3: TabContent<TabValue>,
        C4: TabContent<TabValue>
    { standIn() }
}

public protocol ToolbarContent {}

public struct ToolbarItemPlacement: Sendable {
    public static let automatic: ToolbarItemPlacement = { standIn() }()
    public static let cancellationAction: ToolbarItemPlacement = { standIn() }()
    public static let confirmationAction: ToolbarItemPlacement = { standIn() }()
}

public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) where ID == () {
        standIn()
    }
}

@resultBuilder
public struct ToolbarContentBuilder {
    /// The opaque result of Apple's.
    public struct Tuple: ToolbarContent {}

    public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { standIn() }
    public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> Content { standIn() }
    public static func buildBlock<C0: ToolbarContent, C1: ToolbarContent>(_ c0: C0, _ c1: C1) -> Tuple { standIn() }
}
