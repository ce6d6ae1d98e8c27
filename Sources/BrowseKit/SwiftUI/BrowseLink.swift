#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import BrowseCore
public import SwiftUI

/// A row or text that leads to a route; without one, only its label.
public struct BrowseLink<Label: View>: View {
    private let route: Route?
    private let label: Label
    @Environment(\.openBrowseRoute) private var openRoute

    /// Creates a link.
    public init(_ route: Route?, @ViewBuilder label: () -> Label) {
        self.route = route
        self.label = label()
    }

    /// The link.
    public var body: some View {
        switch route {
        case .webPage(let page)?:
            if let url = page.url {
                // Keeps the label's colors, as a navigation link does.
                Link(destination: url) { label }.foregroundStyle(Color.primary)
            } else {
                label
            }
        case let route? where route == .signIn || !openRoute.hasLinks:
            // A navigation link would push the sign-in, and ignore an app's own action.
            Button {
                openRoute(route)
            } label: {
                label
            }
            .foregroundStyle(Color.primary)
        case let route?: NavigationLink(value: route) { label }
        case nil: label
        }
    }
}
#endif
