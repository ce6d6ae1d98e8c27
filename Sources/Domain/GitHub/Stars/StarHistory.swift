import BrowseDomain
import Foundation

/// The stars of one account: the server's values with pending intents layered over them.
///
/// Every event has a number. A row stores the numbers between which it was read (``GitHub/StarStore/ReadInterval``), so its
/// count can be corrected for later writes and for intents.
struct StarHistory {
    typealias ID = GitHub.Repo.ID
    typealias ReadInterval = GitHub.StarStore.ReadInterval

    /// A change that the user made and the server hasn't confirmed.
    struct Intent {
        var repo: GitHub.Repo
        /// When ``repo`` was read; `nil` if that is unknown.
        var interval: ReadInterval?
        /// The count to use if the row's own read overlaps a write.
        fileprivate var baseline: Baseline?
        var isStarred: Bool
        /// The number of the event; the intent with the lowest number is sent first.
        var number: Int
        var isInFlight = false
    }

    /// A star count, and when it was read.
    fileprivate struct Baseline {
        let starCount: Int
        let interval: ReadInterval?
    }

    /// A change on the server, in flight or completed.
    private struct Write {
        let began: Int
        /// `nil` while in flight.
        var ended: Int?
        /// The time of the end.
        var date: Date?
        let isStarred: Bool
        /// The server's value before the write.
        let wasStarred: Bool
        var baseline: Baseline?
        /// Whether the outcome of an earlier attempt is unknown, so the change may be counted already.
        var followsUnknown = false
        /// Whether a later read or session overrides the written star. The write still corrects counts.
        var isSuperseded = false

        var effect: Int { (isStarred ? 1 : 0) - (wasStarred ? 1 : 0) }

        /// Whether the server may have changed the star during this interval.
        func overlaps(_ interval: ReadInterval?) -> Bool {
            interval.map { began < $0.end && (ended ?? .max) > $0.start } ?? false
        }

        /// Whether a count from this interval is uncertain, because it may or may not include the change.
        func makesUncertain(_ interval: ReadInterval?) -> Bool {
            overlaps(interval) && (effect != 0 || followsUnknown)
        }
    }

    private var lastEventNumber = 0
    /// The IDs in the starred list as last read.
    private var listed: Set<ID> = []
    private var sessionStart = 0
    private var writes: [ID: [Write]] = [:]
    /// Writes with an unknown outcome, which couldn't be queried either.
    private var unknownWrites: [ID: Write] = [:]
    private var intents: [ID: Intent] = [:]

    /// The number of repositories with a pending intent.
    var intentCount: Int { intents.count }

    /// Whether the outcome of any write is unknown.
    var hasUnknownWrites: Bool { !unknownWrites.isEmpty }

    /// The IDs that are starred on the server, as far as known.
    var starredOnServer: Set<ID> { listed.union(writes.keys).filter(isStarredOnServer) }

    /// Whether the star is shown as set; `false` when unknown.
    func isStarred(_ id: ID) -> Bool {
        intents[id]?.isStarred ?? unknownWrites[id]?.isStarred ?? isStarredOnServer(id)
    }

    /// The star count to show for a repository; `nil` if it was read without one.
    ///
    /// A read that overlaps a write may or may not include it. Until the repository is reloaded, the count is based on an
    /// earlier read.
    func starCount(of repo: GitHub.Repo, readDuring interval: ReadInterval?) -> Int? {
        guard let baseline = baseline(of: repo, readDuring: interval) else { return nil }
        return max(0, baseline.starCount + countAdjustment(of: repo.id, readDuring: baseline.interval))
    }

    /// The count that was read, or an earlier count, if known, when the read overlaps a write.
    private func baseline(of repo: GitHub.Repo, readDuring interval: ReadInterval?) -> Baseline? {
        guard let starCount = repo.starCount else { return nil }
        let beforeWrite = writes[repo.id]?.first { $0.makesUncertain(interval) }?.baseline
        let beforeUnknownWrite = unknownWrites[repo.id].flatMap { $0.overlaps(interval) ? $0.baseline : nil }
        return beforeWrite ?? beforeUnknownWrite ?? Baseline(starCount: starCount, interval: interval)
    }

