// Declarations of Apple's DeveloperToolsSupport, which SwiftUI re-exports, from developer.apple.com/documentation/developertoolssupport.
//
// The macros `#Preview` and `@Entry` come with Xcode. The check replaces them by what they stand for: a value of this type, made by
// the initializer with the macro's parameters, and a computed property.

#if os(iOS)
public import UIKit
#endif

public struct PreviewTrait<T> {}

public struct Preview {
    public struct ViewTraits {}

    @MainActor
    public init(
        _ name: String? = nil,
        traits: PreviewTrait<ViewTraits>...,
        @ViewBuilder body: @escaping @MainActor () -> any View
    ) { standIn() }

    #if os(iOS)
    @MainActor @_disfavoredOverload
    public init(
        _ name: String? = nil,
        traits: PreviewTrait<ViewTraits>...,
        body: @escaping @MainActor () -> UIViewController
    ) { standIn() }
    #endif
}
