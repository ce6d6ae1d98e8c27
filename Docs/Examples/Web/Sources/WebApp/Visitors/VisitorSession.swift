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
            let container = makeContainer(in: language, sharing: state.containers.values.first)
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

    /// Creates a container; the first one of a visitor owns the session.
    ///
    /// Docs/Decisions/0036 explains what visitors share.
    private func makeContainer(in language: SiteLanguage, sharing first: Container?) -> Container {
        var configuration = site.configuration
        configuration.locale = language.locale
        let container = Container(configuration)
        container.transport.override { [site] _ in site.transport() }
        container.responseCache.override { [site] _ in site.responseCache() }
        container.imageRepository.override { [site] _ in site.imageRepository() }
        container.rickAndMortyClient.override { [site] _ in site.rickAndMortyClient() }
        container.appStoreClient.override { [site] _ in site.appStoreClient() }
        container.favoriteRepository.override { [stores] _ in stores.favorites }
        if let first {
            container.gitHubClient.override { _ in first.gitHubClient() }
            container.gitHubSession.override { _ in first.gitHubSession() }
        } else {
            container.gitHubMiddleware.override { [site] _ in site.gitHubMiddleware() }
            container.gitHubTokenStore.override { [stores] _ in stores.tokens }
            stores.prepare(container)
        }
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
