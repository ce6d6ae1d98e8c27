import BrowseDomain

/// Marks the rows of one list that are starred, and follows the session for it.
@MainActor
final class StarMarks: RowMarks {
    /// Which list the rows are of; `nil` for a search.
    var repoList: GitHub.RepoList? {
        didSet { additions = [] }
    }

    private weak var list: ListController<RepoRow>?
    /// Repositories that were starred while the first page of the starred ones was in flight.
    private var additions: [RepoRow] = []
    private let session: GitHub.SessionManager
    private var stars: GitHub.StarStore { session.stars }
    private var following: [Task<Void, Never>] = []
    private let retrying = BackgroundWork()
    private let reloading = BackgroundWork()
    private var person = Person.undecided
    private var readStart = 0
    /// Rows that were read while their star was being written.
    private var doubtful: [GitHub.Repo.ID: (repo: GitHub.Repo, interval: GitHub.StarStore.ReadInterval)] = [:]

    init(session: GitHub.SessionManager, list: ListController<RepoRow>) {
        self.session = session
        self.list = list
        list.loadDidEnd = { [weak self] in self?.insertAdditions() }
    }

    deinit {
        for task in following { task.cancel() }
    }

    /// Follows stars and session, and loads again what could not be loaded of them.
    func follow(isRefresh: Bool) -> SharedLoad? {
        followChanges()
        // A refresh of one's starred repositories also updates the stars of all other lists.
        guard isRefresh, repoList == .starred else { return nil }
        let load = SharedLoad(isKept: true) { [session] in await session.reloadStars() }
        load.start()
        return load
    }

