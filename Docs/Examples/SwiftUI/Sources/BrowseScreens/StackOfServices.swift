import BrowseKit
import BrowseSwiftUI
import SwiftUI

// Several sign-ins in one stack; the page "Sign in with SwiftUI" shows it.

struct StackOfServices<Root: View, Letters: View, SignIn: View>: View {
    enum Service { case gitHub, letters }

    let container: Container
    /// The service of the root.
    let service: Service
    @ViewBuilder let root: Root
    @ViewBuilder let letters: (Route.Destination) -> Letters
    @ViewBuilder let lettersSignIn: () -> SignIn
    /// The service of the screen that appeared last.
    @State private var current = Service.gitHub

    var body: some View {
        // Read here, because the sheet of the stack doesn't follow the state of this view.
        let asking = current
        BrowseStack {
            // Also when a person goes back to it.
            root.onAppear { current = service }
        } screen: { route in
            switch route.screen {
            case .signIn where asking == .letters: lettersSignIn()
            case .other(let destination): letters(destination).onAppear { current = .letters }
            default: DestinationView(route: route, container: container).onAppear { current = .gitHub }
            }
        }
    }
}
