import Foundation

/// The starred repositories of one account: the server's values, with unsettled intents layered over them.
///
/// A value without concurrency. Every event gets a number. A row remembers the numbers between which it was read
/// (``GitHub/StarStore/ReadInterval``), so that its count can be corrected for writes that ended later and for intents.
struct StarHistory {
    typealias ID = GitHub.Repo.ID

    /// An unsettled intent of the user.
    struct Intent {
        var repo: GitHub.Repo
        /// When ``repo`` was read.
        var interval: GitHub.StarStore.ReadInterval
        /// A count that doesn't overlap a write, for rows that do.
        fileprivate var baseline: Baseline?
        var isStarred: Bool
        /// What was asked for first is sent first.
        var number: Int
        var isOnItsWay = false
    }

    /// A count of stars, and when it was read.
    fileprivate struct Baseline {
        let starCount: Int
        let interval: GitHub.StarStore.ReadInterval
    }

    /// A change on the server, in flight or completed.
    private struct Write {
        let began: Int
        /// `nil` while in flight.
        var ended: Int?
        /// When it ended.
        var date: Date?
        let isStarred: Bool
        /// The server's value before.
        let wasStarred: Bool
        var baseline: Baseline?
        /// Whether an earlier attempt had an unknown outcome, so that the server may have counted the change before.
        var followsUnknown = false
        /// Whether later reads or another session supersede it: it still corrects counts, but isn't the current value.
        var isPast = false

        var effect: Int { (isStarred ? 1 : 0) - (wasStarred ? 1 : 0) }

        /// Whether a count that was read then may or may not include this change.
        func overlaps(_ interval: GitHub.StarStore.ReadInterval) -> Bool {
            began < interval.end && (ended ?? .max) > interval.start && (effect != 0 || followsUnknown)
        }
    }

    /// A write with an unknown outcome: no response arrived, and asking the server failed too.
    private struct UnknownWrite {
        let began: Int
        let ended: Int
        let date: Date
        let isStarred: Bool
        let wasStarred: Bool
        let baseline: Baseline?

        /// Whether the server may have changed the count while it was read.
        func overlaps(_ interval: GitHub.StarStore.ReadInterval) -> Bool {
            began < interval.end && ended > interval.start
        }
    }

    /// The number of the last event.
    private var time = 0
    /// The IDs in the starred list as last read.
    private var listed: Set<ID> = []
    /// When the last session ended.
    private var sessionBegan = 0
    private var writes: [ID: [Write]] = [:]
    private var unknown: [ID: UnknownWrite] = [:]
    private var intents: [ID: Intent] = [:]

    /// The number of repositories with an unsettled intent.
    var intentCount: Int { intents.count }

    /// Whether the outcome of any write is unknown.
    var hasUnknownWrites: Bool { !unknown.isEmpty }

    /// The IDs that the server has starred, as far as known.
    var stored: Set<ID> { listed.union(writes.keys).filter(isStored) }

    /// Whether a star is shown; `false` also when unknown.
    func isStarred(_ id: ID) -> Bool {
        intents[id]?.isStarred ?? unknown[id]?.isStarred ?? isStored(id)
    }

    /// The count of stars to show for a repository that was read some time ago; `nil` when it was read without one.
    ///
    /// A read that overlapped a write may or may not include it. Until the row is read again, the count shown is that of a
    /// row without this doubt.
    func starCount(of repo: GitHub.Repo, readDuring interval: GitHub.StarStore.ReadInterval) -> Int? {
        guard let baseline = baseline(of: repo, readDuring: interval) else { return nil }
        return max(0, baseline.starCount + surplus(of: repo.id, readDuring: baseline.interval))
    }

    /// The read itself, or the one that preceded the write that it overlaps.
    private func baseline(of repo: GitHub.Repo, readDuring interval: GitHub.StarStore.ReadInterval) -> Baseline? {
        guard let starCount = repo.starCount else { return nil }
        let overlapped = writes[repo.id]?.first { $0.overlaps(interval) }?.baseline
        let unheard = unknown[repo.id].flatMap { $0.overlaps(interval) ? $0.baseline : nil }
        return overlapped ?? unheard ?? Baseline(starCount: starCount, interval: interval)
    }