    private func followChanges() {
        guard following.isEmpty else {
            if stars.needsReload { retrying.run { [session] in await session.retry() } }
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

    /// Why nobody is signed in; `nil` when somebody is, or that is not known yet.
    var signOutReason: GitHub.SignOutReason? {
        if case .signedOut(let reason) = session.current { reason } else { nil }
    }

    func willFetch() {
        readStart = stars.beginRead()
    }

    /// The rows already contain their stars, which depend on when each was read.
    func mark(_ rows: inout [RepoRow]) {}

    /// Makes the rows of a page that has arrived.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - provenance: Where it came from. A cached page knows nothing of present stars, and its counts are old.
    func rows(of page: Page<GitHub.Repo>, from provenance: Provenance) -> Page<RepoRow> {
        let interval = provenance.date.map(stars.readInterval(cachedSince:)) ?? stars.endRead(from: readStart)
        if repoList == .starred, provenance.date == nil {
            stars.recordStarred(page.items.map(\.id), readDuring: interval)
        }
        return page.map { repo in
            if case .exact = stars.countAccuracy(of: repo.id, readDuring: interval) {
            } else {
                doubt(repo, readDuring: interval)
            }
            return row(of: repo, readDuring: interval)
        }
    }

    private func row(of repo: GitHub.Repo, readDuring interval: GitHub.StarStore.ReadInterval) -> RepoRow {
        var row = RepoRow(repo)
        row.readInterval = interval
        mark(&row)
        return row
    }

    /// Shows in a row what is starred now.
    func mark(_ row: inout RepoRow) {
        (row.isStarred, row.starCount) = stars.starState(of: row.repo, readDuring: row.readInterval)
    }

    /// What came of a tap on a star.
    enum Outcome {
        case stored
        case undone(BrowseError)
        /// GitHub may or may not have it; the row shows the intent.
        case unconfirmed
        /// Somebody has to sign in first.
        case signInFirst
    }

    /// Stars a repository or removes the star; the star changes at once, and this returns when that is settled.
    ///
    /// - Returns: `nil` when there is nothing to report.
    func toggle(_ row: RepoRow) async -> Outcome? {
        // Whether anybody is signed in is known in a moment.
        if session.current == .restoring { for await current in session.sessions where current != .restoring { break } }
        guard
            case .accepted(let settlement) = stars.setStarred(
                !row.isStarred,
                for: row.repo,
                readDuring: row.readInterval
            )
        else {
            return .signInFirst
        }
        didChange([row.id])
        let result = await settlement.result
        // Whoever waited finds the row as it is now, also when the change itself is still on its way to here.
        didChange([row.id])
        switch result {
        case .stored: return .stored
        case .undone(let error): return .undone(error)
        case .unconfirmed: return .unconfirmed
        case .cancelled: return nil
        }
    }

    private func receive(_ change: GitHub.StarChange) {
        switch change {
        case .repos(let ids):
            didChange(ids)
            for id in ids { clear(id) }
        case .all:
            didChange(nil)
            for id in Array(doubtful.keys) { clear(id) }
        case .added(let addition):
            let (repo, interval) = (addition.repo, addition.interval)
            add(row(of: repo, readDuring: interval))
            if case .exact = stars.countAccuracy(of: repo.id, readDuring: interval) {
            } else {
                doubt(repo, readDuring: interval)
            }
        }
    }

    private func receive(_ session: GitHub.Session) {
        let newer: Person
        switch session {
        case .restoring: return
        case .signedOut: newer = .nobody
        case .signingIn, .unidentified:
            // Before it is known who that is, screens wait; but what is read now is read with their token.
            guard person == .undecided else { return }
            newer = .somebody(nil)
        case .identified(let user):
            guard person == .undecided || person == .somebody(nil) else { return }
            newer = .somebody(user.id)
        case .ready(let user): newer = .somebody(user.id)
        }
        let older = person
        person = newer
        guard older != newer else { return }
        // Nothing that is shown is another, but why it is not there may be.
        guard older != .undecided else { return didChange([]) }
        if older == .somebody(nil), newer != .nobody { return }
        personDidChange()
    }

    /// Whose rows the screen shows.
    private enum Person: Equatable {
        case undecided
        case nobody
        /// Who that is may not be known yet.
        case somebody(GitHub.User.ID?)
    }

    private func doubt(_ repo: GitHub.Repo, readDuring interval: GitHub.StarStore.ReadInterval) {
        doubtful[repo.id] = (repo, interval)
        clear(repo.id)
    }

    /// Reads a row again whose count is in doubt, once the write that it may know of is over.
    private func clear(_ id: GitHub.Repo.ID) {
        guard let (repo, interval) = doubtful[id] else { return }
        switch stars.countAccuracy(of: id, readDuring: interval) {
        case .writeInFlight: return
        case .exact: doubtful[id] = nil
        case .outdated:
            doubtful[id] = nil
            Task { [weak self, stars] in
                guard let (newer, interval) = await stars.reload(repo), let self else { return }
                self.renew(newer, readDuring: interval)
                if case .exact = stars.countAccuracy(of: id, readDuring: interval) {
                } else {
                    self.doubt(newer, readDuring: interval)
                }
            }
        }
    }
}

extension StarMarks {
    /// Updates the stars of some rows, or with `nil` of all.
    private func didChange(_ ids: Set<GitHub.Repo.ID>?) {
        list?.update { list in
            guard let ids else { return list.updateAll { mark(&$0) } }
            for id in ids { list.update(id: id) { mark(&$0) } }
        }
    }

    /// Updates a row whose count was in doubt.
    private func renew(_ repo: GitHub.Repo, readDuring interval: GitHub.StarStore.ReadInterval) {
        list?.update { list in
            list.update(id: repo.id) { row in
                row.repo = repo
                row.readInterval = interval
                mark(&row)
            }
        }
    }

    /// A star that was given elsewhere is the latest of one's own; one that was removed stays visible until a refresh.
    private func add(_ row: RepoRow) {
        guard repoList == .starred, let list else { return }
        var row = row
        row.isFavorite = list.favorites?.contains(row.favoriteID) ?? false
        // A first page in flight may or may not contain it.
        guard list.list.pageCount > 0 else { return additions.append(row) }
        list.update { $0.insert(row, at: 0) }
    }

    private func insertAdditions() {
        guard let list, list.list.pageCount > 0, !additions.isEmpty else { return }
        list.update { list in
            for var row in additions {
                mark(&row)
                if row.isStarred { list.insert(row, at: 0) }
            }
        }
        additions = []
    }

    /// Nothing of one person's is shown to another.
    private func personDidChange() {
        guard let list, list.fetch != nil else { return }
        additions = []
        let isPersonal = repoList == .own || repoList == .starred
        // A page in flight may also contain what only the person before could see.
        guard isPersonal || list.list.current != nil || list.list.rows.contains(where: \.isPrivate) else { return }
        list.show(nil)
        let load = list.restart()
        reloading.run { await load() }
    }
}

extension ListController where Row == RepoRow {
    /// Marks starred repositories, and lets a person change their stars.
    ///
    /// - Returns: The marks, which make the rows of pages.
    func markStars(in session: GitHub.SessionManager) -> StarMarks {
        let stars = StarMarks(session: session, list: self)
        add(stars)
        return stars
    }

    var stars: StarMarks? { marks.lazy.compactMap { $0 as? StarMarks }.first }
}

extension Texts {
    /// What to tell beside a list of what came of a tap on a star; `nil` when it shows.
    func notice(of outcome: StarMarks.Outcome?) -> Message? {
        switch outcome {
        case .undone(let error): message(for: error)
        case .unconfirmed: starUnconfirmed
        case .stored, .signInFirst, nil: nil
        }
    }
}

extension Route {
    /// Where a tap on a star leads.
    init?(_ outcome: StarMarks.Outcome) {
        guard case .signInFirst = outcome else { return nil }
        self = .signIn
    }
}
