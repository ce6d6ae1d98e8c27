import BrowseDomain

/// Tracks the favorites for one screen: the stored ones, and the person's pending changes.
///
/// A change shows at once, and is undone if it can't be stored. Until the repository reports it,
/// reports of older changes don't override it.
@MainActor
final class FavoriteTracker {
    /// Called with each change of the stored favorites, after the marks are updated.
    var didStore: @MainActor (FavoriteChange) -> Void = { _ in }

    private var observers: [@MainActor (Set<Favorite.ID>?) -> Void] = []

    private let repository: any FavoriteRepository
    private var stored: Set<Favorite.ID> = []
    private var intents: [Favorite.ID: Intent] = [:]
    private var joining: CoalescedLoad?
    private var isJoined = false
    /// The favorites that were reported or stored while all were read.
    private var changed: [Favorite.ID: Bool] = [:]
    private var following: Task<Void, Never>?
    private var refreshing: Task<Void, Never>?

    /// The latest change of a favorite by the person.
    private struct Intent {
        var isFavorite: Bool
        /// The number of writes in progress.
        var writes = 0
        /// The number of additions and removals that are stored, but not reported yet.
        ///
        /// It's negative for those that were reported while writes were in progress, which the
        /// writes may have caused.
        var unreported: [Bool: Int] = [:]
        var last: Write?
    }

    /// An addition or a removal, in a task that returns whether it changed the stored favorites.
    @MainActor
    private final class Write {
        var hasBegun = false
        var isCanceled = false
        var task: Task<Result<Bool, BrowseError>, Never>?

        /// Cancels the write if it hasn't begun.
        func cancel() -> Bool {
            if !hasBegun { isCanceled = true }
            return isCanceled
        }

        /// The error of the write; `nil` if it succeeded or was canceled.
        var failure: BrowseError? {
            get async { await task?.value.failure }
        }
    }

    init(repository: any FavoriteRepository) {
        self.repository = repository
    }

    deinit { following?.cancel() }

    /// Whether there are no favorites.
    var isEmpty: Bool { stored.isEmpty && intents.isEmpty }

    /// Adds a closure that is called with the favorites that changed, or `nil` if all may have.
    func addObserver(_ didChange: @escaping @MainActor (Set<Favorite.ID>?) -> Void) {
        observers.append(didChange)
    }

    private func didChange(_ ids: Set<Favorite.ID>?) {
        for observer in observers { observer(ids) }
    }

    /// Returns whether a favorite is stored or being added.
    func contains(_ id: Favorite.ID) -> Bool { intents[id]?.isFavorite ?? stored.contains(id) }

    /// Returns whether a favorite is being removed.
    func isRemoving(_ id: Favorite.ID) -> Bool { intents[id]?.isFavorite == false }

    /// Reads the stored favorites and observes their changes.
    ///
    /// A failure isn't reported, since a list is useful without its marks; the next call tries
    /// again.
    ///
    /// - Returns: The load to wait for; `nil` if the favorites are known.
    func follow() -> CoalescedLoad? {
        if isJoined {
            // Another process may have changed them since.
            checkForChanges()
            return nil
        }
        if let joining { return joining }
        // Before reading, so that no change is missed.
        followChanges()
        changed = [:]
        let load = CoalescedLoad { [weak self, repository] in
            let ids = try? await repository.ids()
            await self?.join(ids)
        }
        joining = load
        load.keep()
        return load
    }

    /// Observes changes without reading the favorites, for a list that contains only favorites.
    func followChanges() {
        guard following == nil else { return }
        following = Task { [weak self, changes = repository.changes] in
            for await change in changes { self?.receive(change) }
        }
    }

    /// Reads changes by other processes; nothing waits for it.
    func checkForChanges() {
        Task { [repository] in await repository.reportExternalChanges() }
    }

    private func join(_ ids: Set<Favorite.ID>?) {
        // All may have been replaced since.
        guard joining != nil else { return }
        joining = nil
        guard let ids else { return }
        isJoined = true
        stored = ids
        for (id, isFavorite) in changed { remember(id, isFavorite: isFavorite) }
        if !stored.isEmpty { didChange(nil) }
    }