    /// The difference between the count to show and the count that was read.
    func surplus(of id: ID, readDuring interval: GitHub.StarStore.ReadInterval) -> Int {
        var surplus = 0
        for write in writes[id] ?? [] where (write.ended ?? 0) > interval.start { surplus += write.effect }
        // A count that was read after a write with an unknown outcome includes it if the server applied it.
        let unheard = unknown[id].flatMap { interval.start < $0.ended ? $0.isStarred : nil }
        if let shown = intents[id]?.isStarred ?? unheard { surplus += (shown ? 1 : 0) - (isStored(id) ? 1 : 0) }
        return surplus
    }

    /// Whether a read overlapped a write, so that its count may or may not include the change.
    func isDoubtful(_ id: ID, readDuring interval: GitHub.StarStore.ReadInterval) -> Bool {
        (writes[id] ?? []).contains { $0.overlaps(interval) }
    }

    /// When something was read that was kept since: after the writes that had ended by then, and before all others.
    func readInterval(cachedSince date: Date) -> GitHub.StarStore.ReadInterval {
        let last = writes.values.joined().filter { $0.date.map { $0 <= date } ?? false }.compactMap(\.ended).max() ?? 0
        return GitHub.StarStore.ReadInterval(start: last, end: last)
    }

    /// Whether something was read for whoever these stars are of.
    func isOfThisSession(_ interval: GitHub.StarStore.ReadInterval) -> Bool {
        interval.start > sessionBegan
    }

    /// Whether the server is being asked to change something.
    func isOnItsWay(_ id: ID) -> Bool {
        (writes[id] ?? []).contains { $0.ended == nil }
    }

    /// The server's value, as far as known.
    private func isStored(_ id: ID) -> Bool {
        let last = writes[id]?.last { $0.ended != nil && !$0.isPast }
        return last?.isStarred ?? listed.contains(id)
    }
}

extension StarHistory {
    /// A number for something that happens now.
    mutating func tick() -> Int {
        time += 1
        return time
    }

    /// Takes what the server says is starred.
    mutating func list(_ ids: some Sequence<ID>) {
        listed.formUnion(ids)
    }

    /// Takes what the server said is starred when a page was read: it counts more than what was written before that.
    ///
    /// - Returns: Those of which that is news.
    mutating func list(_ ids: some Sequence<ID>, readDuring interval: GitHub.StarStore.ReadInterval) -> Set<ID> {
        var news: Set<ID> = []
        for id in ids where intents[id] == nil && (!isStarred(id) || unknown[id] != nil) {
            if take(true, for: id, readDuring: interval) { news.insert(id) }
        }
        return news
    }

    /// Replaces the stored values by a complete read of the starred list.
    ///
    /// Writes that ended or are in flight since the read began survive, and so do intents.
    ///
    /// - Returns: The IDs whose star or count may have changed.
    mutating func replace(with ids: Set<ID>, readDuring interval: GitHub.StarStore.ReadInterval) -> Set<ID> {
        var news: Set<ID> = []
        for id in ids.union(listed).union(writes.keys).union(unknown.keys) {
            if take(ids.contains(id), for: id, readDuring: interval) { news.insert(id) }
        }
        return news
    }

    /// Takes the server's value of one star, unless a write is newer.
    ///
    /// - Returns: Whether the star or a count may have changed.
    private mutating func take(_ isStarred: Bool, for id: ID, readDuring interval: GitHub.StarStore.ReadInterval)
        -> Bool
    {
        guard (writes[id] ?? []).allSatisfy({ ($0.ended ?? .max) < interval.start }),
            unknown[id].map({ $0.ended < interval.start }) ?? true
        else { return false }
        let (wasShown, wasUnknown) = (self.isStarred(id), unknown[id] != nil)
        confirm(isStarred, for: id)
        for place in writes[id, default: []].indices { writes[id]?[place].isPast = true }
        if isStarred { listed.insert(id) } else { listed.remove(id) }
        return wasUnknown || wasShown != self.isStarred(id)
    }

    /// Turns a write with an unknown outcome into a completed one, or drops it, by the server's value.
    private mutating func confirm(_ isStarred: Bool, for id: ID) {
        guard let write = unknown.removeValue(forKey: id), write.isStarred == isStarred else { return }
        writes[id, default: []].append(
            Write(
                began: write.began,
                ended: write.ended,
                date: write.date,
                isStarred: isStarred,
                wasStarred: write.wasStarred,
                baseline: write.baseline
            )
        )
    }

    /// Gives up everything that was asked for and is not on its way.
    mutating func giveUp() -> Set<ID> {
        let given = Set(intents.filter { !$0.value.isOnItsWay }.keys)
        for id in given { intents[id] = nil }
        return given
    }

