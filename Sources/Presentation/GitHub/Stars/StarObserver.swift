import BrowseDomain
import BrowseGitHubDomain
import BrowsePresentation

/// Observes the stars and the user of a session for a screen, and changes stars.
@MainActor
final class StarObserver {
    weak var screen: (any StarScreen)?
    let session: GitHub.SessionManager

    private let texts: Texts
    private var following: Task<Void, Never>?
    private var account: AccountObserver?
    /// The message about unknown stars: some couldn't be loaded, or one isn't confirmed.
    private var warning: Message?
    /// The last message about a missing session, which is outdated when somebody signs in.
    private var signInMessage: Message? { didSet { screen?.show(signInMessage) } }

    init(_ session: GitHub.SessionManager, texts: Texts) {
        self.session = session
        self.texts = texts
    }

    deinit { following?.cancel() }

    /// Observes the stars and the session, and loads the user and the stars again if that failed.
    ///
    /// - Parameters:
    ///   - isRefresh: Whether a refusal that was shown before is outdated.
    ///   - reloads: Whether known stars are loaded again, too.
    func follow(isRefresh: Bool = false, reloads: Bool = false) -> ScreenLoad? {
        let needsRetry = session.needsRetry
        if following == nil {
            following = Task { [weak self, changes = session.stars.changes] in
                for await ids in changes {
                    self?.screen?.starsDidChange(ids)
                    // A load has ended, or another screen has changed the star once more.
                    if ids.isEmpty || self?.isConfirmed == true { self?.updateWarning() }
                }
            }
            account = AccountObserver(session) { [weak self] in self?.receive($0, isOther: $1) }
        }
        // A screen that starts over has no message. The end of a retry shows it.
        if isRefresh || warning != nil && !needsRetry { screen?.show(warning) }
        guard reloads || needsRetry else { return nil }
        let load = ScreenLoad { [session] in
            if needsRetry { await session.retry() } else { await session.reloadContent() }
        }
        load.keep()
        return reloads ? load : nil
    }

    /// Updates the star of a row, and its count.
    func mark(_ row: inout RepoRow) {
        (row.isStarred, row.starCount) = session.stars.starState(of: row.repo, readAt: row.readAt)
        row.canStar = session.canStar(row.repo)
    }

    /// Returns the row of a repository that was read at an event.
    func row(_ repo: GitHub.Repo, readAt event: Int) -> RepoRow {
        var row = RepoRow(repo)
        row.readAt = event
        mark(&row)
        return row
    }

    /// Stars the repository of a row from a source, or removes the star. Returns when storing ends.
    ///
    /// - Returns: ``Route/signIn`` if a star needs a user, and nobody is signed in.
    func set(_ row: RepoRow, to isStarred: Bool, from source: Provenance?) async -> Route? {
        // Another repository can have the name of a stored one, however young the response is.
        let event = source?.isCurrent == false ? 0 : row.readAt
        if session.current == .restoring { _ = await session.settled }
        let current = session.current
        guard current != .restoring, current != .signedOut(.tokenRefused) else {
            // Signing in neither unlocks the device nor replaces the app's own token.
            signInMessage = current == .restoring ? texts.deviceLocked.ofChange : texts.message(for: .tokenRefused)
            return nil
        }
        let (write, isSignedIn) = session.stars.setStarred(isStarred, for: row.repo, readAt: event)
        guard let write, isSignedIn else {
            signInMessage = isStarred ? texts.starWaits : nil
            guard let write else { return nil }
            // It's written after the sign-in; if that's canceled, the notice is outdated.
            Task { [weak self] in
                let outcome = await write.outcome
                await self?.receive(outcome, of: row.id)
            }
            return .signIn
        }
        screen?.starsDidChange([row.id])
        // Not afterwards: a notice that appears meanwhile can be about another star.
        screen?.show(warning)
        await receive(write.outcome, of: row.id)
        return nil
    }

    private func receive(_ outcome: GitHub.StarStore.Outcome, of id: GitHub.Repo.ID) async {
        // The stream may deliver the change later.
        screen?.starsDidChange([id])
        guard screen?.shows(id) == true else { return }
        switch outcome {
        case .stored: updateWarning()
        case .undone(let error):
            // The row is to blame, and not the text that was searched for.
            var message = texts.withInput(false).message(for: error).ofChange
            message.title = texts(.starNotChangedTitle)
            screen?.show(message)
        case .unconfirmed:
            warning = texts.starUnconfirmed
            screen?.show(warning)
        case .cancelled: if case .signedOut(let reason) = await session.settled { explain(reason) }
        }
    }
}

extension StarObserver {
    private func receive(_ session: GitHub.Session, isOther: Bool) {
        // The scopes, and the explanation of a refusal, may have changed.
        screen?.starsDidChange(nil)
        // The failure of a load is told at its end.
        if isUnidentified || self.session.stars.failure == nil { updateWarning() }
        // The reason why nobody was signed in, or the request to sign in, is outdated. Another
        // message isn't: this can arrive after a star that waited for the sign-in has failed.
        if case .signingIn = session { screen?.hide(signInMessage) }
        guard isOther else { return }
        screen?.userDidChange(in: session)
        if case .signedOut(let reason) = session { explain(reason) }
    }

    /// Explains why the stars have disappeared; a list of the user's own does so in its status.
    private func explain(_ reason: SignOutReason) {
        let isExplained = reason != .requested && reason != .noSession && screen?.isPersonal == false
        signInMessage = isExplained ? texts.message(for: reason) : nil
    }

    private var isUnidentified: Bool {
        if case .unidentified = session.current { true } else { false }
    }

    /// Whether the star is known by now that this screen says isn't confirmed.
    private var isConfirmed: Bool { warning == texts.starUnconfirmed && !session.stars.needsReload }

    /// Says that stars may be missing, or that this screen's change isn't confirmed, until it is.
    ///
    /// A star that isn't known looks as if there were none.
    private func updateWarning() {
        let isMissing = isUnidentified || session.stars.failure != nil
        let isUnconfirmed = warning == texts.starUnconfirmed && session.stars.needsReload
        let message = isMissing ? texts.starsMissing : isUnconfirmed ? warning : nil
        guard message != nil || warning != nil else { return }
        // Another message, such as that GitHub refused a star, stays.
        if message == nil { screen?.hide(warning) } else { screen?.show(message) }
        warning = message
    }
}
