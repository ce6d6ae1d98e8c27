import BrowseDomain
import BrowseGitHubDomain
public import BrowsePresentation

/// Marks the starred rows of one list, and observes the session for it.
@MainActor
final class StarMarks {
    /// The user of the session, as far as it's known.
    private enum User: Equatable {
        case undecided
        case signedOut
        /// The id is `nil` until the user is identified.
        case signedIn(GitHub.User.ID?)
    }

    /// The kind of list; `nil` for a search.
    var repoList: GitHub.RepoList?
    nonisolated var stars: GitHub.StarStore { session.stars }

    private weak var list: ListController<RepoRow>?
    private let session: GitHub.SessionManager
    private var following: [Task<Void, Never>] = []
    private var user = User.undecided
    /// Whether requests carry a token since the last sign-out.
    private var hadToken = false
    /// The event at which the first page was read.
    private var firstRead = 0

    /// Makes the rows of a list's pages, and changes their stars.
    init(session: GitHub.SessionManager, list: ListController<RepoRow>) {
        self.session = session
        self.list = list
        list.add(RowMarks(follow: follow(isRefresh:)))
        list.onChange(of: .star, set)
    }

    deinit {
        for task in following { task.cancel() }
    }

    /// Observes the stars and the session, and loads the user and the stars again if that failed.
    func follow(isRefresh: Bool) -> ScreenLoad? {
        let needsRetry = session.needsRetry
        if following.isEmpty {
            receive(session.current)
            following = [
                Task { [weak self, changes = stars.changes] in
                    for await ids in changes { self?.didChange(ids) }
                },
                Task { [weak self, sessions = session.sessions] in
                    for await session in sessions { self?.receive(session) }
                },
            ]
        }
        // Refreshing the starred repositories also updates the stars of all other lists.
        let reloads = isRefresh && repoList == .starred
        guard reloads || needsRetry else { return nil }
        let load = ScreenLoad { [session] in
            if needsRetry { await session.retry() } else { await session.reloadContent() }
        }
        load.keep()
        return reloads ? load : nil
    }

    /// The reason why nobody is signed in; `nil` if somebody is, or if that isn't known yet.
    var signOutReason: SignOutReason? {
        if case .signedOut(let reason) = session.current { reason } else { nil }
    }

    /// Makes the rows of a page that was read at an event. A cached page is older than all changes.
    func rows(of page: Page<GitHub.Repo>, readAt event: Int, from provenance: Provenance) -> Page<RepoRow> {
        let event = provenance.date == nil ? event : 0
        let ids = repoList == .starred ? Set(page.items.map(\.id)) : []
        if provenance.date == nil { stars.merge(ids, readAt: event) }
        var rows = page.map { row(of: $0, readAt: event) }
        if repoList == .starred, list?.pagedList.pageCount == 0 {
            firstRead = event
            rows.items = added().filter { !ids.contains($0.id) } + rows.items
        }
        return rows
    }

    /// The rows that were starred after the first page was read, the latest first.
    private func added() -> [RepoRow] { stars.added(since: firstRead).map(row) }

    /// Stars the repository of a row or removes the star. Returns when storing ends.
    ///
    /// - Returns: ``Route/signIn`` if a star needs a user, and nobody is signed in.
    func set(_ row: RepoRow, to isStarred: Bool) async -> Route? {
        if session.current == .restoring { _ = await session.settled }
        guard session.current != .restoring, signOutReason != .tokenRefused else {
            // Signing in neither unlocks the device nor replaces the app's own token.
            list?.show(signOutReason.map { list?.texts.message(for: $0) } ?? list?.texts.deviceLocked)
            return nil
        }
        let (write, isSignedIn) = stars.setStarred(isStarred, for: row.repo, readAt: row.readAt)
        guard let write, isSignedIn else {
            list?.show(isStarred ? list?.texts.starWaits : nil)
            // It's written after the sign-in; if that's canceled, the notice is outdated.
            if let write {
                Task { [weak self] in
                    let outcome = await write.outcome
                    self?.list?.show(nil)
                    await self?.show(outcome)
                }
            }
            return isStarred ? .signIn : nil
        }
        didChange([row.id])
        let outcome = await write.outcome
        // The stream may deliver the change later.
        didChange([row.id])
        await show(outcome)
        return nil
    }

    private func show(_ outcome: GitHub.StarStore.Outcome) async {
        switch outcome {
        case .stored: list?.show(nil)
        case .undone(let error):
            // The row is to blame, and not the text that was searched for.
            list?.show(list?.texts.withInput(false).message(for: error).ofChange)
        case .unconfirmed: list?.show(list?.texts.starUnconfirmed)
        case .cancelled: receive(await session.settled)
        }
    }
}

