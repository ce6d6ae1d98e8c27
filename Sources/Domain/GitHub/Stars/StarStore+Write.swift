import BrowseDomain
import Synchronization

extension GitHub.StarStore {
    /// Starts writing pending changes, unless a writer is running.
    func write() {
        let redundant = state.withLock { state -> [StarWrite] in
            guard state.canWrite else { return [] }
            let redundant = state.removeRedundantIntents()
            guard state.writer == nil, state.history.intentCount > 0 else { return redundant }
            let session = state.session
            state.writer = Task { await write(in: session) }
            return redundant
        }
        for write in redundant { write.finish(with: .stored) }
    }

    private func write(in session: Int) async {
        while true {
            // Not canceled with the session: GitHub's limit applies to the next session's writes too.
            await state.withLock { $0.pause }?.value
            guard let intent = nextIntent(in: session) else { return }
            guard finish(intent, with: await send(intent), in: session) else { return }
        }
    }

    /// Sends a write; if its outcome is unknown, queries GitHub's value.
    private func send(_ intent: StarHistory.Intent) async -> StarWrite.Outcome {
        do throws(BrowseError) {
            try await repository.set(intent.isStarred, for: intent.repo)
            return .stored
        } catch {
            guard error.leavesOutcomeUnknown else { return .undone(error) }
            do throws(BrowseError) {
                return try await repository.isStarred(intent.repo) == intent.isStarred ? .stored : .undone(error)
            } catch .cancelled {
                return .cancelled
            } catch _ {
                return .unconfirmed(error)
            }
        }
    }

    /// Begins the next write; if there is none, clears the writer and returns `nil`.
    private func nextIntent(in session: Int) -> StarHistory.Intent? {
        let (intent, redundant) = state.withLock { state -> (StarHistory.Intent?, [StarWrite]) in
            guard state.session == session else { return (nil, []) }
            let redundant = state.removeRedundantIntents()
            let intent = state.history.beginWrite()
            if intent == nil { state.writer = nil }
            return (intent, redundant)
        }
        for write in redundant { write.finish(with: .stored) }
        return intent
    }

    /// Ends a write; returns `false` if the session has ended.
    private func finish(_ intent: StarHistory.Intent, with outcome: StarWrite.Outcome, in session: Int) -> Bool {
        let id = intent.repo.id
        let date = now()
        let finished = state.withLock { state -> (StarHistory.WriteResult, [StarWrite])? in
            state.pause = Task { [clock] in try? await clock.sleep(for: Self.pause) }
            guard state.session == session else {
                state.history.endPastWrite(intent, succeededAt: outcome == .stored ? date : nil)
                return nil
            }
            let result =
                if case .unconfirmed = outcome {
                    state.history.endUnknownWrite(intent, at: date)
                } else {
                    state.history.endWrite(intent, succeededAt: outcome == .stored ? date : nil)
                }
            return (result, result == .outdated ? [] : state.starWrites.removeValue(forKey: id) ?? [])
        }
        if case .undone(let error) = outcome, case .rateLimited = error { undoUnsentChanges(after: error, in: session) }
        broadcast.send(.repos([id]))
        guard let (result, writes) = finished else { return false }
        for write in writes { write.finish(with: result == .completed ? .stored : outcome) }
        if outcome == .stored, intent.isStarred {
            broadcast.send(.added(.init(repo: intent.repo, interval: intent.interval)))
        }
        return true
    }

    /// Undoes all unsent changes, since GitHub would refuse them too.
    private func undoUnsentChanges(after failure: BrowseError, in session: Int) {
        let (ids, writes) = state.withLock { state -> (Set<GitHub.Repo.ID>, [StarWrite]) in
            guard state.session == session else { return ([], []) }
            let ids = state.history.discardUnsentIntents()
            return (ids, ids.flatMap { state.starWrites.removeValue(forKey: $0) ?? [] })
        }
        if !ids.isEmpty { broadcast.send(.repos(ids)) }
        for write in writes { write.finish(with: .undone(failure)) }
    }
}

extension BrowseError {
    /// Whether the server may have applied a write that failed in this way.
    fileprivate var leavesOutcomeUnknown: Bool {
        switch self {
        case .timedOut, .unusableResponse: true
        // Gateway Timeout: the server behind the gateway may have received the request.
        case .serverFailure(let info): info.status == 504
        case .unreachable(let reason, _):
            switch reason {
            case .connectionLost, .other: true
            case .offline, .hostNotFound, .connectionRefused, .notSecure, .notCached: false
            }
        case .cancelled, .rateLimited, .unauthorized, .forbidden, .notFound, .rejected, .refused, .storageFailed,
            .signInFailed:
            false
        }
    }
}
