import BrowseDomain
import BrowseGitHubDomain
import BrowsePresentation

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
    var repoList: GitHub.RepoList? {
        didSet { additions = [] }
    }

    private weak var list: ListController<RepoRow>?
    /// Repositories that were starred while the first page of the starred ones was in flight.
    private var additions: [RepoRow] = []
    private let session: GitHub.SessionManager
    private var stars: GitHub.StarStore { session.stars }
    private var following: [Task<Void, Never>] = []
    private var retrying: Task<Void, Never>?
    private var user = User.undecided
    private var readStart = 0
    /// Repositories that were read while their star was being written.
    private var doubtful: [GitHub.Repo.ID: (repo: GitHub.Repo, interval: GitHub.StarStore.ReadInterval)] = [:]
    /// The tasks that read such repositories again.
    private var rereads: [GitHub.Repo.ID: Task<Void, Never>] = [:]

    init(session: GitHub.SessionManager, list: ListController<RepoRow>) {
        self.session = session
        self.list = list
        list.onLoadEnd { [weak self] in self?.insertAdditions() }
    }

    deinit {
        retrying?.cancel()
        for task in following { task.cancel() }
        for task in rereads.values { task.cancel() }
    }

    /// Observes the stars and the session, and reloads those that failed to load.
    func follow(isRefresh: Bool) -> ScreenLoad? {
        followChanges()
        // Refreshing the starred repositories also updates the stars of all other lists.
        guard isRefresh, repoList == .starred else { return nil }
        let load = ScreenLoad { [session] in await session.reloadContent() }
        load.keep()
        return load
    }

    private func followChanges() {
        guard following.isEmpty else {
            guard stars.needsReload else { return }
            retrying?.cancel()
            retrying = Task { [session] in await session.retry() }
            return
        }
        receive(session.current)
        following = [
            Task { [weak self, changes = stars.changes] in
                for await change in changes { self?.receive(change) }
            },
            Task { [weak self, sessions = session.sessions] in
                for await session in sessions { self?.receive(session) }
            },
        ]
    }

    /// The reason why nobody is signed in; `nil` if somebody is, or if that isn't known yet.
    var signOutReason: SignOutReason? {
        if case .signedOut(let reason) = session.current { reason } else { nil }
    }

    /// Called before each page is fetched.
    func willFetch() { readStart = stars.beginRead() }

    /// Makes the rows of a page. The star counts of a cached page are old.
    func rows(of page: Page<GitHub.Repo>, from provenance: Provenance) -> Page<RepoRow> {
        let interval = provenance.date.map(stars.readInterval(cachedSince:)) ?? stars.endRead(from: readStart)
        if repoList == .starred, provenance.date == nil {
            stars.recordStarred(page.items.map(\.id), readDuring: interval)
        }
        return page.map { repo in
            recheck(repo, readDuring: interval)
            return row(of: repo, readDuring: interval)
        }
    }

    /// Stars the repository of a row or removes the star. Returns when storing ends.
    ///
    /// The store sends nothing if GitHub is known to have the wanted state.
    ///
    /// - Returns: ``Route/signIn`` if a star needs a user, and nobody is signed in.
    func set(_ row: RepoRow, to isStarred: Bool) async -> Route? {
        if session.current == .restoring { for await current in session.sessions where current != .restoring { break } }
        let answer = stars.setStarred(isStarred, for: row.repo, readDuring: row.readInterval)
        guard case .accepted(let write) = answer else {
            list?.show(nil)
            return isStarred ? .signIn : nil
        }
        didChange([row.id])
        let result = await write.result
        // The stream may deliver the change later.
        didChange([row.id])
        switch result {
        case .stored, .cancelled: list?.show(nil)
        case .undone(let error): list?.show(list?.texts.message(for: error))
        case .unconfirmed: list?.show(list?.texts.starUnconfirmed)
        }
        return nil
    }
}

extension StarMarks {
    private func receive(_ change: GitHub.StarChange) {
        switch change {
        case .repos(let ids):
            didChange(ids)
            for id in ids { recheck(id) }
        case .all:
            didChange(nil)
            for id in Array(doubtful.keys) { recheck(id) }
        case .added(let addition):
            add(row(of: addition.repo, readDuring: addition.interval))
            if let interval = addition.interval { recheck(addition.repo, readDuring: interval) }
        }
    }

