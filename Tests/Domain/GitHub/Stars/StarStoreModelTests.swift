@testable import BrowseGitHubDomain
import TestLimits
import TestSupport
import Testing

@testable import BrowseDomain

/// A row of a list, which the server reads between the request and the response.
private struct Row {
    let id: Int
    let step: Int
    let event: Int
    var count: Int?
    /// The step in which the response arrived.
    var arrival: Int?
}

@Suite(.bounded) struct `Stars beside a model` {
    private static let repos = 0..<4

    private func repo(_ id: Int, starCount: Int? = nil) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)") { $0.starCount = starCount }
    }

    private func ids(_ ids: Set<Int>) -> Set<GitHub.Repo.ID> { Set(ids.map { .init(rawValue: Int64($0)) }) }

    /// Runs random changes, writes, reads, and sign-outs.
    ///
    /// Reads end in any order, writes are refused or have unknown outcomes, and in some runs, the stars are unknown at first. After
    /// each step, a row shows the intent, or else the server's value as far as it can be known: a read that was sent before a change
    /// ended doesn't undo it. The count matches, whenever the row was read, except during a write that overlaps its read.
    @Test(arguments: 0..<400)
    func `show the intent, or what was read after the last change`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var server = Set(Self.repos.filter { _ in Bool.random(using: &random) })
        var others = Self.repos.map { _ in Int.random(in: 1...5, using: &random) }
        var state = GitHub.StarStore.State()
        state.isActive = true
        var isComplete = Bool.random(using: &random)
        if isComplete { _ = state.merge(ids(server), readAt: state.nextEvent(), isComplete: true) }
        /// The server's stars as far as the client can know.
        var known = isComplete ? server : []
        var intents: [Int: Bool] = [:]
        var unknown: Set<Int> = []
        /// The step in which the last change of a repository ended.
        var ended: [Int: Int] = [:]
        var write:
            (intent: GitHub.StarStore.Intent, id: Int, step: Int, wasStarred: Bool, wasKnown: Bool, isApplied: Bool)?
        /// The step in which a star was last removed.
        var lastRemoval = -1
        var list: (step: Int, event: Int, stars: Set<Int>?)?
        var validSince = -1
        var rows: [Row] = []
        /// Repositories whose counts can't be known, because of an unknown outcome or a change elsewhere.
        var uncountable: Set<Int> = []

        func isKnown(_ id: Int) -> Bool {
            !unknown.contains(id) && (isComplete || known.contains(id) || ended[id, default: -2] > validSince)
        }

        func endRedundantIntents() {
            for (id, isStarred) in intents
            where write?.id != id && isKnown(id) && isStarred == known.contains(id) { intents[id] = nil }
        }

        for step in 0..<120 {
            let id = Int.random(in: Self.repos, using: &random)
            switch Int.random(in: 0..<18, using: &random) {
            case 0..<4:
                let isStarred = Bool.random(using: &random)
                let row = rows.last { $0.id == id && $0.arrival != nil }
                _ = state.set(isStarred, for: repo(id, starCount: row?.count), readAt: row?.event ?? 0)
                intents[id] = isStarred
                endRedundantIntents()
            case 4, 5:
                guard write == nil, let intent = state.beginWrite(in: state.session) else { break }
                let id = Int(intent.repo.id.rawValue)
                write = (intent, id, step, known.contains(id), isKnown(id), false)
            case 6, 7:
                guard let written = write, !written.isApplied else { break }
                write?.isApplied = true
                server.set(written.intent.isStarred, written.id)
            case 8, 9:
                guard let written = write else { break }
                let isUnknown = Int.random(in: 0..<4, using: &random) == 0
                let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "x"))
                let refusal = BrowseError.forbidden(BrowseError.RequestInfo(endpoint: "x"))
                let guess = state.endWrite(
                    written.intent,
                    isUnknown ? .unconfirmed(failure) : written.isApplied ? .stored : .undone(refusal),
                    in: state.session
                )
                write = nil
                // The writer reads a count that it doesn't know.
                if let guess {
                    state.correct(guess.id, to: others[written.id] + (server.contains(written.id) ? 1 : 0))
                }
                if isUnknown || written.isApplied {
                    known.set(written.intent.isStarred, written.id)
                    unknown.set(isUnknown, written.id)
                    ended[written.id] = step
                    if !written.intent.isStarred, written.wasStarred || !written.wasKnown { lastRemoval = step }
                    if isUnknown { uncountable.insert(written.id) }
                }
                if intents[written.id] == written.intent.isStarred { intents[written.id] = nil }
                endRedundantIntents()
            case 10: rows.append(Row(id: id, step: step, event: state.nextEvent()))
            case 11:
                guard let place = rows.firstIndex(where: { $0.count == nil }) else { break }
                let row = rows[place]
                rows[place].count = others[row.id] + (server.contains(row.id) ? 1 : 0)
            case 12:
                for place in rows.indices where rows[place].count != nil && rows[place].arrival == nil {
                    rows[place].arrival = step
                }
            case 13: if list == nil { list = (step, state.nextEvent(), nil) }
            case 14: if list != nil, list?.stars == nil { list?.stars = server }
            case 15:
                guard let (began, event, stars) = list, let read = stars else { break }
                list = nil
                let isValid = state.merge(ids(read), readAt: event, isComplete: true)
                #expect(isValid == (began > validSince))
                guard isValid else { break }
                // A removal during the read can hide other rows.
                let isWhole = (write.map { !$0.wasStarred && $0.wasKnown } ?? true) && lastRemoval < began
                for id in Self.repos
                where ended[id, default: -1] < began && (read.contains(id) || isWhole && intents[id] == nil) {
                    // The write in flight ends with its own value.
                    if isKnown(id), known.contains(id) != read.contains(id) { uncountable.insert(id) }
                    known.set(read.contains(id), id)
                    unknown.remove(id)
                }
                if isWhole { (validSince, isComplete) = (began, true) }
                endRedundantIntents()
            case 16:
                // A star changed elsewhere is shown after the next complete read.
                guard write?.id != id else { break }
                server.set(!server.contains(id), id)
                uncountable.insert(id)
            default:
                // Another account signs in.
                guard write == nil, Int.random(in: 0..<4, using: &random) == 0 else { break }
                _ = state.end()
                state.isActive = true
                #expect(state.intents.isEmpty)
                (intents, unknown, known, validSince, isComplete) = ([:], [], [], step, false)
                for id in server { others[id] += 1 }
                server = []
            }
            state.endRedundantIntents()
            #expect(state.intents.count == intents.count, "step \(step)")
            for id in Self.repos {
                let shown = state.isStarred(repo(id).id)
                #expect(shown == intents[id] ?? known.contains(id), "step \(step), repository \(id)")
            }
            for row in rows where !uncountable.contains(row.id) {
                guard let arrival = row.arrival else { continue }
                if let write, write.id == row.id, !write.wasKnown || arrival >= write.step { continue }
                guard isKnown(row.id) || intents[row.id] == nil else { continue }
                let shown = state.count(of: repo(row.id, starCount: row.count), readAt: row.event)
                let isStarred = isKnown(row.id) ? state.isStarred(repo(row.id).id) : server.contains(row.id)
                #expect(shown == others[row.id] + (isStarred ? 1 : 0), "step \(step), row of \(row.id)")
            }
        }
    }
}

extension Set {
    fileprivate mutating func set(_ isMember: Bool, _ element: Element) {
        if isMember { insert(element) } else { remove(element) }
    }
}
