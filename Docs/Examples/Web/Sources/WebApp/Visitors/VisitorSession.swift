import BrowseData
import BrowseKit
import Synchronization

/// What belongs to one visitor: containers, and the sign-in in progress.
///
/// There is a container for each language. They share everything but texts: the session, the stars, and the favorites.
final class VisitorSession: Sendable {
    private struct State {
        var containers: [SiteLanguage: Container] = [:]
        var task: Task<Void, Never>?
    }

    private let site: Container
    private let stores: VisitorStores
    private let state = Mutex(State())
    @MainActor private var signIn: (language: Texts.Language, model: SignInViewModel<GitHub.User>)?

    /// Creates a session on the services of the site.
    ///
    /// - Parameters:
    ///   - site: The container whose services all visitors share.
    ///   - stores: Where the visitor's data is stored.
    init(site: Container, stores: VisitorStores) {
        self.site = site
        self.stores = stores
    }

    deinit {
        state.withLock { $0.task?.cancel() }
    }

    /// Returns the container in a language.
    func container(in language: SiteLanguage) -> Container {
        state.withLock { state in
            if let container = state.containers[language] { return container }
            let container =
                state.containers.values.first?.localized(for: language.locale) ?? makeContainer(in: language)
            state.containers[language] = container
            return container
        }
    }

    /// Returns the visitor's only view model for signing in.
    ///
    /// In another language, it's a new one, unless it's in use.
    @MainActor
    func signIn(in container: Container) -> SignInViewModel<GitHub.User> {
        let language = container.texts().language
        if let signIn, signIn.language == language || signIn.model.isInProgress { return signIn.model }
        let model = container.gitHubSignInViewModel()
        signIn = (language, model)
        return model
    }

    /// The view model for signing in, if its page was opened.
    @MainActor var currentSignIn: SignInViewModel<GitHub.User>? { signIn?.model }

    /// Runs a task that no page waits for, in place of an earlier one.
    func run(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let earlier = state.withLock { state in
            defer { state.task = task }
            return state.task
        }
        earlier?.cancel()
    }

    /// Creates the visitor's first container; Docs/Decisions/0036 explains what visitors share.
    private func makeContainer(in language: SiteLanguage) -> Container {
        let container = site.container(for: stores.user, locale: language.locale)
        stores.prepare(container)
        return container
    }
}

extension SignInViewModel<GitHub.User> {
    /// Whether leaving the view model would lose a sign-in.
    fileprivate var isInProgress: Bool {
        switch state {
        case .askingForCode, .waitingForCode, .waitingForBrowser, .signingIn: true
        case .idle, .signedIn, .signedOut, .failed: false
        }
    }
}
