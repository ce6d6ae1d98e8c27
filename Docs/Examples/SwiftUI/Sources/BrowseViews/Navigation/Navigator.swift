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

    /// The path to restore when the app is launched again; `nil` if it can't be encoded.
    ///
    /// It ends before the first app: that route contains the app, and the storage of a window is for small values.
    var encodedPath: Data? {
        let small = path.prefix { if case .appStore(.app) = $0.screen { false } else { true } }
        return try? JSONEncoder().encode(Array(small))
    }

    /// Restores a path, once; ignores one of another version of the app that can't be decoded.
    func restore(_ data: Data?) {
        guard !isRestored else { return }
        isRestored = true
        let decoder = JSONDecoder()
        decoder.userInfo[.destinationTypes] = Route.destinationTypes
        guard path.isEmpty, let data, let path = try? decoder.decode([Route].self, from: data) else { return }
        self.path = path
    }
}
