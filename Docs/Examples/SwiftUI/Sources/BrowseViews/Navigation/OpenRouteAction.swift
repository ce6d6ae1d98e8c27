import BrowseKit
import Foundation
import SwiftUI

/// Opens a route, such as one that an intent of a view model returns; `nil` opens nothing.
///
/// Read it from the environment, as you do `openURL`:
///
/// ```
/// @Environment(\.openRoute) private var openRoute
/// …
/// openRoute(model.showFollowers())
/// ```
///
/// Actions of the same stack are equal. A closure in their place would be another one whenever the stack is evaluated, and all
/// views that read it would be evaluated again.
struct OpenRouteAction: Equatable, Sendable {
    private let navigator: Navigator?

    init(_ navigator: Navigator? = nil) {
        self.navigator = navigator
    }

    @MainActor
    func callAsFunction(_ route: Route?) {
        if let route { navigator?.open(route) }
    }

    static func == (left: OpenRouteAction, right: OpenRouteAction) -> Bool {
        left.navigator === right.navigator
    }
}

extension EnvironmentValues {
    /// Opens a route in the navigation stack of the view.
    @Entry var openRoute: OpenRouteAction = OpenRouteAction()
    /// The texts in the language of the app's configuration.
    @Entry var texts: Texts = Texts(locale: .current, timeZone: .current)
}