    /// Adds or removes a favorite, whose mark on screen is `shown`. The mark changes at once.
    ///
    /// Returns when the change is stored. Canceling the task doesn't undo it.
    ///
    /// - Returns: The error if storing failed and the mark changed back.
    func set(_ favorite: Favorite, to isFavorite: Bool, shownAs shown: Bool) async -> BrowseError? {
        let id = favorite.id
        if isFavorite == shown {
            // The pending change, which is shown, is the same one.
            if let pending = intents[id]?.last { return await pending.failure }
            // Until the favorites are read, a mark that isn't set says nothing about the stored
            // state.
            if isJoined { return nil }
        }
        // Without an intent, the mark on screen is the stored state.
        if intents[id] == nil { remember(id, isFavorite: shown) }
        var intent = intents[id] ?? Intent(isFavorite: shown)
        intent.isFavorite = isFavorite
        // A second tap undoes the first one, which needn't be stored, so the favorite keeps its
        // place. Before the favorites are read, a mark that isn't set says nothing.
        if isJoined || isFavorite, let last = intent.last, !last.isCanceled, last.cancel() {
            intents[id] = intent
            didChange([id])
            return await last.failure
        }
        intent.writes += 1
        let write = Write()
        // Writes are serial, so that the last tap is stored last.
        write.task = Task { [repository, write, before = intent.last] in
            _ = await before?.failure
            guard !write.isCanceled else { return .success(false) }
            write.hasBegun = true
            return await Result.of { () throws(BrowseError) in
                // The opposite of what the row showed, and not of what is stored.
                try await isFavorite ? repository.add(favorite) : repository.remove(favorite.id)
            }
        }
        intent.last = write
        intents[id] = intent
        didChange([id])
        let result = await write.task?.value ?? .failure(.cancelled)
        finishWrite(id, wanted: isFavorite, write.isCanceled ? nil : result)
        return result.failure
    }

    /// Processes the result of a write; `nil` if it was canceled. The person may have tapped again
    /// since.
    private func finishWrite(_ id: Favorite.ID, wanted: Bool, _ result: Result<Bool, BrowseError>?) {
        guard var intent = intents[id] else { return }
        intent.writes -= 1
        switch result {
        case .success(true): intent.unreported[wanted, default: 0] += 1
        case .success(false) where !isJoined: note(id, isFavorite: wanted)
        case .success(false):
            // Another screen or process made the change, and its report may follow.
            let isReported = intent.unreported.values.contains { $0 < 0 }
            if stored.contains(id) != wanted, !isReported { intent.unreported[wanted, default: 0] += 1 }
        case .failure, nil: break
        }
        if following == nil, let result {
            // No report follows, because the repository isn't observed.
            if result.failure == nil { remember(id, isFavorite: wanted) }
            intent.unreported = [:]
        }
        intents[id] = intent
        resolve(id)
    }

    /// Updates the stored favorites among entities that the server has just sent or confirmed.
    ///
    /// Nothing waits for it, and a failure isn't reported: the rows show the entities.
    ///
    /// - Parameter fresh: Returns the entities as favorites, once the stored ones are known.
    func refresh(_ fresh: @escaping @MainActor () -> [Favorite]) {
        if isJoined, isEmpty { return }
        // One after another, so that the last version is stored last.
        refreshing = Task { [repository, joining, before = refreshing] in
            await before?.value
            await joining?.wait()
            let favorites = fresh().filter { contains($0.id) && !$0.title.isEmpty }
            if !favorites.isEmpty { try? await repository.update(favorites) }
        }
    }

    private func receive(_ change: FavoriteChange) {
        switch change {
        case .added(let favorite): receive(favorite.id, isFavorite: true)
        case .removed(let id, _): receive(id, isFavorite: false)
        case .replaced(let ids):
            stored = ids
            isJoined = true
            joining = nil
            // A report that came before its write has ended still counts.
            for (id, intent) in intents {
                intents[id]?.unreported = intent.unreported.filter { $0.value < 0 }
                resolve(id)
            }
            didChange(nil)
        case .updated, .recovered: break
        }
        didStore(change)
    }

    private func receive(_ id: Favorite.ID, isFavorite: Bool) {
        note(id, isFavorite: isFavorite)
        if let intent = intents[id], intent.writes > 0 || intent.unreported[isFavorite, default: 0] > 0 {
            intents[id]?.unreported[isFavorite, default: 0] -= 1
        }
        resolve(id)
        didChange([id])
    }

    private func remember(_ id: Favorite.ID, isFavorite: Bool) {
        if isFavorite { stored.insert(id) } else { stored.remove(id) }
    }

    /// Remembers the state of a favorite in the repository, which the favorites being read may
    /// lack.
    private func note(_ id: Favorite.ID, isFavorite: Bool) {
        remember(id, isFavorite: isFavorite)
        if joining != nil { changed[id] = isFavorite }
    }

    /// Removes an intent that has no pending writes or reports.
    private func resolve(_ id: Favorite.ID) {
        guard let intent = intents[id], intent.writes == 0, intent.unreported.values.allSatisfy({ $0 <= 0 }) else {
            return
        }
        intents[id] = nil
        if stored.contains(id) != intent.isFavorite { didChange([id]) }
    }
}
