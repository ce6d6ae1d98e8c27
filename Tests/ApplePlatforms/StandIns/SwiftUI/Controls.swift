// Declarations of Apple's SwiftUI: controls.

public import Foundation

public struct ButtonRole: Equatable, Sendable {
    public static let destructive: ButtonRole = { standIn() }()
    public static let cancel: ButtonRole = { standIn() }()
}

public struct Button<Label: View>: View {
    public typealias Body = Never
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { standIn() }
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { standIn() }
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) { standIn() }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) { standIn() }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) { standIn() }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, action: @escaping @MainActor () -> Void) { standIn() }
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        role: ButtonRole?,
        action: @escaping @MainActor () -> Void
    ) { standIn() }
}

public struct Link<Label: View>: View {
    public typealias Body = Never
    public init(destination: URL, @ViewBuilder label: () -> Label) { standIn() }
}

extension Link where Label == Text {
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, destination: URL) { standIn() }
}

public struct TextField<Label: View>: View {
    public typealias Body = Never
}

extension TextField where Label == Text {
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>) { standIn() }
}

public struct SecureField<Label: View>: View {
    public typealias Body = Never
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>) where Label == Text { standIn() }
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
}

extension Picker where Label == Text {
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { standIn() }
}

public struct Menu<Label: View, Content: View>: View {
    public typealias Body = Never
}

extension Menu where Label == SwiftUI.Label<Text, Image> {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, @ViewBuilder content: () -> Content) { standIn() }
}

public struct LabeledContent<Label, Content> {}

extension LabeledContent: View where Label: View, Content: View {
    public typealias Body = Never
}

extension LabeledContent where Label == Text, Content: View {
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) { standIn() }
}

extension LabeledContent where Label == Text, Content == Text {
    @_disfavoredOverload
    public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) { standIn() }
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    public typealias Body = Never
    public init() where Label == EmptyView, CurrentValueLabel == EmptyView { standIn() }
    public init<S: StringProtocol>(_ title: S) where Label == Text, CurrentValueLabel == EmptyView { standIn() }
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0)
    where Label == EmptyView, CurrentValueLabel == EmptyView { standIn() }
}

public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    public typealias Body = Never
    public init(
        @ViewBuilder label: () -> Label,
        @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) { standIn() }
}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    public init(_ title: some StringProtocol, systemImage name: String, description: Text? = nil) { standIn() }
}

public struct DefaultShareLinkLabel: View {
    public typealias Body = Never
}

public struct ShareLink<Data: RandomAccessCollection, PreviewImage, PreviewIcon, Label: View>: View {
    public typealias Body = Never
}

extension ShareLink
where Data == CollectionOfOne<URL>, PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel {
    public init(item: URL, subject: Text? = nil, message: Text? = nil) { standIn() }
}
