import BrowseKit
import SwiftUI

/// A row or text that leads to a route; without one, only its label.
struct RouteLink<Label: View>: View {
    let route: Route?
    @ViewBuilder let label: Label

    var body: some View {
        switch route {
        case .webPage(let page)?:
            if let url = page.url {
                // Keeps the label's colors, as a navigation link does.
                Link(destination: url) { label }.foregroundStyle(Color.primary)
            } else {
                label
            }
        case let route?: NavigationLink(value: route) { label }
        case nil: label
        }
    }
}