    /// Forgets whose stars these were: what is starred, and what was asked for.
    ///
    /// What was written stays, since it counts for rows that were read before.
    mutating func end() {
        sessionBegan = tick()
        listed = []
        intents = [:]
        unknown = [:]
        for id in Array(writes.keys) {
            for place in writes[id, default: []].indices { writes[id]?[place].isPast = true }
        }
    }
}

extension StarHistory {
    /// Takes what the person asks for, in place of what they asked for before.
    mutating func setStarred(
        _ isStarred: Bool,
        for repo: GitHub.Repo,
        readDuring interval: GitHub.StarStore.ReadInterval = .earliest
    ) {
        let number = tick()
        if intents[repo.id] == nil {
            // Nothing is known of when a repository without an interval was read.
            let baseline = interval == .earliest ? nil : baseline(of: repo, readDuring: interval)
            intents[repo.id] = Intent(
                repo: repo,
                interval: interval,
                baseline: baseline,
                isStarred: isStarred,
                number: number
            )
        }
        intents[repo.id]?.isStarred = isStarred
    }

    /// Settles and returns the intents that match the server's value.
    mutating func settleNeedless() -> [ID] {
        let needless = intents.filter { id, intent in
            !intent.isOnItsWay && unknown[id] == nil && intent.isStarred == isStored(id)
        }.map(\.key)
        for id in needless { intents[id] = nil }
        return needless
    }

    /// Begins the write that was asked for first; `nil` when there is none to begin.
    mutating func beginWrite() -> Intent? {
        guard let id = intents.filter({ !$0.value.isOnItsWay }).min(by: { $0.value.number < $1.value.number })?.key,
            var intent = intents[id]
        else { return nil }
        intent.isOnItsWay = true
        intents[id] = intent
        let now = tick()
        let write = Write(
            began: unknown[id]?.began ?? now,
            isStarred: intent.isStarred,
            wasStarred: isStored(id),
            baseline: unknown[id]?.baseline ?? intent.baseline,
            followsUnknown: unknown[id] != nil
        )
        writes[id, default: []].append(write)
        return intent
    }

    /// What the end of a write means for what the person asked for.
    enum Ending {
        /// GitHub has it as they last asked for.
        case settled
        /// It was refused, and shows as before.
        case undone
        /// They have asked for the opposite since, which has to be written too.
        case open
        /// The outcome is unknown; the intent stays visible.
        case unconfirmed
    }

    /// Ends a write whose outcome is unknown: it is shown until the starred list is read, or the user decides again.
    mutating func endUnknownWrite(_ written: Intent, at date: Date) -> Ending {
        let id = written.repo.id
        guard let place = writes[id]?.firstIndex(where: { $0.ended == nil && !$0.isPast }),
            let write = writes[id]?.remove(at: place)
        else { return .settled }
        unknown[id] = UnknownWrite(
            began: write.began,
            ended: tick(),
            date: date,
            isStarred: write.isStarred,
            wasStarred: write.wasStarred,
            baseline: write.baseline
        )
        guard intents[id]?.isStarred == written.isStarred else {
            intents[id]?.isOnItsWay = false
            return .open
        }
        intents[id] = nil
        return .unconfirmed
    }

    /// Takes the end of a write that was begun; `nil` as its date when nothing was written.
    mutating func endWrite(_ written: Intent, succeededAt date: Date?) -> Ending {
        let id = written.repo.id
        end(writeOf: id, isPast: false, succeededAt: date)
        if date != nil { unknown[id] = nil }
        guard let intent = intents[id] else { return .settled }
        if intent.isStarred != written.isStarred, intent.isStarred != isStored(id) {
            intents[id]?.isOnItsWay = false
            return .open
        }
        intents[id] = nil
        return date != nil || intent.isStarred != written.isStarred ? .settled : .undone
    }

    /// Takes the end of a write that was begun in a session that is over, which only counts.
    mutating func endPastWrite(_ written: Intent, succeededAt date: Date?) {
        end(writeOf: written.repo.id, isPast: true, succeededAt: date)
    }

    private mutating func end(writeOf id: ID, isPast: Bool, succeededAt date: Date?) {
        let ended = tick()
        guard let place = writes[id]?.firstIndex(where: { $0.ended == nil && $0.isPast == isPast }) else { return }
        guard let date else {
            writes[id]?.remove(at: place)
            return
        }
        writes[id]?[place].ended = ended
        writes[id]?[place].date = date
    }
}
