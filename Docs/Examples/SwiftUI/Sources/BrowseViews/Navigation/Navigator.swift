import BrowseKit
import Foundation
import Observation

/// The navigation of a stack.
@MainActor @Observable
final class Navigator {
    /// The screens above the root.
    var path: [Route] = []
    /// Whether the sign-in is shown.
    var isSigningIn = false
    /// The page to open in the browser.
    var page: URL?
    @ObservationIgnored private var isRestored = false

    /// Opens a route in its own way: most are pushed.
    func open(_ route: Route) {
        switch route {
        case .signIn: isSigningIn = true
        case .webPage(let page): self.page = page.url
        default: path.append(route)
        }
    }

    /// The path to restore when the app is launched again: those of the routes, which contain no spaces.
    var storedPath: String { path.compactMap(\.path).joined(separator: " ") }

    /// Restores a path, once; ignores routes that this version of the app doesn't know.
    func restore(_ text: String) {
        guard !isRestored else { return }
        isRestored = true
        if path.isEmpty { path = text.split(separator: " ").compactMap { Route(path: String($0), among: .all) } }
    }
}
