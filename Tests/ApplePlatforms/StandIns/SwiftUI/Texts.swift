// Declarations of Apple's SwiftUI: texts, images, shapes, and styles.

public import CoreGraphics
public import Foundation

public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { standIn() }
}

public struct Text: View, Equatable {
    public typealias Body = Never
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { standIn() }
    public init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) {
        standIn()
    }
    public init(_ attributedContent: AttributedString) { standIn() }
    nonisolated public static func == (left: Text, right: Text) -> Bool { standIn() }
}

public struct Image: View, Equatable {
    public typealias Body = Never
    public enum Orientation: UInt8, Sendable { case up }
    public enum ResizingMode: Sendable { case tile, stretch }
    public init(systemName: String) { standIn() }
    public init(_ cgImage: CGImage, scale: CGFloat, orientation: Orientation = .up, label: Text) { standIn() }
    public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Orientation = .up) { standIn() }
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image { standIn() }
    nonisolated public static func == (left: Image, right: Image) -> Bool { standIn() }
}

public struct EdgeInsets: Equatable, Sendable {
    public init() { standIn() }
}

public struct Label<Title: View, Icon: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { standIn() }
}

extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) { standIn() }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) { standIn() }
}

public protocol ShapeStyle: Sendable {}

public struct Color: View, ShapeStyle, Hashable {
    public typealias Body = Never
    nonisolated public static func == (left: Color, right: Color) -> Bool { standIn() }
    nonisolated public func hash(into hasher: inout Hasher) { standIn() }
}

extension Color {
    nonisolated public static let red: Color = { standIn() }()
    nonisolated public static let pink: Color = { standIn() }()
    nonisolated public static let orange: Color = { standIn() }()
    nonisolated public static let primary: Color = { standIn() }()
}

public struct HierarchicalShapeStyle: ShapeStyle {}
public struct Material: ShapeStyle {}
public struct BackgroundStyle: ShapeStyle {}

extension ShapeStyle where Self == Color {
    public static var red: Color { standIn() }
    public static var pink: Color { standIn() }
    public static var orange: Color { standIn() }
}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { standIn() }
    public static var secondary: HierarchicalShapeStyle { standIn() }
    public static var tertiary: HierarchicalShapeStyle { standIn() }
    public static var quaternary: HierarchicalShapeStyle { standIn() }
}
extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { standIn() }
}
extension ShapeStyle where Self == Material {
    public static var regularMaterial: Material { standIn() }
}

public protocol Shape: Sendable, View {}

extension Shape {
    nonisolated public func fill<S: ShapeStyle>(_ content: S) -> some View { EmptyView?.none }
}

public struct Rectangle: Shape {
    public typealias Body = Never
    nonisolated public init() { standIn() }
}

public struct RoundedRectangle: Shape {
    public typealias Body = Never
}

public struct FillStyle: Equatable, Sendable {
    public init(eoFill: Bool = false, antialiased: Bool = true) { standIn() }
}

public enum RoundedCornerStyle: Sendable { case circular, continuous }

extension Shape where Self == Rectangle {
    nonisolated public static var rect: Rectangle { standIn() }
}
extension Shape where Self == RoundedRectangle {
    nonisolated public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) -> Self { standIn() }
}

public struct Font: Hashable, Sendable {
    public static let largeTitle: Font = { standIn() }()
    public static let caption: Font = { standIn() }()
    public static let headline: Font = { standIn() }()
    public static let subheadline: Font = { standIn() }()
    public static let footnote: Font = { standIn() }()
    public func monospaced() -> Font { standIn() }
}
