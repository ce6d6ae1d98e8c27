@_spi(Services) public import BrowseDomain
public import BrowseGitHubDomain
@_spi(Services) public import BrowsePresentation
import Synchronization

/// A screen with a code repository, and its README.
@MainActor
public final class RepoDetailViewModel: DetailViewModel {
    /// The state of the screen.
    public struct State: DetailScreenState {
        /// The number of the repository; `nil` until it's known.
        public var id: GitHub.Repo.ID?
        /// Owner and name; empty until they're known.
        public var title: String = ""
        /// The repository and its status.
        public var content: DetailState<RepoFacts> = DetailState()
        /// The repository as a row, with its star; `nil` until it's loaded.
        public var row: RepoRow?
        /// The README and its status; a loaded `nil` is a repository without one.
        public var readme: DetailState<GitHub.Readme?> = DetailState()
        /// A message beside the repository, such as that a star couldn't be stored.
        public var notice: Message?
    }

    /// A repository, and the event at which it was read, on which only the count of stars depends.
    private struct Read: Equatable {
        let details: GitHub.RepoDetails
        /// It's 0 for a cached response, unless that was requested after the account's last change.
        let event: Int

        static func == (left: Read, right: Read) -> Bool { left.details == right.details }
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the repository.
    public var detail: DetailControls { page.controls }

    private let store = StateStore(State())
    private let page: DetailController<Read, RepoFacts>
    private let readme: DetailController<GitHub.Readme?, GitHub.Readme?>
    private let observer: StarObserver
    private let repository: any GitHub.RepoRepository
    private let texts: Texts
    /// Owner and name, if the repository was requested by them.
    private var requestedName: String?

    /// Creates the screen; ``show(_:label:)`` loads it.
    package init(repository: any GitHub.RepoRepository, session: GitHub.SessionManager, options: ScreenOptions) {
        self.repository = repository
        let options = options.about(.gitHub)
        texts = options.texts
        page = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            RepoFacts($0.details, starCount: $0.details.repo.starCount, texts: options.texts)
        }
        readme = DetailController(in: store, at: \.readme, notice: \.notice, options: options) { $0 }
        observer = StarObserver(session, texts: options.texts)
        observer.screen = self
        page.markFavorite { Favorite($0.details.repo) }
        // Another repository can have the name of a cached one.
        page.relate(readme, ifSame: { $0.details.id == $1.details.id }) { [repository] read throws(BrowseError) in
            try await repository.readme(of: read.details.id)
        }
        page.onLoad { [observer] in observer.follow() }
        store.addPart { [weak self] in self?.addStar(to: &$0) }
    }

    /// Replaces the screen's content with the repository that has a number, even if it was renamed.
    ///
    /// - Parameters:
    ///   - id: The number, such as that of a row.
    ///   - label: The last known owner and name, which are shown until the repository is loaded.
    public func show(_ id: GitHub.Repo.ID, label: String? = nil) async {
        requestedName = nil
        await show(label ?? "", id) { [repository] () throws(BrowseError) in try await repository.details(of: id) }
    }

    /// Replaces the screen's content with the repository that has a name now, and loads it.
    public func show(named name: String, of owner: GitHub.Login) async {
        requestedName = "\(owner)/\(name)"
        // Refreshing shows the same repository, even if another one has its name by then.
        let shown = Mutex<GitHub.Repo.ID?>(nil)
        await show("\(owner)/\(name)") { [repository] () throws(BrowseError) in
            if let id = shown.withLock({ $0 }) { return try await repository.details(of: id) }
            let details = try await repository.details(named: name, of: owner)
            if Provenance.current.date == nil { shown.withLock { $0 = details.id } }
            return details
        }
    }

    private func show(
        _ title: String,
        _ id: GitHub.Repo.ID? = nil,
        _ fetch: @escaping @Sendable () async throws(BrowseError) -> GitHub.RepoDetails
    ) async {
        await store.load { state in
            state = State()
            state.title = title
            state.id = id
            return page.begin { [stars = observer.session.stars] () throws(BrowseError) in
                let start = stars.beginRead()
                // Awaited before the pair is created (Decision 6).
                let details = try await fetch()
                let source = Provenance.current
                let isYoung = if case .stale = source { LoadOptions.current.acceptsAge } else { source.isCurrent }
                return Read(details: details, event: isYoung ? start : 0)
            }
        }
    }

    /// Shows the repository with a number when the screen appears.
    ///
    /// If it's shown already, this only calls `retry()`.
    public func showIfNeeded(_ id: GitHub.Repo.ID, label: String? = nil) async {
        if state.id == id { await page.retry() } else { await show(id, label: label) }
    }

    /// Shows the repository with a name when the screen appears, like ``showIfNeeded(_:label:)``.
    public func showIfNeeded(named name: String, of owner: GitHub.Login) async {
        if requestedName == "\(owner)/\(name)" { await page.retry() } else { await show(named: name, of: owner) }
    }

    /// Stars the repository, or removes the star, as `setStar(_:to:)` does for a row.
    ///
    /// It does nothing until the repository is loaded.
    ///
    /// - Returns: `Route.signIn` for a star if nobody is signed in.
    @discardableResult
    public func setStar(to isStarred: Bool) async -> Route? {
        guard let row = state.row else { return nil }
        return await observer.set(row, to: isStarred, from: state.content.provenance)
    }

    /// Stars the repository, or removes the star if it's shown, like ``setStar(to:)``.
    @discardableResult
    public func toggleStar() async -> Route? { await setStar(to: state.row?.isStarred != true) }

    private func addStar(to state: inout State) {
        guard let read = page.entity else { return state.row = nil }
        // Nothing is known about the README of one that isn't available.
        if state.content.isUnavailable, case .loaded(nil) = state.readme.status { state.readme = DetailState() }
        var row = observer.row(read.details.repo, readAt: read.event)
        row.isFavorite = state.isFavorite
        state.id = row.id
        state.title = row.fullName
        state.row = row
        guard state.content.details != nil, row.starCount != row.repo.starCount else { return }
        state.content.status = .loaded(RepoFacts(read.details, starCount: row.starCount, texts: texts))
    }
}

extension RepoDetailViewModel: StarScreen {
    var isPersonal: Bool { false }

    func show(_ notice: Message?) { page.show(notice) }

    func hide(_ notice: Message?) { page.hide(notice) }

    func shows(_ id: GitHub.Repo.ID) -> Bool { state.id == id }

    func starsDidChange(_ ids: Set<GitHub.Repo.ID>?) { store.update() }

    func userDidChange(in session: GitHub.Session) {
        // One that isn't found may be private, too.
        guard page.entity?.details.repo.isPrivate != false else { return }
        page.restart().keep()
        // Nor may the next user see its name.
        store.update { $0.title = "" }
    }
}

// swift-format-ignore
extension Phrase {
    /// The title of the README.
    public static let readme = Phrase("repo.readme", "README", ko: "README 문서")
    /// The text in place of a README.
    public static let noReadme = Phrase("repo.readme.none", "No README", ko: "README 없음")
    /// The note below a README that was cut off.
    public static let readmeTruncated = Phrase("repo.readme.truncated", "Only the beginning of the README is shown.",
        ko: "README의 앞부분만 표시됩니다.")
}