    private func receive(_ session: GitHub.Session) {
        let newUser: User
        switch session {
        case .restoring: return
        case .signedOut: newUser = .signedOut
        case .signingIn, .unidentified:
            // The rows stay until the new user is known.
            guard user == .undecided else { return }
            newUser = .signedIn(nil)
        case .identified(let identified):
            guard user == .undecided || user == .signedIn(nil) else { return }
            newUser = .signedIn(identified.id)
        case .ready(let identified): newUser = .signedIn(identified.id)
        }
        let oldUser = user
        user = newUser
        guard oldUser != newUser else { return }
        // The explanation of a refusal may have changed.
        guard oldUser != .undecided else { return didChange([]) }
        if oldUser != .signedIn(nil) || newUser == .signedOut { userDidChange() }
    }

    private func row(of repo: GitHub.Repo, readDuring interval: GitHub.StarStore.ReadInterval?) -> RepoRow {
        var row = RepoRow(repo)
        row.readInterval = interval
        mark(&row)
        return row
    }

    private func mark(_ row: inout RepoRow) {
        (row.isStarred, row.starCount) = stars.starState(of: row.repo, readDuring: row.readInterval)
    }

    /// Reads a repository again after its star was written, if its count may or may not include the star.
    private func recheck(_ repo: GitHub.Repo, readDuring interval: GitHub.StarStore.ReadInterval) {
        if case .exact = stars.countAccuracy(of: repo.id, readDuring: interval) { return }
        doubtful[repo.id] = (repo, interval)
        recheck(repo.id)
    }

    private func recheck(_ id: GitHub.Repo.ID) {
        guard let (repo, interval) = doubtful[id] else { return }
        switch stars.countAccuracy(of: id, readDuring: interval) {
        case .writeInFlight: return
        case .exact: doubtful[id] = nil
        case .outdated:
            doubtful[id] = nil
            rereads[id]?.cancel()
            rereads[id] = Task { [weak self, stars] in
                let reloaded = await stars.reload(repo)
                guard !Task.isCancelled, let self else { return }
                self.rereads[id] = nil
                guard let (newer, interval) = reloaded else { return }
                self.replace(newer, readDuring: interval)
                self.recheck(newer, readDuring: interval)
            }
        }
    }

    private func replace(_ repo: GitHub.Repo, readDuring interval: GitHub.StarStore.ReadInterval) {
        list?.update { list in
            list.update(id: repo.id) { row in
                row.repo = repo
                row.readInterval = interval
                mark(&row)
            }
        }
    }

    /// Updates the stars of the given rows; `nil` updates all rows.
    private func didChange(_ ids: Set<GitHub.Repo.ID>?) {
        list?.update { list in
            guard let ids else { return list.updateAll { mark(&$0) } }
            for id in ids { list.update(id: id) { mark(&$0) } }
        }
    }

    /// Inserts a repository that was starred on another screen. Rows without a star stay until a refresh.
    private func add(_ row: RepoRow) {
        guard repoList == .starred, let list else { return }
        // A first page in flight may or may not contain it.
        guard list.pagedList.pageCount > 0 else { return additions.append(row) }
        insert([row])
    }

    private func insert(_ rows: [RepoRow]) {
        guard let list else { return }
        let rows = list.marked(rows)
        list.update { list in
            for row in rows { list.insert(row, at: 0) }
        }
    }

    private func insertAdditions() {
        guard let list, list.pagedList.pageCount > 0, !additions.isEmpty else { return }
        let rows = additions
        additions = []
        insert(rows.map { row(of: $0.repo, readDuring: $0.readInterval) }.filter(\.isStarred))
    }

    /// Reloads rows that the new user may not be allowed to see, and stops the former user's reads.
    private func userDidChange() {
        doubtful = [:]
        for task in rereads.values { task.cancel() }
        rereads = [:]
        guard let list, list.hasBegun else { return }
        additions = []
        let isPersonal = repoList == .own || repoList == .starred
        // A page in flight may contain private repositories too.
        guard isPersonal || list.pagedList.current != nil || list.pagedList.rows.contains(where: \.isPrivate)
        else { return }
        list.show(nil)
        list.restart().keep()
    }
}

extension ListController where Row == RepoRow {
    /// Marks starred repositories.
    ///
    /// - Returns: The marks, which make the rows of pages, and change stars.
    func markStars(in session: GitHub.SessionManager) -> StarMarks {
        let stars = StarMarks(session: session, list: self)
        // The stars of a row depend on when it was read, so ``StarMarks/rows(of:from:)`` marks it.
        add(RowMarks(follow: stars.follow(isRefresh:), willFetch: stars.willFetch))
        return stars
    }
}