    /// The difference between the count to show and the count that was read.
    ///
    /// Without an interval, the count is from before all events.
    func countAdjustment(of id: ID, readDuring interval: ReadInterval?) -> Int {
        let start = interval?.start ?? 0
        var adjustment = 0
        for write in writes[id] ?? [] where (write.ended ?? 0) > start { adjustment += write.effect }
        // A read after a write with an unknown outcome includes the change if the server applied it.
        let unconfirmed = unknownWrites[id].flatMap { start < ($0.ended ?? .max) ? $0.isStarred : nil }
        if let shown = intents[id]?.isStarred ?? unconfirmed {
            adjustment += (shown ? 1 : 0) - (isStarredOnServer(id) ? 1 : 0)
        }
        return adjustment
    }

    /// Whether a read overlapped a write, so its count may or may not include the change.
    func isCountUncertain(of id: ID, readDuring interval: ReadInterval) -> Bool {
        (writes[id] ?? []).contains { $0.makesUncertain(interval) }
    }

    /// Returns the interval of a cached read: just after the last write that had ended by the date.
    func readInterval(cachedSince date: Date) -> ReadInterval {
        let last = writes.values.joined().filter { $0.date.map { $0 <= date } ?? false }.compactMap(\.ended).max() ?? 0
        return ReadInterval(start: last, end: last)
    }

    /// Whether a read began in the current session.
    func isFromCurrentSession(_ interval: ReadInterval) -> Bool {
        interval.start > sessionStart
    }

    /// Whether a write for this repository is in flight.
    func isWriteInFlight(for id: ID) -> Bool {
        (writes[id] ?? []).contains { $0.ended == nil }
    }

    /// The server's value, as far as known.
    private func isStarredOnServer(_ id: ID) -> Bool {
        let last = writes[id]?.last { $0.ended != nil && !$0.isSuperseded }
        return last?.isStarred ?? listed.contains(id)
    }
}

extension StarHistory {
    /// Returns the number of an event that happens now.
    mutating func nextEventNumber() -> Int {
        lastEventNumber += 1
        return lastEventNumber
    }

    /// Adds repositories that the server reports as starred.
    mutating func addStarred(_ ids: some Sequence<ID>) { listed.formUnion(ids) }

    /// Adds repositories that a page reported as starred, unless a write is newer than the page.
    ///
    /// - Returns: The IDs whose star or count may have changed.
    mutating func addStarred(_ ids: some Sequence<ID>, readDuring interval: ReadInterval) -> Set<ID> {
        var changed: Set<ID> = []
        for id in ids where intents[id] == nil && (!isStarred(id) || unknownWrites[id] != nil) {
            if update(true, for: id, readDuring: interval) { changed.insert(id) }
        }
        return changed
    }

    /// Replaces the server's values with a complete read of the starred list.
    ///
    /// Intents remain, and so do writes that are in flight or ended after the read began.
    ///
    /// - Returns: The IDs whose star or count may have changed.
    mutating func replace(with ids: Set<ID>, readDuring interval: ReadInterval) -> Set<ID> {
        var changed: Set<ID> = []
        for id in ids.union(listed).union(writes.keys).union(unknownWrites.keys) {
            if update(ids.contains(id), for: id, readDuring: interval) { changed.insert(id) }
        }
        return changed
    }

    /// Updates the server's value of one star, unless a write is newer.
    ///
    /// - Returns: Whether the star or a count may have changed.
    private mutating func update(_ isStarred: Bool, for id: ID, readDuring interval: ReadInterval) -> Bool {
        guard (writes[id] ?? []).allSatisfy({ ($0.ended ?? .max) < interval.start }),
            unknownWrites[id].map({ ($0.ended ?? .max) < interval.start }) ?? true
        else { return false }
        let (wasShown, wasUnknown) = (self.isStarred(id), unknownWrites[id] != nil)
        resolveUnknownWrite(to: isStarred, for: id)
        supersedeWrites(of: id)
        if isStarred { listed.insert(id) } else { listed.remove(id) }
        return wasUnknown || wasShown != self.isStarred(id)
    }

    private mutating func supersedeWrites(of id: ID) {
        for place in writes[id, default: []].indices { writes[id]?[place].isSuperseded = true }
    }

    /// Completes or discards a write with an unknown outcome, depending on the server's value.
    private mutating func resolveUnknownWrite(to isStarred: Bool, for id: ID) {
        guard var write = unknownWrites.removeValue(forKey: id), write.isStarred == isStarred else { return }
        write.followsUnknown = false
        writes[id, default: []].append(write)
    }

    /// Discards the intents that aren't in flight, and returns their IDs.
    mutating func discardUnsentIntents() -> Set<ID> {
        let unsent = Set(intents.filter { !$0.value.isInFlight }.keys)
        for id in unsent { intents[id] = nil }
        return unsent
    }

