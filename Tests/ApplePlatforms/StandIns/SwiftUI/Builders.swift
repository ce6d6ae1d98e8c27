// Declarations of Apple's SwiftUI as of iOS 18 and macOS 15, from developer.apple.com/documentation/swiftui: views and their builder.
//
// Views that are structs here belong to the main actor, as they conform to `View`; Apple's initializers are mostly nonisolated. The
// documentation doesn't show underscored attributes: initializers with texts are disfavored overloads, so that literals are keys for
// translation, and the actions of tasks and bindings inherit the actor, as Apple's samples need.

@_exported public import CoreGraphics

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension View where Body == Never {
    public var body: Never { standIn() }
}

extension Never: View {
    public typealias Body = Never
    public var body: Never { standIn() }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
}

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { standIn() }
    public static func buildBlock() -> EmptyView { standIn() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { standIn() }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        standIn()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { standIn() }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { standIn() }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { standIn() }
}

public struct EmptyView: View {
    public typealias Body = Never
    public init() { standIn() }
}

public struct TupleView<T>: View {
    public typealias Body = Never
}

public struct _ConditionalContent<TrueContent, FalseContent> {}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    public typealias Body = Never
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
    public typealias Body = Never
}

public struct ModifiedContent<Content, Modifier> {}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public typealias Body = Never
}

@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
}

@resultBuilder
public struct SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { standIn() }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { standIn() }
}

public struct WindowGroup<Content: View>: Scene {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) { standIn() }
}

extension Never: Scene {}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor @preconcurrency public static func main() { standIn() }
}

func standIn() -> Never { fatalError() }
