import BrowseDomain

extension GitHub.StarStore {
    /// A change that the user made and the server hasn't confirmed.
    struct Intent {
        var repo: GitHub.Repo
        /// The event at which ``repo`` was read.
        var readAt: Int
        /// The intent with the lowest number is written first.
        let number: Int
        var isStarred: Bool
        /// Whether it was made before the sign-in, which can be refused.
        var isEarly: Bool
        /// The server's value before the write in flight, and whether it's known.
        var before: (wasStarred: Bool, isKnown: Bool)?
        /// Sends the outcome to the callers that wait for it.
        let outcome = Broadcast<Outcome>()

        /// The difference that the intent makes to a count.
        func effect(on wasStarred: Bool) -> Int { (isStarred ? 1 : 0) - (wasStarred ? 1 : 0) }
    }

    /// The last change of a repository that the server has made, or may have.
    struct FinishedChange {
        let intent: Intent
        /// The event of the end. A read that was sent before it says nothing about the repository.
        let event: Int
        /// The count before it; `nil` if it's unknown.
        var base: Int?
        /// The difference that it made to the count.
        var effect: Int
        /// Whether the effect or the count is a guess, which a read of the repository corrects.
        var isGuess: Bool
    }

    /// The server's values of one account, with the user's intents layered over them.
    ///
    /// One counter orders the events: the sending of each read, and the end of each write.
    struct State {
        /// Whether a user is signed in; if not, the intents wait for a sign-in, and aren't shown.
        var isActive = false
        /// The repositories that are starred on the server, as far as known.
        var starred: Set<GitHub.Repo.ID> = []
        var intents: [GitHub.Repo.ID: Intent] = [:]
        /// The last changes, whose counts replace those of rows that were read before them.
        var changes: [GitHub.Repo.ID: FinishedChange] = [:]
        /// The event at which a star was last removed.
        private var lastRemoval = 0
        /// The repositories whose last change has an unknown outcome.
        var unconfirmed: Set<GitHub.Repo.ID> = []
        var failure: BrowseError?
        /// The begin of the session or its last load that succeeded. Earlier failures don't count.
        var loadedAt = 0
        /// The begin of the session, by which tasks detect that they're outdated.
        var session = 0
        /// The begin of the session or of its last complete read. Earlier reads are outdated.
        var validSince = 0
        var writer: Task<Void, Never>?
        /// The pause after the last write, even of an earlier session.
        var pause: Task<Void, Never>?
        private var lastEvent = 0

        /// The changes that ``GitHub/StarStore/update(_:)`` reports.
        var changed: Set<GitHub.Repo.ID> = []

        func isStarred(_ id: GitHub.Repo.ID) -> Bool {
            isActive && (intents[id]?.isStarred ?? starred.contains(id))
        }

        /// The count of a repository with the changes after its read; `nil` if it was read without
        /// one.
        func count(of repo: GitHub.Repo, readAt event: Int) -> Int? {
            guard var count = finishedCount(of: repo, readAt: event) else { return nil }
            if isActive, let intent = intents[repo.id] {
                // The server's count can be any number.
                count &+= intent.effect(on: intent.before?.wasStarred ?? starred.contains(repo.id))
            }
            return max(0, count)
        }

        /// The count after the last change that has ended, or after the read, if that's later.
        private func finishedCount(of repo: GitHub.Repo, readAt event: Int) -> Int? {
            guard let count = repo.starCount, let change = changes[repo.id], change.event > event else {
                return repo.starCount
            }
            return (change.base ?? count) &+ change.effect
        }

        /// Whether the server's value of a star is known, from a read or from a change.
        private func isKnown(_ id: GitHub.Repo.ID) -> Bool {
            guard !unconfirmed.contains(id) else { return false }
            // All stars are known after a complete read.
            return validSince > session || starred.contains(id) || changes[id].map { $0.event > session } == true
        }

        mutating func nextEvent() -> Int {
            lastEvent += 1
            return lastEvent
        }

        /// Adds an intent, or updates the repository's existing one.
        ///
        /// - Returns: The write; `nil` if a star is removed while no user is signed in.
        mutating func set(_ isStarred: Bool, for repo: GitHub.Repo, readAt event: Int) -> StarWrite? {
            guard isActive || isStarred else {
                if let intent = intents[repo.id] { end(intent, .cancelled) }
                return nil
            }
            let number = nextEvent()
            let isEarly = !isActive
            let new = Intent(repo: repo, readAt: event, number: number, isStarred: isStarred, isEarly: isEarly)
            var intent = intents[repo.id] ?? new
            intent.isStarred = isStarred
            // A later read knows the present name; a cached row may have an older one.
            if event > intent.readAt {
                intent.repo = repo
                intent.readAt = event
                intent.isEarly = isEarly
            }
            intents[repo.id] = intent
            changed.insert(repo.id)
            return StarWrite(outcomes: intent.outcome.stream())
        }

