import BrowseKit
import BrowseSwiftUI
import SwiftUI

// Several sign-ins in one stack; the page "Build a SwiftUI app" shows it.

struct StackOfServices<Root: View, Writer: SessionUser, Letters: View>: View {
    private enum Service { case gitHub, letters }

    private let container: Container
    private let root: Root
    private let lettersSignIn: () -> SignInViewModel<Writer>
    private let letters: (Route.Destination) -> Letters
    /// The service of the screen that appeared last.
    @State private var service = Service.gitHub

    init(
        container: Container,
        @ViewBuilder root: () -> Root,
        lettersSignIn: @escaping () -> SignInViewModel<Writer>,
        @ViewBuilder letters: @escaping (Route.Destination) -> Letters
    ) {
        self.container = container
        self.root = root()
        self.lettersSignIn = lettersSignIn
        self.letters = letters
    }

    var body: some View {
        // Read here, because the sheet of the stack doesn't follow the state of this view.
        let current = service
        BrowseStack {
            // Also when a person goes back to it.
            root.onAppear { service = .gitHub }
        } screen: { route in
            switch route.screen {
            case .signIn:
                switch current {
                case .gitHub: SignInForm(container.gitHubSignInViewModel(), container: container)
                case .letters: SignInForm(lettersSignIn(), container: container)
                }
            case .other(let destination):
                letters(destination).onAppear { service = .letters }
            default:
                DestinationView(route: route, container: container).onAppear { service = .gitHub }
            }
        }
    }
}