    /// Discards the account's stars and intents.
    ///
    /// Completed writes remain, because they correct the counts of rows that were read before them.
    mutating func endSession() {
        sessionStart = nextEventNumber()
        listed = []
        intents = [:]
        unknownWrites = [:]
        for id in Array(writes.keys) { supersedeWrites(of: id) }
    }
}

extension StarHistory {
    /// Adds an intent, or updates the repository's existing one.
    mutating func setStarred(_ isStarred: Bool, for repo: GitHub.Repo, readDuring interval: ReadInterval? = nil) {
        let number = nextEventNumber()
        if intents[repo.id] == nil {
            intents[repo.id] = Intent(
                repo: repo,
                interval: interval,
                baseline: interval.flatMap { baseline(of: repo, readDuring: $0) },
                isStarred: isStarred,
                number: number
            )
        }
        intents[repo.id]?.isStarred = isStarred
    }

    /// Removes the intents that match the server's value, and returns their IDs.
    mutating func removeRedundantIntents() -> [ID] {
        let redundant = intents.filter { id, intent in
            !intent.isInFlight && unknownWrites[id] == nil && intent.isStarred == isStarredOnServer(id)
        }.map(\.key)
        for id in redundant { intents[id] = nil }
        return redundant
    }

    /// Begins the write of the oldest intent that isn't in flight; `nil` if there is none.
    mutating func beginWrite() -> Intent? {
        guard let id = intents.filter({ !$0.value.isInFlight }).min(by: { $0.value.number < $1.value.number })?.key,
            var intent = intents[id]
        else { return nil }
        intent.isInFlight = true
        intents[id] = intent
        let now = nextEventNumber()
        let write = Write(
            began: unknownWrites[id]?.began ?? now,
            isStarred: intent.isStarred,
            wasStarred: isStarredOnServer(id),
            baseline: unknownWrites[id]?.baseline ?? intent.baseline,
            followsUnknown: unknownWrites[id] != nil
        )
        writes[id, default: []].append(write)
        return intent
    }

    /// The effect of a finished write on the user's intent.
    enum WriteResult {
        /// The server has the user's latest value.
        case completed
        /// The write failed, and the star is shown as before.
        case undone
        /// The user changed the star during the write, so another write is needed.
        case outdated
        /// The outcome is unknown, and the change is still shown.
        case unconfirmed
    }

    /// Ends a write with an unknown outcome.
    ///
    /// Its value is shown until the starred list is read, or the user sets the star again.
    mutating func endUnknownWrite(_ written: Intent, at date: Date) -> WriteResult {
        let id = written.repo.id
        guard let place = writes[id]?.firstIndex(where: { $0.ended == nil && !$0.isSuperseded }),
            var write = writes[id]?.remove(at: place)
        else { return .completed }
        write.ended = nextEventNumber()
        write.date = date
        unknownWrites[id] = write
        guard intents[id]?.isStarred == written.isStarred else {
            intents[id]?.isInFlight = false
            return .outdated
        }
        intents[id] = nil
        return .unconfirmed
    }

    /// Ends a write.
    ///
    /// - Parameters:
    ///   - written: The intent that ``beginWrite()`` returned.
    ///   - date: The time of success; `nil` if the write failed.
    mutating func endWrite(_ written: Intent, succeededAt date: Date?) -> WriteResult {
        let id = written.repo.id
        end(writeOf: id, isSuperseded: false, succeededAt: date)
        if date != nil { unknownWrites[id] = nil }
        guard let intent = intents[id] else { return .completed }
        if intent.isStarred != written.isStarred, intent.isStarred != isStarredOnServer(id) {
            intents[id]?.isInFlight = false
            return .outdated
        }
        intents[id] = nil
        return date != nil || intent.isStarred != written.isStarred ? .completed : .undone
    }

    /// Ends a write that began in an earlier session; it only corrects counts.
    mutating func endPastWrite(_ written: Intent, succeededAt date: Date?) {
        end(writeOf: written.repo.id, isSuperseded: true, succeededAt: date)
    }

    private mutating func end(writeOf id: ID, isSuperseded: Bool, succeededAt date: Date?) {
        let ended = nextEventNumber()
        guard let place = writes[id]?.firstIndex(where: { $0.ended == nil && $0.isSuperseded == isSuperseded }),
            var write = writes[id]?.remove(at: place)
        else { return }
        // Only successful writes remain.
        guard let date else { return }
        (write.ended, write.date) = (ended, date)
        writes[id]?.insert(write, at: place)
    }
}
