import BrowseDomain
import Synchronization

extension GitHub.StarStore {
    /// Changes the state, and reports changes and outcomes.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, changed, outcomes) = state.withLock { state in
            let result = change(&state)
            defer { (state.changed, state.outcomes) = ([], []) }
            return (result, state.changed, state.outcomes)
        }
        if !changed.isEmpty { broadcast.send(changed) }
        for (waiters, outcome) in outcomes {
            for waiter in waiters {
                waiter.yield(outcome)
                waiter.finish()
            }
        }
        return result
    }

    /// Starts writing the intents, unless a writer is running.
    func startWriting() {
        update { state in
            guard state.isActive else { return }
            state.endRedundantIntents()
            guard state.writer == nil, !state.intents.isEmpty else { return }
            state.writer = Task { [session = state.session] in await write(in: session) }
        }
    }

    private func write(in session: Int) async {
        while true {
            // Not canceled with the session: GitHub's limit applies to the next session's writes too.
            await state.withLock { $0.pause }?.value
            guard let intent = update({ $0.beginWrite(in: session) }) else { return }
            let outcome = await send(intent)
            update { state in
                state.pause = Task { [clock] in try? await clock.sleep(for: Self.pause) }
                state.endWrite(intent, outcome, in: session)
            }
        }
    }

    /// Sends a write; if its outcome is unknown, queries GitHub's value.
    private func send(_ intent: Intent) async -> Outcome {
        do throws(BrowseError) {
            try await repository.set(intent.isStarred, for: intent.repo)
            return .stored
        } catch let failure {
            guard failure.leavesOutcomeUnknown else { return failure == .cancelled ? .cancelled : .undone(failure) }
            do throws(BrowseError) {
                return try await repository.isStarred(intent.repo) == intent.isStarred ? .stored : .undone(failure)
            } catch {
                return error == .cancelled ? .cancelled : .unconfirmed(failure)
            }
        }
    }
}

extension BrowseError {
    /// Whether the server may have applied a write that failed in this way.
    fileprivate var leavesOutcomeUnknown: Bool {
        switch self {
        case .timedOut, .unusableResponse, .unreachable(.connectionLost, _), .unreachable(.other, _): true
        // Gateway Timeout: the server behind the gateway may have received the request.
        case .serverFailure(let info): info.status == 504
        default: false
        }
    }
}
