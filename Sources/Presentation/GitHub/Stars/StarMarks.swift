@_spi(Services) public import BrowseDomain
public import BrowseGitHubDomain
@_spi(Services) public import BrowsePresentation

/// Marks the starred rows of one list, and changes their stars.
@MainActor
final class StarMarks: StarScreen {
    /// The kind of list; `nil` for a search, and for a list of an app's own.
    var repoList: GitHub.RepoList?

    private weak var list: ListController<RepoRow>?
    private let observer: StarObserver
    /// The event at which the first page was read.
    private var firstRead = 0

    private var stars: GitHub.StarStore { observer.session.stars }

    /// Marks the rows of a list's pages; the list retains the marks.
    init(session: GitHub.SessionManager, list: ListController<RepoRow>) {
        observer = StarObserver(session, texts: list.texts)
        self.list = list
        observer.screen = self
        let marks = RowMarks<RepoRow> { [observer] isRefresh in
            // Refreshing the starred repositories also updates the stars of all other lists.
            observer.follow(isRefresh: isRefresh, reloads: isRefresh && self.repoList == .starred)
        } beginRead: { [stars = session.stars] in
            let start = stars.beginRead()
            let acceptsAge = LoadOptions.current.acceptsAge
            return { page, provenance in
                // A young response was read after the account's changes, but not after other reads.
                let isYoung = if case .stale = provenance { acceptsAge } else { provenance.isCurrent }
                self.receive(&page, readAt: isYoung ? start : 0, isCurrent: provenance.isCurrent)
            }
        }
        list.add(marks)
        list.onChange(of: .star) { [observer, weak list] row, isStarred in
            await observer.set(row, to: isStarred, from: list?.pagedList.provenance)
        }
    }

    /// Marks the rows of a page that was read at an event. A cached page is older than all changes.
    private func receive(_ page: inout Page<RepoRow>, readAt event: Int, isCurrent: Bool) {
        let ids = repoList == .starred ? Set(page.items.map(\.id)) : []
        if isCurrent { stars.merge(ids, readAt: event) }
        for index in page.items.indices {
            page.items[index].readAt = event
            observer.mark(&page.items[index])
        }
        if repoList == .starred, list?.pagedList.pageCount == 0 {
            firstRead = event
            page.items = added().filter { !ids.contains($0.id) } + page.items
        } else if repoList == .starred {
            page.isShifted = stars.mayHaveRemoved(since: firstRead)
        }
    }

    /// The rows that were starred after the first page was read, the latest first.
    private func added() -> [RepoRow] { stars.added(since: firstRead).map { observer.row($0, readAt: $1) } }
}

extension StarMarks {
    var isPersonal: Bool { repoList == .own || repoList == .starred }

    func show(_ notice: Message?) { list?.show(notice) }

    func hide(_ notice: Message?) { list?.hide(notice) }

    func shows(_ id: GitHub.Repo.ID) -> Bool { true }

    /// Updates the stars of the given rows; `nil` updates all rows. Rows without a star stay in the
    /// starred list until a refresh.
    func starsDidChange(_ ids: Set<GitHub.Repo.ID>?) {
        guard let list else { return }
        // A page in flight gets the new rows when it arrives.
        let hasRows = list.pagedList.pageCount > 0 || list.pagedList.loadedCount > 0
        let added = repoList == .starred && hasRows ? list.marked(added()) : []
        list.update { list in
            for row in added.reversed() { list.insert(row, at: 0) }
            // Each single update copies a page, and a sign-out can change thousands of rows.
            guard let ids, ids.count <= 100 else { return list.updateAll { observer.mark(&$0) } }
            for id in ids { list.update(id: id) { observer.mark(&$0) } }
        }
    }

    /// Reloads rows that the new user may not be allowed to see.
    ///
    /// A list without rows is loaded again, too, since the user may see some.
    func userDidChange(in session: GitHub.Session) {
        guard let list, list.hasBegun else { return }
        // A page in flight may contain private repositories too, and so may hidden rows.
        let isFiltered = list.pagedList.rows.count < list.pagedList.loadedCount
        guard
            isPersonal || isFiltered || list.pagedList.phase == .loading || list.pagedList.loadedCount == 0
                || list.pagedList.rows.contains(where: \.isPrivate)
        else { return }
        list.restart(for: session)
    }
}

