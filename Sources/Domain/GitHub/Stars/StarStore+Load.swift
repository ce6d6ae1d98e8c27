import BrowseDomain
import Synchronization

extension GitHub.StarStore {
    /// Loads the starred list; ``failure`` is the error if that fails.
    ///
    /// A complete read replaces the server's values, so a star removed elsewhere is unset. Intents remain, and so do writes
    /// since the read began.
    public func load() async {
        let load = state.withLock { state in
            state.failure = nil
            state.load += 1
            return state.load
        }
        var failure: BrowseError?
        do throws(BrowseError) { try await readList(in: load) } catch { failure = error }
        state.withLock { state in
            guard state.load == load, state.isActive else { return }
            state.failure = failure
            state.canWrite = true
        }
        write()
    }

    /// Reads the starred list until it is consistent.
    ///
    /// When a star is removed during the read, later pages move up, and the read misses a row. So a list of several pages is
    /// read again until it equals the previous read or the known values.
    private func readList(in load: Int) async throws(BrowseError) {
        var lastRead = state.withLock { $0.history.starredOnServer }
        for attempt in 1...Self.readLimit {
            let start = beginRead()
            var (ids, pageCount) = (Set<GitHub.Repo.ID>(), 0)
            try await repository.starred { page throws(BrowseError) in
                ids.formUnion(page.items)
                pageCount += 1
                // Shows the stars of a page before the list is complete.
                try change(in: load) { history in
                    history.addStarred(page.items)
                    return Set(page.items)
                }
            }
            if pageCount <= 1 || ids == lastRead || attempt == Self.readLimit {
                let interval = endRead(from: start)
                return try change(in: load) { [ids] in $0.replace(with: ids, readDuring: interval) }
            }
            lastRead = ids
        }
    }

    /// Changes the history and notifies listeners.
    ///
    /// - Throws: `.cancelled` if the session has ended or another load has begun.
    private func change(in load: Int, _ body: (inout StarHistory) -> Set<GitHub.Repo.ID>) throws(BrowseError) {
        let changed = state.withLock { state -> Set<GitHub.Repo.ID>? in
            state.load == load && state.isActive ? body(&state.history) : nil
        }
        guard let changed else { throw .cancelled }
        if !changed.isEmpty { broadcast.send(.repos(changed)) }
    }
}
