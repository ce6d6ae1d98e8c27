import BrowseDomain

/// Knows for one screen what is a favorite: what is stored, and over it what the person has asked for since.
///
/// A tap shows at once and is undone if it cannot be stored. What was asked for stays in force until the change comes back
/// from the repository, so that a change that is older than the last tap never shows over it.
@MainActor
final class FavoriteTracker {
    /// Called with each change of the stored favorites, after the marks were updated.
    var didStore: @MainActor (FavoriteChange) -> Void = { _ in }

    private var observers: [@MainActor (Set<Favorite.ID>?) -> Void] = []

    private let repository: any FavoriteRepository
    private let toggleFavorite: ToggleFavorite
    private var stored: Set<Favorite.ID> = []
    private var intents: [Favorite.ID: Intent] = [:]
    private var joining: SharedLoad?
    private var isJoined = false
    private var following: Task<Void, Never>?

    private var isFollowing: Bool { following != nil }

    /// What the person asked for last, and how much of it has not come back yet.
    private struct Intent {
        var isFavorite: Bool
        /// The writes that are not done.
        var writes = 0
        /// What the changes that were made will come back as, in order.
        var expected: [Bool] = []
        /// What came back while writes were not done, which may be theirs.
        var early: [Bool] = []
        var last: Task<Result<ToggleFavorite.Outcome, BrowseError>, Never>?
    }

    init(repository: any FavoriteRepository) {
        self.repository = repository
        toggleFavorite = ToggleFavorite(repository: repository)
    }

    deinit {
        following?.cancel()
    }

    /// Whether nothing shows as a favorite.
    var isEmpty: Bool { stored.isEmpty && intents.isEmpty }

    /// Adds a closure that is called when marks may have changed: those of these favorites, or with `nil` all of them.
    func addObserver(_ didChange: @escaping @MainActor (Set<Favorite.ID>?) -> Void) {
        observers.append(didChange)
    }

    private func didChange(_ ids: Set<Favorite.ID>?) {
        for observer in observers { observer(ids) }
    }

    /// Whether something shows as a favorite.
    func contains(_ id: Favorite.ID) -> Bool {
        intents[id]?.isFavorite ?? stored.contains(id)
    }

    /// Whether the person asked for something to be forgotten, and it may still be stored.
    func isRemoving(_ id: Favorite.ID) -> Bool {
        intents[id]?.isFavorite == false
    }

    /// Reads the stored favorites and follows their changes, unless that was done.
    ///
    /// A list is of use without its marks, so a failure isn't reported; the next call tries again.
    ///
    /// - Returns: The load to wait for; `nil` when the favorites are known.
    func follow() -> SharedLoad? {
        if isJoined { return nil }
        if let joining { return joining }
        let load = SharedLoad(isKept: true) { [weak self, repository] in
            // Before the rest is read, so that no change is missed between the two.
            let changes = repository.changes
            let ids = try? await repository.ids()
            await self?.join(ids, changes)
        }
        joining = load
        load.start()
        return load
    }

    /// Follows what is stored, if that is not done already; for a list of nothing but favorites, which knows its own marks.
    ///
    /// - Returns: `nil`, since there is nothing to wait for.
    func followChanges() -> SharedLoad? {
        if !isFollowing { listen(to: repository.changes) }
        return nil
    }

    private func join(_ ids: Set<Favorite.ID>?, _ changes: AsyncStream<FavoriteChange>) {
        joining = nil
        guard let ids else { return }
        isJoined = true
        stored = ids
        following?.cancel()
        listen(to: changes)
        if !ids.isEmpty { didChange(nil) }
    }

    private func listen(to changes: AsyncStream<FavoriteChange>) {
        following = Task { [weak self] in
            for await change in changes { self?.receive(change) }
        }
    }

    /// Does what a tap on a mark means.
    ///
    /// The mark changes at once; this returns when the change is stored. Leaving the screen does not take a tap back.
    ///
    /// - Parameters:
    ///   - favorite: What was tapped.
    ///   - shown: Whether its mark was set.
    /// - Returns: Why it could not be stored; the mark is then as it was.
    func toggle(_ favorite: Favorite, shownAs shown: Bool) async -> BrowseError? {
        let id = favorite.id
        // What shows is what was stored, or is asked for already.
        if intents[id] == nil { remember(id, isFavorite: shown) }
        var intent = intents[id] ?? Intent(isFavorite: shown)
        intent.isFavorite = !shown
        intent.writes += 1
        // One after the other, so that the last tap is the last to be stored.
        let write = Task { [toggleFavorite, before = intent.last] () -> Result<ToggleFavorite.Outcome, BrowseError> in
            _ = await before?.value
            do throws(BrowseError) {
                return .success(try await toggleFavorite(favorite, shownAs: shown))
            } catch {
                return .failure(error)
            }
        }
        intent.last = write
        intents[id] = intent
        didChange([id])
        return settle(id, wanted: !shown, await write.value)
    }

    /// Takes the end of one write; the person may have asked for something else since.
    private func settle(
        _ id: Favorite.ID,
        wanted: Bool,
        _ result: Result<ToggleFavorite.Outcome, BrowseError>
    ) -> BrowseError? {
        guard var intent = intents[id] else { return nil }
        intent.writes -= 1
        var failure: BrowseError?
        switch result {
        case .success(.added), .success(.removed):
            if let place = intent.early.firstIndex(of: wanted) {
                intent.early.remove(at: place)
            } else {
                intent.expected.append(wanted)
            }
        case .success(.alreadyThere), .success(.alreadyGone):
            // Somebody else was faster. Their change is still on its way here, unless a later one has come already.
            if stored.contains(id) != wanted, intent.early.isEmpty { intent.expected.append(wanted) }
        case .failure(let error): failure = error
        }
        if !isFollowing {
            // Nothing will come back.
            if failure == nil { remember(id, isFavorite: wanted) }
            intent.expected = []
        }
        intents[id] = intent
        resolve(id)
        return failure
    }

    private func receive(_ change: FavoriteChange) {
        switch change {
        case .added(let favorite): receive(favorite.id, isFavorite: true)
        case .removed(let id): receive(id, isFavorite: false)
        case .replaced(let ids):
            stored = ids
            for id in Array(intents.keys) {
                intents[id]?.expected = []
                resolve(id)
            }
            didChange(nil)
        case .recovered:
            break
        }
        didStore(change)
    }

    private func receive(_ id: Favorite.ID, isFavorite: Bool) {
        remember(id, isFavorite: isFavorite)
        if let place = intents[id]?.expected.firstIndex(of: isFavorite) {
            intents[id]?.expected.remove(at: place)
        } else if let writes = intents[id]?.writes, writes > 0 {
            intents[id]?.early.append(isFavorite)
        }
        resolve(id)
        didChange([id])
    }

    private func remember(_ id: Favorite.ID, isFavorite: Bool) {
        if isFavorite { stored.insert(id) } else { stored.remove(id) }
    }

    /// Forgets an intent that is done with: stored and come back, or failed.
    private func resolve(_ id: Favorite.ID) {
        guard let intent = intents[id], intent.writes == 0, intent.expected.isEmpty else { return }
        intents[id] = nil
        if stored.contains(id) != intent.isFavorite { didChange([id]) }
    }
}