extension ListController where Row == RepoRow {
    /// Marks the stars of a session's user, and lets the person change them.
    ///
    /// Call it before the list begins. Rows then follow the stars of all screens, with counts that
    /// match, and private rows are loaded again when another user signs in.
    public func markStars(of session: GitHub.SessionManager) { _ = StarMarks(session: session, list: self) }
}

extension RowMark {
    /// Whether the user has starred the row's repository.
    public static let star: RowMark = RowMark("star", remedy: "Call markStars(of:) of its controller.")
}

extension ListIntents where Row == RepoRow {
    /// Stars the repository of a row, or removes the star.
    ///
    /// For a signed-in user, the star and the count change at once, in all lists. Nothing is sent
    /// if GitHub is known to have that state. If storing fails, they change back; if its outcome is
    /// unknown, they stay. In both cases, the screen shows a notice. Returns when storing ends, or
    /// if the session can't be restored. The last of several changes wins.
    ///
    /// It does nothing without ``ListController/markStars(of:)``, which is reported as for
    /// favorites.
    ///
    /// - Returns: `Route.signIn` for a star if nobody is signed in, which a notice says too; it's
    ///   stored after signing in.
    @discardableResult
    public func setStar(_ id: Row.ID, to isStarred: Bool) async -> Route? {
        await set(.star, of: id, to: isStarred, by: #function)
    }

    /// Stars the repository of a row, or removes the star if it's shown, like ``setStar(_:to:)``.
    @discardableResult
    public func toggleStar(_ id: Row.ID) async -> Route? {
        await set(.star, of: id, to: row(id)?.isStarred != true, by: #function)
    }
}

// swift-format-ignore
extension Phrase {
    /// The button that stars a repository.
    public static let star = Phrase("star.add", "Star", ko: "별표")
    /// The button that removes a star.
    public static let unstar = Phrase("star.remove", "Unstar", ko: "별표 해제")
    static let starNotChangedTitle = Phrase("star.notChanged.title", "Star Not Changed", ko: "별표가 변경되지 않음")
    fileprivate static let starUnconfirmedTitle = Phrase("star.unconfirmed.title", "Star Not Confirmed", ko: "별표를 확인하지 못함")
    fileprivate static let starUnconfirmed = Phrase("star.unconfirmed",
        "GitHub didn’t respond, so the change may not be saved. Try again to check.",
        ko: "GitHub에서 응답이 없어 변경 사항이 저장되지 않았을 수 있습니다. 다시 시도해 확인하십시오.")
    fileprivate static let starsMissingTitle = Phrase("star.missing.title", "Stars May Be Missing",
        ko: "일부 별표가 표시되지 않음")
    fileprivate static let starsMissing = Phrase("star.missing",
        "Some of your stars couldn’t be loaded, so repositories that you starred may appear without a star.",
        ko: "일부 별표를 불러오지 못해 별표를 표시한 저장소가 별표 없이 나타날 수 있습니다.")
    fileprivate static let starWaitsTitle = Phrase("star.waits.title", "Sign In Required", ko: "로그인 필요")
    fileprivate static let starWaits = Phrase("star.waits", "Sign in to GitHub to save the star.",
        ko: "별표를 저장하려면 GitHub에 로그인하십시오.")
}

extension Texts {
    /// The message for a star that waits for a sign-in.
    package var starWaits: Message {
        message(.unauthorized, .starWaits, titled: .starWaitsTitle, action: .signIn)
    }

    /// The message for lists of code repositories while some stars of the user couldn't be loaded.
    public var starsMissing: Message {
        message(.offline, .starsMissing, titled: .starsMissingTitle, action: .retry)
    }

    /// The message for a star whose new state is unknown, because GitHub didn't respond.
    public var starUnconfirmed: Message {
        message(.offline, .starUnconfirmed, titled: .starUnconfirmedTitle, action: .retry)
    }
}
