import Foundation

/// Which code repositories somebody has starred: what the server said, and over it what the person asked for since.
///
/// A value, with no concurrency inside. It numbers what happens to it, so that a row can tell between which two moments it
/// was read (``GitHub/Stars/Reading``), and what the row cannot know of is laid over it: a write that ended later, and what
/// the person asked for and GitHub was not told yet.
struct StarLedger {
    typealias ID = GitHub.Repo.ID

    /// What a person asked for and is not settled.
    struct Intent {
        var repo: GitHub.Repo
        /// When ``repo`` was read.
        var reading: GitHub.Stars.Reading
        var isStarred: Bool
        /// What was asked for first is sent first.
        var number: Int
        var isOnItsWay = false
    }

    /// A change that the server made, or is making.
    private struct Write {
        let began: Int
        /// `nil` while it is on its way.
        var ended: Int?
        /// When it ended.
        var date: Date?
        let isStarred: Bool
        /// What the server had before.
        let wasStarred: Bool
        /// Whether it is of a session that is over: it counts for rows, and tells nothing of what is starred now.
        var isPast = false

        var effect: Int { (isStarred ? 1 : 0) - (wasStarred ? 1 : 0) }
    }

    /// The number of the last thing that happened.
    private var time = 0
    /// What the starred list had.
    private var listed: Set<ID> = []
    /// When whose stars these are was last forgotten.
    private var sessionBegan = 0
    private var writes: [ID: [Write]] = [:]
    private var intents: [ID: Intent] = [:]

    /// How many repositories the person asked something for that is not settled.
    var intentCount: Int { intents.count }

    /// Whether a star shows; `false` also when it is not known.
    func isStarred(_ id: ID) -> Bool {
        intents[id]?.isStarred ?? isStored(id)
    }

    /// How many stars more than it was read with a row has to show.
    func surplus(of id: ID, readIn reading: GitHub.Stars.Reading) -> Int {
        var surplus = 0
        for write in writes[id] ?? [] where (write.ended ?? 0) > reading.began { surplus += write.effect }
        if let intent = intents[id] { surplus += (intent.isStarred ? 1 : 0) - (isStored(id) ? 1 : 0) }
        return surplus
    }

    /// Whether a write was under way while a row was read, so that nobody can tell whether the row knows of it.
    func isDoubtful(_ id: ID, readIn reading: GitHub.Stars.Reading) -> Bool {
        (writes[id] ?? []).contains { write in
            write.began < reading.ended && (write.ended ?? .max) > reading.began && write.effect != 0
        }
    }

    /// When something was read that was kept since: after the writes that had ended by then, and before all others.
    func reading(keptSince date: Date) -> GitHub.Stars.Reading {
        let last = writes.values.joined().filter { $0.date.map { $0 <= date } ?? false }.compactMap(\.ended).max() ?? 0
        return GitHub.Stars.Reading(began: last, ended: last)
    }

    /// Whether something was read for whoever these stars are of.
    func isOfThisSession(_ reading: GitHub.Stars.Reading) -> Bool {
        reading.began > sessionBegan
    }

    /// Whether the server is being asked to change something.
    func isOnItsWay(_ id: ID) -> Bool {
        (writes[id] ?? []).contains { $0.ended == nil }
    }

    /// What the server has, as far as is known.
    private func isStored(_ id: ID) -> Bool {
        let last = writes[id]?.last { $0.ended != nil && !$0.isPast }
        return last?.isStarred ?? listed.contains(id)
    }
}

extension StarLedger {
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
    mutating func list(_ ids: some Sequence<ID>, readIn reading: GitHub.Stars.Reading) -> Set<ID> {
        var news: Set<ID> = []
        for id in ids where !isStarred(id) && intents[id] == nil {
            guard (writes[id] ?? []).allSatisfy({ ($0.ended ?? .max) < reading.began }) else { continue }
            for place in writes[id, default: []].indices { writes[id]?[place].isPast = true }
            listed.insert(id)
            news.insert(id)
        }
        return news
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
        for id in Array(writes.keys) {
            for place in writes[id, default: []].indices { writes[id]?[place].isPast = true }
        }
    }
}

extension StarLedger {
    /// Takes what the person asks for, in place of what they asked for before.
    mutating func ask(_ isStarred: Bool, for repo: GitHub.Repo, readIn reading: GitHub.Stars.Reading = .first) {
        let number = tick()
        if intents[repo.id] == nil {
            intents[repo.id] = Intent(repo: repo, reading: reading, isStarred: isStarred, number: number)
        }
        intents[repo.id]?.isStarred = isStarred
    }

    /// The intents that ask for what the server has already; they are settled by this.
    mutating func settleNeedless() -> [ID] {
        let needless = intents.filter { !$0.value.isOnItsWay && $0.value.isStarred == isStored($0.key) }.map(\.key)
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
        let write = Write(began: tick(), isStarred: intent.isStarred, wasStarred: isStored(id))
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
    }

    /// Takes the end of a write that was begun; `nil` as its date when nothing was written.
    mutating func endWrite(_ written: Intent, succeededAt date: Date?) -> Ending {
        let id = written.repo.id
        end(writeOf: id, isPast: false, succeededAt: date)
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
