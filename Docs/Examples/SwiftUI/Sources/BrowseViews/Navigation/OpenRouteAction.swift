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
/// openRoute(model.showOrigin())
/// ```
struct OpenRouteAction: Sendable {
    private let open: @MainActor (Route) -> Void

    init(_ open: @escaping @MainActor (Route) -> Void) {
        self.open = open
    }

    @MainActor
    func callAsFunction(_ route: Route?) {
        if let route { open(route) }
    }
}

extension EnvironmentValues {
    /// Opens a route in the navigation stack of the view.
    @Entry var openRoute: OpenRouteAction = OpenRouteAction { _ in }
    /// The texts in the language of the app's configuration.
    @Entry var texts: Texts = Texts(locale: .current, timeZone: .current)
}
