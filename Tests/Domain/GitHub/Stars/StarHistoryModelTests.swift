@testable import BrowseGitHubDomain
import TestLimits
import TestSupport
import Testing

@testable import BrowseDomain
import Foundation

/// A minimal model of GitHub's stars.
private struct Server {
    /// The number of stars from other users.
    var others: [Int: Int] = [:]
    var starred: Set<Int> = []

    func count(of id: Int) -> Int { others[id, default: 0] + (starred.contains(id) ? 1 : 0) }
}

/// A row of a list.
private struct Row {
    let id: Int
    let began: Int
    /// The count in the response; `nil` until the server reads it.
    var count: Int?
    var interval: GitHub.StarStore.ReadInterval?
}

@Suite(.bounded) struct `Star history` {
    private static let repos = 0..<4

    private func repo(_ id: Int, starCount: Int? = nil) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)", starCount: starCount)
    }

    private func shown(_ row: Row, _ history: StarHistory) -> Int? {
        history.starCount(of: repo(row.id, starCount: row.count), readDuring: row.interval)
    }

    /// Runs random changes, writes, reads, failures, changes elsewhere, and sign-outs.
    ///
    /// After each step, a row must show the intent, or else the server's value, and the matching count.
    @Test(arguments: 0..<400)
    func `matches a model after random events`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var server = Server()
        for id in Self.repos { server.others[id] = Int.random(in: 1...5, using: &random) }
        server.starred = Set(Self.repos.filter { _ in Bool.random(using: &random) })
        var history = StarHistory()
        history.addStarred(server.starred.map { .init(rawValue: Int64($0)) })
        /// The server's stars as far as the client can know.
        var known = server.starred
        var intents: [Int: Bool] = [:]
        /// Writes with an unknown outcome.
        var unknown: [Int: Bool] = [:]
        /// The step of the last write that changed a value, or may have.
        var written: [Int: Int] = [:]
        var write: (intent: StarHistory.Intent, isApplied: Bool)?
        /// Writes whose session ended before they did.
        var past: [(intent: StarHistory.Intent, isApplied: Bool, wasStarred: Bool)] = []
        var rows: [Row] = []
        var list: (step: Int, began: Int, ids: Set<Int>)?
        /// Repositories whose counts are unknown, because of an unknown write or a change elsewhere.
        var uncountable: Set<Int> = []
        /// Repositories that were starred without a row, so that uncertain counts have no baseline.
        var starredWithoutRow: Set<Int> = []
        /// Pairs of reads that looked the same when the newer one ended. A list keeps the older one.
        var twins: [(older: Row, newer: Row)] = []

        for step in 0..<100 {
            let id = Int.random(in: Self.repos, using: &random)
            switch Int.random(in: 0..<19, using: &random) {
            case 0..<4:
                let isStarred = !history.isStarred(.init(rawValue: Int64(id)))
                let row = rows.filter { $0.id == id && $0.interval != nil }.randomElement(using: &random)
                if row == nil { starredWithoutRow.insert(id) }
                history.setStarred(
                    isStarred,
                    for: repo(id, starCount: row?.count),
                    readDuring: row?.interval
                )
                intents[id] = isStarred
                for id in history.removeRedundantIntents() { intents[Int(id.rawValue)] = nil }
            case 4, 5:
                if write == nil, let intent = history.beginWrite() { write = (intent, false) }
            case 6, 7:
                guard let intent = write?.intent, write?.isApplied == false else { break }
                write?.isApplied = true
                server.set(intent.isStarred, Int(intent.repo.id.rawValue))
            case 8, 9:
                guard let (intent, isApplied) = write else { break }
                write = nil
                let id = Int(intent.repo.id.rawValue)
                let isCurrent = intents[id] == intent.isStarred
                if Int.random(in: 0..<4, using: &random) == 0 {
                    #expect(history.endUnknownWrite(intent, at: Date()) == (isCurrent ? .unconfirmed : .outdated))
                    unknown[id] = intent.isStarred
                    written[id] = step
                    uncountable.insert(id)
                    if isCurrent { intents[id] = nil }
                    break
                }
                let result = history.endWrite(intent, succeededAt: isApplied ? Date() : nil)
                if isApplied {
                    known.set(intent.isStarred, id)
                    unknown[id] = nil
                    written[id] = step
                }
                #expect((result == .undone) == (!isApplied && isCurrent))
                #expect((result == .outdated) == (!isCurrent && (intents[id] ?? false) != known.contains(id)))
                if result != .outdated { intents[id] = nil }
            case 10 where !past.isEmpty:
                var (intent, isApplied, wasStarred) = past.removeFirst()
                if !isApplied, Bool.random(using: &random) {
                    isApplied = true
                    let change = (intent.isStarred ? 1 : 0) - (wasStarred ? 1 : 0)
                    server.others[Int(intent.repo.id.rawValue), default: 0] += change
                }
                history.endPastWrite(intent, succeededAt: isApplied ? Date() : nil)
                if isApplied { written[Int(intent.repo.id.rawValue)] = step }
            case 10, 11:
                rows.append(Row(id: id, began: history.nextEventNumber()))
            case 12, 13:
                guard let place = rows.indices.filter({ rows[$0].count == nil }).randomElement(using: &random) else {
                    break
                }
                rows[place].count = server.count(of: rows[place].id)
            case 14:
                for place in rows.indices where rows[place].count != nil && rows[place].interval == nil {
                    let interval = GitHub.StarStore.ReadInterval(
                        start: rows[place].began,
                        end: history.nextEventNumber()
                    )
                    rows[place].interval = interval
                    let newer = rows[place]
                    guard !history.isCountUncertain(of: .init(rawValue: Int64(newer.id)), readDuring: interval) else {
                        continue
                    }
                    for older in rows where older.id == newer.id && older.count == newer.count {
                        guard let end = older.interval?.end, end < interval.start,
                            shown(older, history) == shown(newer, history)
                        else { continue }
                        twins.append((older, newer))
                    }
                }
            case 15:
                if list == nil { list = (step, history.nextEventNumber(), server.starred) }
            case 16:
                guard let read = list else { break }
                list = nil
                // The client can't distinguish a write of an ended session from one of the current account.
                guard past.isEmpty else { break }
                let interval = GitHub.StarStore.ReadInterval(start: read.began, end: history.nextEventNumber())
                _ = history.replace(with: Set(read.ids.map { .init(rawValue: Int64($0)) }), readDuring: interval)
                let isInFlight = { (id: Int) in write?.intent.repo.id.rawValue == Int64(id) }
                for id in Self.repos where !isInFlight(id) && written[id, default: -1] < read.step {
                    if known.contains(id) != read.ids.contains(id), unknown[id] == nil { uncountable.insert(id) }
                    known.set(read.ids.contains(id), id)
                    unknown[id] = nil
                }
                for id in history.removeRedundantIntents() { intents[Int(id.rawValue)] = nil }
            case 17:
                // A star changed elsewhere is shown after the next complete read.
                guard write?.intent.repo.id.rawValue != Int64(id) else { break }
                server.set(!server.starred.contains(id), id)
                uncountable.insert(id)
            default:
                // Another account signs in, maybe before all writes have ended.
                guard Int.random(in: 0..<4, using: &random) == 0 else { break }
                if let (intent, isApplied) = write {
                    let id = Int(intent.repo.id.rawValue)
                    past.append((intent, isApplied, isApplied ? !intent.isStarred : server.starred.contains(id)))
                }
                write = nil
                list = nil
                history.endSession()
                (intents, unknown, written) = ([:], [:], [:])
                for id in server.starred { server.others[id, default: 0] += 1 }
                server.starred = Set(Self.repos.filter { _ in Bool.random(using: &random) })
                for id in server.starred { server.others[id, default: 0] -= 1 }
                known = server.starred
                history.addStarred(server.starred.map { .init(rawValue: Int64($0)) })
            }
            for id in Self.repos {
                let shown = history.isStarred(.init(rawValue: Int64(id)))
                let expected = intents[id] ?? unknown[id] ?? known.contains(id)
                #expect(shown == expected, "step \(step), repository \(id)")
            }
            for (older, newer) in twins where !uncountable.contains(older.id) {
                #expect(shown(older, history) == shown(newer, history), "step \(step), reads of \(older.id)")
            }
            for row in rows where !uncountable.contains(row.id) {
                let id = GitHub.Repo.ID(rawValue: Int64(row.id))
                // Skips counts that the client can't know: writes of an ended session in flight, and uncertain counts without a
                // baseline.
                guard let interval = row.interval, row.count != nil,
                    !history.isCountUncertain(of: id, readDuring: interval) || !starredWithoutRow.contains(row.id),
                    !past.contains(where: { $0.intent.repo.id == id })
                else { continue }
                let expected = server.others[row.id, default: 0] + (history.isStarred(id) ? 1 : 0)
                #expect(shown(row, history) == expected, "step \(step), row of \(row.id)")
            }
        }
    }

    @Test func `shows the count from before a write on a page that overlaps it`() throws {
        var history = StarHistory()
        let before = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
        history.setStarred(true, for: repo(1, starCount: 100), readDuring: before)
        let begun = history.beginWrite()
        let intent = try #require(begun)
        let during = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
        // The response may or may not include the star.
        for count in [100, 101] {
            #expect(history.starCount(of: repo(1, starCount: count), readDuring: during) == 101)
        }
        _ = history.endWrite(intent, succeededAt: Date())
        for count in [100, 101] {
            #expect(history.starCount(of: repo(1, starCount: count), readDuring: during) == 101)
        }
        // The next intent starts from the row as shown.
        history.setStarred(false, for: repo(1, starCount: 101), readDuring: during)
        #expect(history.starCount(of: repo(1, starCount: 101), readDuring: during) == 100)
        let next = history.beginWrite()
        let second = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
        #expect(history.starCount(of: repo(1, starCount: 100), readDuring: second) == 100)
        _ = history.endWrite(try #require(next), succeededAt: Date())
        #expect(history.starCount(of: repo(1, starCount: 100), readDuring: second) == 100)
    }

    @Test func `shows a write with an unknown outcome until the next read`() throws {
        for isApplied in [true, false] {
            var history = StarHistory()
            let before = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
            history.setStarred(true, for: repo(1, starCount: 100), readDuring: before)
            let begun = history.beginWrite()
            #expect(history.endUnknownWrite(try #require(begun), at: Date()) == .unconfirmed)
            #expect(history.isStarred(repo(1).id) && history.hasUnknownWrites && history.intentCount == 0)
            #expect(history.starCount(of: repo(1, starCount: 100), readDuring: before) == 101)
            let after = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
            let count = isApplied ? 101 : 100
            #expect(history.starCount(of: repo(1, starCount: count), readDuring: after) == count)
            #expect(history.replace(with: isApplied ? [repo(1).id] : [], readDuring: after) == [repo(1).id])
            #expect(history.isStarred(repo(1).id) == isApplied && !history.hasUnknownWrites)
            #expect(history.starCount(of: repo(1, starCount: 100), readDuring: before) == count)
            #expect(history.starCount(of: repo(1, starCount: count), readDuring: after) == count)
        }
    }

    @Test func `considers a count uncertain only if its read overlaps an effective write`() throws {
        var history = StarHistory()
        let repo = repo(1)
        let before = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
        let began = history.nextEventNumber()
        history.setStarred(true, for: repo)
        let begun = history.beginWrite()
        let intent = try #require(begun)
        let during = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
        #expect(history.isWriteInFlight(for: repo.id))
        #expect(!history.isCountUncertain(of: repo.id, readDuring: before))
        #expect(history.isCountUncertain(of: repo.id, readDuring: during))
        #expect(history.endWrite(intent, succeededAt: Date()) == .completed)
        let around = GitHub.StarStore.ReadInterval(start: began, end: history.nextEventNumber())
        let after = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
        #expect(history.isCountUncertain(of: repo.id, readDuring: around))
        #expect(!history.isCountUncertain(of: repo.id, readDuring: after))
        #expect(history.countAdjustment(of: repo.id, readDuring: before) == 1)
        #expect(history.countAdjustment(of: repo.id, readDuring: after) == 0)
        // A star that the server has already.
        history.addStarred([self.repo(2).id])
        history.setStarred(true, for: self.repo(2))
        _ = history.beginWrite()
        let redundant = GitHub.StarStore.ReadInterval(start: history.nextEventNumber(), end: history.nextEventNumber())
        #expect(!history.isCountUncertain(of: self.repo(2).id, readDuring: redundant))
    }
}

extension Server {
    fileprivate mutating func set(_ isStarred: Bool, _ id: Int) {
        starred.set(isStarred, id)
    }
}

extension Set {
    fileprivate mutating func set(_ isMember: Bool, _ element: Element) {
        if isMember { insert(element) } else { remove(element) }
    }
}
