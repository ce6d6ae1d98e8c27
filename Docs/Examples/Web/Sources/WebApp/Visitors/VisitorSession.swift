import BrowseData
import BrowseKit
import ServerStores
import Synchronization

/// What belongs to one visitor: containers, and the sign-in in progress.
///
/// There is a container for each language. They share the session, the stars, and the favorites.
final class VisitorSession: Sendable {
    private struct State {
        var containers: [SiteLanguage: Container] = [:]
        var task: Task<Void, Never>?
    }

    private let site: Container
    private let stores: VisitorStores
    private let state = Mutex(State())
    /// The sign-in that was stored or read last.
    @MainActor private var stored: PendingSignIn?
    @MainActor private var signIn: (language: Texts.Language, model: SignInViewModel<GitHub.User>)?

    /// Creates a session with stores of its own on the services of the site.
    init(site: Container, stores: VisitorStores) { (self.site, self.stores) = (site, stores) }

    deinit {
        state.withLock { $0.task?.cancel() }
    }

    func container(in language: SiteLanguage) -> Container {
        state.withLock { state in
            if let container = state.containers[language] { return container }
            // Docs/Decisions/0036 explains what visitors share.
            let known = state.containers.values.first?.localized(for: language.locale)
            let container = known ?? site.container(for: stores.user, locale: language.locale)
            if known == nil { stores.adjust(container) }
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

    /// Whether a sign-in is in progress, until it expires.
    @MainActor var isSigningIn: Bool { signIn?.model.pending.map { $0.expiresAt.timeIntervalSinceNow > 0 } ?? false }

    /// Stores the sign-in that a view model has started or ended, so that any process can finish it.
    ///
    /// If that fails, this process still can.
    @MainActor
    func save(_ model: SignInViewModel<GitHub.User>) async {
        let pending = model.pending
        do { try await stores.signIn.save(pending) } catch { return }
        stored = pending
    }

    /// Takes the stored sign-in; returns whether it's a view model's, which no other request can finish.
    @MainActor
    func take(_ model: SignInViewModel<GitHub.User>) async throws -> Bool {
        guard let pending = model.pending else { return false }
        return try await stores.signIn.take() == pending
    }

    /// Starts to sign in with a code, and returns once there is one.
    @MainActor
    func signInByCode(_ model: SignInViewModel<GitHub.User>) async {
        await untilPending(model) { await model.signInByCode() }
        await save(model)
    }

    /// Stores a star that the visitor set while signed out.
    ///
    /// It waits nowhere else: any process can sign in, also on a page that isn't for the star.
    func save(_ star: GitHub.Repo) async {
        do { try await stores.star.save(.waiting(star)) } catch { return }
        discardPendingStars()
    }

    /// Whether a star waits for the visitor to sign in.
    var hasStar: Bool {
        get async { if case .waiting? = try? await stores.star.load() { true } else { false } }
    }

    /// Forgets a star that waits for the visitor to sign in.
    func forgetStar() async {
        if await hasStar { try? await stores.star.save(nil) }
        // One that couldn't be stored waits in this process.
        discardPendingStars()
    }

    private func discardPendingStars() {
        state.withLock { $0.containers.values.first }?.gitHubSession().stars.discardPending()
    }

    /// Writes the star that was set before the sign-in, and stores its outcome for the next page.
    func finishStar(in container: Container, atMost limit: Duration) async {
        guard case .waiting(let old)? = try? await stores.star.take() else { return }
        // Not canceled with the caller: the star was taken from its store.
        let work = Task {
            await container.gitHubSession().stars.setStarred(true, for: old)?.outcome ?? .cancelled
        }
        let outcome = await work.value(orAfter: limit, clock: container.configuration.clock)
        let texts = container.texts()
        let text: String? =
            switch outcome {
            case .stored: texts(.starred)
            case .undone(let error), .unconfirmed(let error):
                texts(.notStarred(texts.text(of: texts.message(for: error))))
            // The row shows it when it's known.
            case .cancelled, nil: nil
            }
        try? await stores.star.save(text.map(EarlyStar.ended))
    }

    /// Stores a text for the next page.
    func save(outcome text: String) async { try? await stores.star.save(.ended(text)) }

    /// Returns the outcome of a star that was set before the sign-in, once.
    func takeStarOutcome() async -> String? {
        // One that still waits stays: pages are opened during the sign-in, too.
        guard case .ended? = try? await stores.star.load(), case .ended(let text)? = try? await stores.star.take()
        else { return nil }
        return text
    }

    /// Continues a sign-in that another process has started, and forgets one that another has ended.
    @MainActor
    func resume(_ model: SignInViewModel<GitHub.User>) async {
        let known = stored
        let latest: PendingSignIn?
        do { latest = try await stores.signIn.load() } catch { return }
        guard latest != model.pending else { return }
        // One that isn't stored, or wasn't when the store was asked, is from this process.
        if model.pending != nil, model.pending == known { model.cancel() }
        guard let latest, !model.isInProgress else { return }
        stored = latest
        await untilPending(model) { await model.resume(latest) }
    }

    /// Runs a sign-in, and returns when it's pending or has ended. Once it has ended, the stored one is deleted.
    @MainActor
    private func untilPending(
        _ model: SignInViewModel<GitHub.User>,
        _ signIn: @escaping @MainActor @Sendable () async -> Void
    ) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let language = self.signIn.map { $0.language == .korean ? SiteLanguage.korean : .english } ?? .english
        run { [weak self] in
            await signIn()
            end.yield()
            // Another process polls for the code if the task was canceled.
            guard await model.pending == nil, !Task.isCancelled else { return }
            await self?.save(model)
            guard case .signedIn = await model.state, let self else { return }
            await finishStar(in: container(in: language), atMost: .seconds(5))
        }
        let watcher = Task {
            for await _ in model.states where model.pending != nil { break }
            end.yield()
        }
        for await _ in ends { break }
        watcher.cancel()
    }

    /// Runs a task that no page waits for, in place of an earlier one.
    private func run(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let earlier = state.withLock { state in
            defer { state.task = task }
            return state.task
        }
        earlier?.cancel()
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
