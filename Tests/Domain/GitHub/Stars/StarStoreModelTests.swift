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
    var hasArrived = false
}

@Suite(.bounded) struct `Stars beside a model` {
    private static let repos = 0..<4

    private func repo(_ id: Int, starCount: Int? = nil) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)", starCount: starCount)
    }

    private func ids(_ ids: Set<Int>) -> Set<GitHub.Repo.ID> { Set(ids.map { .init(rawValue: Int64($0)) }) }

    /// Runs random changes, writes, reads, and sign-outs.
    ///
    /// Reads end in any order, and writes are refused or have unknown outcomes. After each step, a row shows the intent, or else the
    /// server's value as far as it can be known: a read that began before a change ended doesn't undo it. The count matches, unless
    /// the row was read during a write.
    @Test(arguments: 0..<400)
    func `show the intent, or what was read after the last change`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var server = Set(Self.repos.filter { _ in Bool.random(using: &random) })
        var others = Self.repos.map { _ in Int.random(in: 1...5, using: &random) }
        var state = GitHub.StarStore.State()
        state.isActive = true
        _ = state.merge(ids(server), readAt: state.nextEvent(), isComplete: true)
        /// The server's stars as far as the client can know.
        var known = server
        var intents: [Int: Bool] = [:]
        var unknown: Set<Int> = []
        /// The step in which the last change of a repository ended.
        var ended: [Int: Int] = [:]
        var write: (intent: GitHub.StarStore.Intent, id: Int, step: Int, wasStarred: Bool, isApplied: Bool)?
        /// The step in which a star was last removed.
        var lastRemoval = -1
        /// The steps in which writes began and ended.
        var writes: [(id: Int, steps: ClosedRange<Int>)] = []
        var list: (step: Int, event: Int, stars: Set<Int>?)?
        var validSince = -1
        var rows: [Row] = []
        /// Repositories whose counts can't be known, because of an unknown outcome or a change elsewhere.
        var uncountable: Set<Int> = []

        func endRedundantIntents() {
            for (id, isStarred) in intents
            where write?.id != id && !unknown.contains(id) && isStarred == known.contains(id) { intents[id] = nil }
        }

        for step in 0..<120 {
            let id = Int.random(in: Self.repos, using: &random)
            switch Int.random(in: 0..<18, using: &random) {
            case 0..<4:
                let isStarred = Bool.random(using: &random)
                _ = state.set(isStarred, for: repo(id), readAt: 0)
                state.endRedundantIntents()
                intents[id] = isStarred
                endRedundantIntents()
            case 4, 5:
                guard write == nil, let intent = state.beginWrite(in: state.session) else { break }
                let id = Int(intent.repo.id.rawValue)
                write = (intent, id, step, known.contains(id), false)
            case 6, 7:
                guard let written = write, !written.isApplied else { break }
                write?.isApplied = true
                server.set(written.intent.isStarred, written.id)
            case 8, 9:
                guard let written = write else { break }
                let isUnknown = Int.random(in: 0..<4, using: &random) == 0
                let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "x"))
                let refusal = BrowseError.forbidden(BrowseError.RequestInfo(endpoint: "x"))
                state.endWrite(
                    written.intent,
                    isUnknown ? .unconfirmed(failure) : written.isApplied ? .stored : .undone(refusal),
                    in: state.session
                )
                write = nil
                writes.append((written.id, written.step...step))
                if isUnknown || written.isApplied {
                    known.set(written.intent.isStarred, written.id)
                    unknown.set(isUnknown, written.id)
                    ended[written.id] = step
                    if written.wasStarred, !written.intent.isStarred { lastRemoval = step }
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
                for place in rows.indices where rows[place].count != nil && !rows[place].hasArrived {
                    rows[place].hasArrived = true
                    let row = rows[place]
                    let overlaps = writes.contains { $0.id == row.id && $0.steps.upperBound >= row.step }
                    if overlaps || write?.id == row.id { rows[place].count = nil }
                }
                rows.removeAll { $0.hasArrived && $0.count == nil }
            case 13: if list == nil { list = (step, state.nextEvent(), nil) }
            case 14: if list != nil, list?.stars == nil { list?.stars = server }
            case 15:
                guard let (began, event, stars) = list, let read = stars else { break }
                list = nil
                let isValid = state.merge(ids(read), readAt: event, isComplete: true)
                #expect(isValid == (began > validSince))
                guard isValid else { break }
                // A removal during the read can hide other rows.
                let isComplete = write?.wasStarred != true && lastRemoval < began
                if isComplete { validSince = began }
                for id in Self.repos
                where ended[id, default: -1] < began && (read.contains(id) || isComplete && intents[id] == nil) {
                    // The write in flight ends with its own value.
                    if known.contains(id) != read.contains(id) { uncountable.insert(id) }
                    known.set(read.contains(id), id)
                    unknown.remove(id)
                }
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
                #expect(state.intents.isEmpty && state.waiters.isEmpty)
                (intents, unknown, known, validSince) = ([:], [], [], step)
                for id in server { others[id] += 1 }
                server = []
            }
            #expect(state.intents.count == intents.count, "step \(step)")
            #expect(Set(state.waiters.keys).isSubset(of: state.intents.keys), "step \(step)")
            for id in Self.repos {
                let shown = state.isStarred(repo(id).id)
                #expect(shown == intents[id] ?? known.contains(id), "step \(step), repository \(id)")
            }
            for row in rows where row.hasArrived && !uncountable.contains(row.id) {
                let shown = state.count(of: repo(row.id, starCount: row.count), readAt: row.event)
                let isStarred = state.isStarred(repo(row.id).id)
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
