// Declarations of Apple's SwiftUI: styles, scrolling, and text input.

public import CoreGraphics

public protocol LabelStyle {}
public struct IconOnlyLabelStyle: LabelStyle {}
extension LabelStyle where Self == IconOnlyLabelStyle {
    public static var iconOnly: IconOnlyLabelStyle { standIn() }
}

public protocol PrimitiveButtonStyle {}
public struct PlainButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { standIn() }
}

public protocol PickerStyle {}
public struct MenuPickerStyle: PickerStyle {}
extension PickerStyle where Self == MenuPickerStyle {
    public static var menu: MenuPickerStyle { standIn() }
}

public struct InlinePickerStyle: PickerStyle {}
extension PickerStyle where Self == InlinePickerStyle {
    public static var inline: InlinePickerStyle { standIn() }
}

public protocol FormStyle {}
public struct GroupedFormStyle: FormStyle {}
extension FormStyle where Self == GroupedFormStyle {
    public static var grouped: GroupedFormStyle { standIn() }
}

public protocol TabViewStyle {}
public struct SidebarAdaptableTabViewStyle: TabViewStyle {}
extension TabViewStyle where Self == SidebarAdaptableTabViewStyle {
    public static var sidebarAdaptable: SidebarAdaptableTabViewStyle { standIn() }
}

public protocol TextSelectability {}
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { standIn() }
}

public protocol ScrollTargetBehavior {}
public struct PagingScrollTargetBehavior: ScrollTargetBehavior {}
extension ScrollTargetBehavior where Self == PagingScrollTargetBehavior {
    public static var paging: PagingScrollTargetBehavior { standIn() }
}

public struct ScrollIndicatorVisibility {
    public static var hidden: ScrollIndicatorVisibility { standIn() }
}

public protocol PresentationSizing {}
public struct FormPresentationSizing: PresentationSizing {}
extension PresentationSizing where Self == FormPresentationSizing {
    public static var form: FormPresentationSizing { standIn() }
}

public struct UnitPoint: Hashable, Sendable {}

extension View {
    nonisolated public func labelStyle<S: LabelStyle>(_ style: S) -> some View { EmptyView?.none }
    nonisolated public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { EmptyView?.none }
    nonisolated public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { EmptyView?.none }
    nonisolated public func formStyle<S: FormStyle>(_ style: S) -> some View { EmptyView?.none }
    nonisolated public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View { EmptyView?.none }
    nonisolated public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { EmptyView?.none }
    nonisolated public func presentationSizing(_ sizing: some PresentationSizing) -> some View { EmptyView?.none }
    nonisolated public func scrollIndicators(
        _ visibility: ScrollIndicatorVisibility,
        axes: Axis.Set = [.vertical, .horizontal]
    ) -> some View { EmptyView?.none }
    nonisolated public func scrollTargetLayout(isEnabled: Bool = true) -> some View { EmptyView?.none }
    nonisolated public func scrollTargetBehavior(_ behavior: some ScrollTargetBehavior) -> some View { EmptyView?.none }
    nonisolated public func scrollPosition(id: Binding<(some Hashable)?>, anchor: UnitPoint? = nil) -> some View {
        EmptyView?.none
    }
    nonisolated public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View {
        EmptyView?.none
    }
    nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View { EmptyView?.none }
    nonisolated public func submitLabel(_ submitLabel: SubmitLabel) -> some View { EmptyView?.none }
}

public struct ToolbarTitleDisplayMode: Sendable {
    public static var inline: ToolbarTitleDisplayMode { standIn() }
}

extension View {
    nonisolated public func toolbarTitleDisplayMode(_ mode: ToolbarTitleDisplayMode) -> some View { EmptyView?.none }
}

public struct SubmitLabel: Sendable {
    public static var go: SubmitLabel { standIn() }
}

#if os(iOS)
public import UIKit

public struct TextInputAutocapitalization: Sendable {
    public static var never: TextInputAutocapitalization { standIn() }
}

extension View {
    nonisolated public func keyboardType(_ type: UIKeyboardType) -> some View { EmptyView?.none }
    nonisolated public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        EmptyView?.none
    }
}
#endif
