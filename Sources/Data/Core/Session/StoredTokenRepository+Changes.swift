import BrowseDomain

extension StoredTokenRepository {
    /// Reads the store after each change that it reports.
    func follow(_ changes: AsyncStream<Void>) {
        changesTask = Task { [weak self] in
            for await _ in changes { await self?.reload() }
        }
    }

    /// Reads the store if its revision has changed; returns when the session is up to date.
    func reloadIfChanged() async {
        while true {
            if let reloadTask {
                await reloadTask.value
                continue
            }
            let current = store.revision
            guard current != revision else { return }
            revision = current
            reloadTask = Task {
                await reload()
                reloadTask = nil
            }
        }
    }

    /// Whether a grant is the current one, also after changes by other processes.
    func isStillInUse(_ id: TokenGrant.ID) async -> Bool {
        await reloadIfChanged()
        return isInUse(id)
    }

    /// Reads the store, and continues with the session that it has.
    func reload() async {
        var result: Result<Credentials?, BrowseError>
        var count: Int
        repeat {
            switch state {
            // The next request reads the store.
            case .unread, .locked: return
            case .unusable, .empty, .inUse: break
            }
            count = changeCount
            result = await storing.run { [store] in
                await Result.of { () throws(BrowseError) in try await store.load() }
            }
            // The end of a sign-in changes the count too.
        } while count != changeCount || isBeginning
        guard case .success(let stored) = result else { return }
        switch (state, stored) {
        case (.inUse(let session), nil):
            await end(session.grant.id, .signedOut(session.grant.id))
        case (.inUse(let session), let stored?):
            await reload(session, from: stored)
        case (.empty, let stored?):
            // A sign-out here that couldn't be stored.
            if let undeleted, undeleted.isSameSignIn(as: stored) {
                if await delete(undeleted, evenUnreadable: false) == nil { self.undeleted = nil }
            } else {
                restore(stored)
            }
        case (.unusable, let stored?):
            restore(stored)
        case (.unusable, nil):
            endSession()
            broadcast.send(.restored)
        case (.empty, nil), (.unread, _), (.locked, _):
            break
        }
    }

    private func reload(_ session: TokenSession, from stored: Credentials) async {
        let (grant, old) = (session.grant, session.grant.credentials)
        guard stored.token != old.token, stored.token != session.unsaved?.storedToken else { return }
        if stored.continues(old) { return await replaceCredentials(of: grant.id, with: stored) }
        await end(grant.id, .signedOut(grant.id))
        // Another sign-in may have begun here during the suspension.
        guard case .empty = state, !isBeginning else { return }
        restore(stored)
    }

    private func restore(_ credentials: Credentials) {
        _ = use(credentials)
        broadcast.send(.restored)
    }
}
