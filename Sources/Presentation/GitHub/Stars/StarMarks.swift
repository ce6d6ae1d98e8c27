import BrowseDomain

/// Shows in the rows of one screen what is starred, and follows the session for it.
@MainActor
final class StarMarks {
    /// Called when stars or counts may have changed: those of these repositories, or all of them.
    var didChange: @MainActor (Set<GitHub.Repo.ID>?) -> Void = { _ in }
    /// Called with the row of a repository when GitHub has taken a star for it.
    var didAdd: @MainActor (RepoRow) -> Void = { _ in }
    /// Called with a row's newer contents, since its count was in doubt.
    var didReadAgain: @MainActor (GitHub.Repo, GitHub.Stars.Reading) -> Void = { _, _ in }
    /// Called when somebody else is signed in and all that is theirs is known, or nobody is any more.
    var didChangePerson: @MainActor () -> Void = {}

    private let session: GitHub.SessionManager
    private var stars: GitHub.Stars { session.stars }
    private var following: [Task<Void, Never>] = []
    private let retrying = BackgroundWork()
    private var person = Person.undecided
    private var readingBegan = 0
    /// Rows that were read while their star was being written.
    private var doubtful: [GitHub.Repo.ID: (repo: GitHub.Repo, reading: GitHub.Stars.Reading)] = [:]

    init(session: GitHub.SessionManager) {
        self.session = session
    }

    deinit {
        for task in following { task.cancel() }
    }

    /// Follows stars and session, if that is not done already, and asks again for what could not be loaded of them.
    func follow() {
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

    /// Reads the starred list again, so that stars removed elsewhere are unset here.
    func reload() async {
        await session.reloadStars()
    }

    /// Why nobody is signed in; `nil` when somebody is, or that is not known yet.
    var signOutReason: GitHub.SignOutReason? {
        if case .signedOut(let reason) = session.current { reason } else { nil }
    }

    /// To be called when a page is asked for.
    func beginReading() {
        readingBegan = stars.beginReading()
    }

    /// To be called when it has come, and makes its rows.
    ///
    /// - Parameters:
    ///   - page: What has come.
    ///   - provenance: Where it came from: what was kept tells nothing of what is starred now, and its counts are of then.
    ///   - areStarred: Whether it is of a list of what the person has starred.
    ///   - isFavorite: Whether a repository is a favourite.
    func rows(
        of page: Page<GitHub.Repo>,
        from provenance: Provenance,
        areStarred: Bool = false,
        isFavorite: (GitHub.Repo) -> Bool
    ) -> Page<RepoRow> {
        let reading = provenance.date.map(stars.reading(keptSince:)) ?? stars.reading(from: readingBegan)
        if areStarred, provenance.date == nil { stars.note(starred: page.items.map(\.id), readIn: reading) }
        return page.map { repo in
            var row = row(of: repo, readIn: reading)
            row.isFavorite = isFavorite(repo)
            if case .none = stars.doubt(about: repo.id, readIn: reading) {} else { doubt(repo, readIn: reading) }
            return row
        }
    }

    private func row(of repo: GitHub.Repo, readIn reading: GitHub.Stars.Reading) -> RepoRow {
        var row = RepoRow(repo)
        row.reading = reading
        mark(&row)
        return row
    }

    /// Shows in a row what is starred now.
    func mark(_ row: inout RepoRow) {
        (row.isStarred, row.starCount) = stars.mark(of: row.repo, readIn: row.reading)
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

    /// Does what a tap on the star of a row means; the star changes at once, and this returns when that is settled.
    ///
    /// - Returns: `nil` when there is no such row, or nobody needs to be told of what came of it.
    func toggle(at position: Int, in rows: Rows<RepoRow>) async -> Outcome? {
        guard rows.indices.contains(position) else { return nil }
        let row = rows[position]
        // Whether anybody is signed in is known in a moment.
        if session.current == .restoring { for await current in session.sessions where current != .restoring { break } }
        guard case .shown(let settlement) = stars.ask(!row.isStarred, for: row.repo, readIn: row.reading) else {
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
        case .some(let ids):
            didChange(ids)
            for id in ids { clear(id) }
        case .all:
            didChange(nil)
            for id in Array(doubtful.keys) { clear(id) }
        case .added(let addition):
            let (repo, reading) = (addition.repo, addition.reading)
            didAdd(row(of: repo, readIn: reading))
            if case .none = stars.doubt(about: repo.id, readIn: reading) {} else { doubt(repo, readIn: reading) }
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
        didChangePerson()
    }

    /// Whose rows the screen shows.
    private enum Person: Equatable {
        case undecided
        case nobody
        /// Who that is may not be known yet.
        case somebody(GitHub.User.ID?)
    }

    private func doubt(_ repo: GitHub.Repo, readIn reading: GitHub.Stars.Reading) {
        doubtful[repo.id] = (repo, reading)
        clear(repo.id)
    }

    /// Reads a row again whose count is in doubt, once the write that it may know of is over.
    private func clear(_ id: GitHub.Repo.ID) {
        guard let (repo, reading) = doubtful[id] else { return }
        switch stars.doubt(about: id, readIn: reading) {
        case .pending: return
        case .none: doubtful[id] = nil
        case .readAgain:
            doubtful[id] = nil
            Task { [weak self, stars] in
                guard let (newer, reading) = await stars.readAgain(repo), let self else { return }
                self.didReadAgain(newer, reading)
                if case .none = stars.doubt(about: id, readIn: reading) {} else { self.doubt(newer, readIn: reading) }
            }
        }
    }
}

extension PagedList<RepoRow> {
    /// Shows in the rows what is starred now.
    ///
    /// - Parameters:
    ///   - ids: The repositories whose stars may have changed; `nil` looks at every row.
    ///   - marks: What is starred.
    @MainActor
    mutating func mark(_ ids: Set<GitHub.Repo.ID>?, by marks: StarMarks) {
        guard let ids else { return updateAll { marks.mark(&$0) } }
        for id in ids { update(id: id) { marks.mark(&$0) } }
    }

    /// Puts newer contents in a row.
    @MainActor
    mutating func renew(_ repo: GitHub.Repo, readIn reading: GitHub.Stars.Reading, by marks: StarMarks) {
        update(id: repo.id) { row in
            row.repo = repo
            row.reading = reading
            marks.mark(&row)
        }
    }
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