extension StarMarks {
    private func receive(_ session: GitHub.Session) {
        let newUser: User
        switch session {
        case .restoring: return
        case .signedOut:
            // Rows may have been loaded before the user was known.
            if user == .signedOut, hadToken, list?.pagedList.rows.isEmpty == false { userDidChange() }
            (newUser, hadToken) = (.signedOut, false)
        case .signingIn, .unidentified:
            hadToken = true
            newUser = user == .undecided ? .signedIn(nil) : user
        // The rows of another user stay until the stars are known.
        case .identified where user != .undecided && user != .signedIn(nil): return
        case .identified(let identified), .ready(let identified): newUser = .signedIn(identified.id)
        }
        let oldUser = user
        user = newUser
        guard oldUser != newUser else { return }
        // The explanation of a refusal may have changed.
        guard oldUser != .undecided else { return didChange([]) }
        // After a sign-in, a notice is about a star that waited for it.
        if oldUser != .signedOut { list?.show(nil) }
        if oldUser != .signedIn(nil) || newUser == .signedOut { userDidChange() }
        // Explains why the stars have disappeared. A list of the user's own explains it in its status.
        guard let reason = signOutReason, reason != .requested, reason != .noSession, !isPersonal else { return }
        list?.show(list?.texts.message(for: reason))
    }

    private var isPersonal: Bool { repoList == .own || repoList == .starred }

    private func row(of repo: GitHub.Repo, readAt event: Int) -> RepoRow {
        var row = RepoRow(repo)
        row.readAt = event
        mark(&row)
        return row
    }

    private func mark(_ row: inout RepoRow) {
        (row.isStarred, row.starCount) = stars.starState(of: row.repo, readAt: row.readAt)
        row.canStar = session.canStar(row.repo)
    }

    /// Updates the stars of the given rows; `nil` updates all rows. Rows without a star stay in the starred list until a refresh.
    private func didChange(_ ids: Set<GitHub.Repo.ID>?) {
        guard let list else { return }
        // A page in flight gets the new rows when it arrives.
        let hasRows = list.pagedList.pageCount > 0 || list.pagedList.loadedCount > 0
        let added = repoList == .starred && hasRows ? list.marked(added()) : []
        list.update { list in
            for row in added.reversed() { list.insert(row, at: 0) }
            guard let ids else { return list.updateAll { mark(&$0) } }
            for id in ids { list.update(id: id) { mark(&$0) } }
        }
    }

    /// Reloads rows that the new user may not be allowed to see.
    private func userDidChange() {
        guard let list, list.hasBegun else { return }
        // A page in flight may contain private repositories too.
        guard isPersonal || list.pagedList.phase == .loading || list.pagedList.rows.contains(where: \.isPrivate)
        else { return }
        list.restart().keep()
    }
}

extension RowMark {
    /// Whether the user has starred the row's repository.
    public static let star: RowMark = RowMark("star")
}

extension ListIntents where Row == RepoRow {
    /// Stars the repository of a row, or removes the star.
    ///
    /// For a signed-in user, the star and the count change at once, in all lists. Nothing is sent if GitHub is known to have that
    /// state. If storing fails, they change back; if its outcome is unknown, they stay. In both cases, the screen shows a notice.
    /// Returns when storing ends, or if the session can't be restored. The last of several changes wins.
    ///
    /// - Returns: `Route.signIn` for a star if nobody is signed in, which a notice says too; it's stored after signing in.
    @discardableResult
    public func setStar(_ id: Row.ID, to isStarred: Bool) async -> Route? { await set(.star, of: id, to: isStarred) }

    /// Stars the repository of a row, or removes the star if it's shown, like ``setStar(_:to:)``.
    @discardableResult
    public func toggleStar(_ id: Row.ID) async -> Route? {
        await setStar(id, to: row(id)?.isStarred != true)
    }
}

// swift-format-ignore
extension Phrase {
    /// The button that stars a repository.
    public static let star = Phrase("star.add", "Star", ko: "별표")
    /// The button that removes a star.
    public static let unstar = Phrase("star.remove", "Unstar", ko: "별표 해제")
    fileprivate static let starUnconfirmedTitle = Phrase("star.unconfirmed.title", "Star Not Confirmed", ko: "별표를 확인하지 못함")
    fileprivate static let starUnconfirmed = Phrase("star.unconfirmed",
        "GitHub didn’t respond, so the change may not be saved. Try again to check.",
        ko: "GitHub에서 응답이 없어 변경 사항이 저장되지 않았을 수 있습니다. 다시 시도해 확인하십시오.")
    fileprivate static let starWaitsTitle = Phrase("star.waits.title", "Sign In Required", ko: "로그인 필요")
    fileprivate static let starWaits = Phrase("star.waits", "Sign in to GitHub to save the star.",
        ko: "별표를 저장하려면 GitHub에 로그인하십시오.")
}

extension Texts {
    /// The message for a star that waits for a sign-in.
    package var starWaits: Message {
        message(.unauthorized, .starWaits, titled: .starWaitsTitle, action: .signIn)
    }

    /// The message for a star whose new state is unknown, because GitHub didn't respond.
    public var starUnconfirmed: Message {
        message(.offline, .starUnconfirmed, titled: .starUnconfirmedTitle, action: .retry)
    }
}