        /// Ends the intents that match the server's value; called after each change.
        mutating func endRedundantIntents() {
            for (id, intent) in intents
            where isActive && intent.before == nil && isKnown(id) && intent.isStarred == starred.contains(id) {
                end(intent, .stored)
            }
        }

        /// Discards the intents that wait for a sign-in.
        mutating func discardPending() {
            guard !isActive else { return }
            for intent in intents.values { end(intent, .cancelled) }
        }

        private mutating func end(_ intent: Intent, _ outcome: Outcome) {
            intents[intent.repo.id] = nil
            changed.insert(intent.repo.id)
            intent.outcome.send(outcome)
            intent.outcome.finish()
        }

        /// Begins the write of the oldest intent; if there is none, ends the writer and returns
        /// `nil`.
        mutating func beginWrite(in session: Int) -> Intent? {
            guard session == self.session else { return nil }
            guard isActive, let intent = intents.values.min(by: { $0.number < $1.number }) else {
                writer = nil
                return nil
            }
            let before = (starred.contains(intent.repo.id), isKnown(intent.repo.id))
            intents[intent.repo.id]?.before = before
            return intent
        }

        /// Ends a write, unless its session has ended.
        ///
        /// - Returns: The repository, if its count after the change must be read.
        mutating func endWrite(_ written: Intent, _ outcome: Outcome, in session: Int) -> GitHub.Repo? {
            let id = written.repo.id
            guard session == self.session, let intent = intents[id], let before = intent.before else { return nil }
            intents[id]?.before = nil
            changed.insert(id)
            switch outcome {
            // The sign-in is refused, so the session is about to end, and the star waits for the
            // next one.
            case .undone(.unauthorized(let info)) where intent.isEarly && !info.isUnproven:
                isActive = false
                return nil
            case .stored, .unconfirmed:
                let base = finishedCount(of: written.repo, readAt: written.readAt)
                let wasGuess = changes[id].map { $0.isGuess && $0.event > written.readAt } == true
                changes[id] = FinishedChange(
                    intent: written,
                    event: nextEvent(),
                    base: base,
                    effect: written.effect(on: before.wasStarred),
                    isGuess: base == nil || !before.isKnown || wasGuess
                )
                if !written.isStarred { lastRemoval = lastEvent }
                if written.isStarred { starred.insert(id) } else { starred.remove(id) }
                if outcome == .stored { unconfirmed.remove(id) } else { unconfirmed.insert(id) }
            case .undone(.rateLimited):
                // GitHub would refuse the others too.
                for other in intents.values where other.repo.id != id { end(other, outcome) }
            case .undone, .cancelled: break
            }
            // Otherwise, the user has changed the star during the write, so another one may be
            // needed.
            if intent.isStarred == written.isStarred { end(intent, outcome) }
            return outcome == .stored && changes[id]?.isGuess == true ? written.repo : nil
        }

        /// Replaces the guessed count after a change by one that was read after it.
        mutating func correct(_ id: GitHub.Repo.ID, to count: Int) {
            changes[id]?.base = count
            changes[id]?.effect = 0
            changes[id]?.isGuess = false
            changed.insert(id)
        }

        /// Takes over the server's values from a read, unless a change has ended after it was sent.
        ///
        /// A complete read lists all stars, unless one was removed meanwhile: later rows move to
        /// pages that were read before. A star that a change is waiting to remove stays until then.
        mutating func merge(_ ids: Set<GitHub.Repo.ID>, readAt event: Int, isComplete: Bool) -> Bool {
            guard isActive, event > validSince else { return false }
            let isComplete = isComplete && !mayHaveRemoved(since: event)
            for id in isComplete ? ids.union(starred).union(unconfirmed) : ids {
                let isStarred = ids.contains(id)
                let isOlder = changes[id].map { $0.event > event } == true
                guard !isOlder, intents[id] == nil || isStarred else { continue }
                let isDifferent = isStarred != starred.contains(id)
                let wasUnconfirmed = unconfirmed.remove(id) != nil
                guard isDifferent || wasUnconfirmed else { continue }
                // The change with an unknown outcome wasn't made.
                if isDifferent, wasUnconfirmed { changes[id]?.effect = 0 }
                if isStarred { starred.insert(id) } else { starred.remove(id) }
                changed.insert(id)
            }
            if isComplete { validSince = event }
            return true
        }

        /// Whether a star may have been removed after an event.
        func mayHaveRemoved(since event: Int) -> Bool {
            lastRemoval > event || intents.values.contains { $0.before.map { $0.wasStarred || !$0.isKnown } == true }
        }

        /// Discards the account's stars and intents, except stars that waited for the sign-in.
        ///
        /// - Returns: The writer. The changes remain, since they are part of the counts.
        mutating func end() -> Task<Void, Never>? {
            for (id, intent) in intents {
                if intent.isEarly, intent.isStarred { intents[id]?.before = nil } else { end(intent, .cancelled) }
            }
            changed.formUnion(starred)
            starred = []
            unconfirmed = []
            failure = nil
            isActive = false
            session = nextEvent()
            validSince = session
            loadedAt = session
            return writer.take()
        }
    }
}
