import TestSupport
import Testing

@testable import BrowseDomain
import Foundation

/// GitHub's side of stars in its simplest form.
private struct Server {
    /// How many other people have starred each.
    var others: [Int: Int] = [:]
    var starred: Set<Int> = []

    func count(of id: Int) -> Int { others[id, default: 0] + (starred.contains(id) ? 1 : 0) }
}

/// A row of a list on some screen.
private struct Row {
    let id: Int
    let began: Int
    /// What the server said, once it has looked.
    var count: Int?
    var reading: GitHub.Stars.Reading?
}

@Suite struct `A ledger of stars beside a model` {
    private static let repos = 0..<4

    private func repo(_ id: Int) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)")
    }

    /// Random sequences of taps, writes, refusals, pages at every stage of their way, and sign-outs. After each step a row
    /// shows the star that was asked for last, or else the server's, and the count that goes with it.
    @Test(arguments: 0..<400)
    func `shows the server's value and the intent over it after any sequence of events`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var server = Server()
        for id in Self.repos { server.others[id] = Int.random(in: 1...5, using: &random) }
        server.starred = Set(Self.repos.filter { _ in Bool.random(using: &random) })
        var ledger = StarLedger()
        ledger.list(server.starred.map { .init(rawValue: Int64($0)) })
        var asked: [Int: Bool] = [:]
        var write: (intent: StarLedger.Intent, isApplied: Bool)?
        /// Writes whose session was over before they were.
        var past: [(intent: StarLedger.Intent, isApplied: Bool, wasStarred: Bool)] = []
        var rows: [Row] = []

        for step in 0..<80 {
            let id = Int.random(in: Self.repos, using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0..<4:
                let isStarred = !ledger.isStarred(.init(rawValue: Int64(id)))
                ledger.ask(isStarred, for: repo(id))
                asked[id] = isStarred
                for id in ledger.settleNeedless() { asked[Int(id.rawValue)] = nil }
            case 4, 5:
                if write == nil, let intent = ledger.beginWrite() { write = (intent, false) }
            case 6, 7:
                guard let intent = write?.intent, write?.isApplied == false else { break }
                write?.isApplied = true
                server.set(intent.isStarred, Int(intent.repo.id.rawValue))
            case 8, 9:
                guard let (intent, isApplied) = write else { break }
                write = nil
                let ending = ledger.endWrite(intent, succeededAt: isApplied ? Date() : nil)
                let id = Int(intent.repo.id.rawValue)
                let isWantedStill = asked[id] == intent.isStarred
                #expect((ending == .undone) == (!isApplied && isWantedStill))
                #expect((ending == .open) == (isApplied && !isWantedStill))
                if ending != .open { asked[id] = nil }
            case 10 where !past.isEmpty:
                var (intent, isApplied, wasStarred) = past.removeFirst()
                if !isApplied, Bool.random(using: &random) {
                    isApplied = true
                    let change = (intent.isStarred ? 1 : 0) - (wasStarred ? 1 : 0)
                    server.others[Int(intent.repo.id.rawValue), default: 0] += change
                }
                ledger.endPastWrite(intent, succeededAt: isApplied ? Date() : nil)
            case 10, 11:
                rows.append(Row(id: id, began: ledger.tick()))
            case 12, 13:
                guard let place = rows.indices.filter({ rows[$0].count == nil }).randomElement(using: &random) else {
                    break
                }
                rows[place].count = server.count(of: rows[place].id)
            case 14:
                for place in rows.indices where rows[place].count != nil && rows[place].reading == nil {
                    rows[place].reading = .init(began: rows[place].began, ended: ledger.tick())
                }
            default:
                // Somebody else signs in, maybe before all was written that was on its way.
                guard Int.random(in: 0..<4, using: &random) == 0 else { break }
                if let (intent, isApplied) = write {
                    let id = Int(intent.repo.id.rawValue)
                    past.append((intent, isApplied, isApplied ? !intent.isStarred : server.starred.contains(id)))
                }
                write = nil
                ledger.end()
                asked = [:]
                for id in server.starred { server.others[id, default: 0] += 1 }
                server.starred = Set(Self.repos.filter { _ in Bool.random(using: &random) })
                for id in server.starred { server.others[id, default: 0] -= 1 }
                ledger.list(server.starred.map { .init(rawValue: Int64($0)) })
            }
            for id in Self.repos {
                // The server's value, not counting a write of which nobody has heard yet.
                var stored = server.starred.contains(id)
                if let write, write.isApplied, write.intent.repo.id.rawValue == Int64(id) {
                    stored = !write.intent.isStarred
                }
                let shown = ledger.isStarred(.init(rawValue: Int64(id)))
                #expect(shown == asked[id] ?? stored, "step \(step), repository \(id)")
            }
            for row in rows {
                let id = GitHub.Repo.ID(rawValue: Int64(row.id))
                // Of a write whose session is over nobody knows before it has ended.
                guard let reading = row.reading, let count = row.count, !ledger.isDoubtful(id, readIn: reading),
                    !past.contains(where: { $0.intent.repo.id == id })
                else { continue }
                let expected = server.others[row.id, default: 0] + (ledger.isStarred(id) ? 1 : 0)
                #expect(count + ledger.surplus(of: id, readIn: reading) == expected, "step \(step), row of \(row.id)")
            }
        }
    }

    @Test func `doubts a row only when a write that changes something was under way while it was read`() throws {
        var ledger = StarLedger()
        let repo = repo(1)
        let before = GitHub.Stars.Reading(began: ledger.tick(), ended: ledger.tick())
        let began = ledger.tick()
        ledger.ask(true, for: repo)
        let begun = ledger.beginWrite()
        let intent = try #require(begun)
        let during = GitHub.Stars.Reading(began: ledger.tick(), ended: ledger.tick())
        #expect(ledger.isOnItsWay(repo.id))
        #expect(!ledger.isDoubtful(repo.id, readIn: before))
        #expect(ledger.isDoubtful(repo.id, readIn: during))
        #expect(ledger.endWrite(intent, succeededAt: Date()) == .settled)
        let around = GitHub.Stars.Reading(began: began, ended: ledger.tick())
        let after = GitHub.Stars.Reading(began: ledger.tick(), ended: ledger.tick())
        #expect(ledger.isDoubtful(repo.id, readIn: around))
        #expect(!ledger.isDoubtful(repo.id, readIn: after))
        #expect(ledger.surplus(of: repo.id, readIn: before) == 1)
        #expect(ledger.surplus(of: repo.id, readIn: after) == 0)
        // What the server had already.
        ledger.list([self.repo(2).id])
        ledger.ask(true, for: self.repo(2))
        _ = ledger.beginWrite()
        let needless = GitHub.Stars.Reading(began: ledger.tick(), ended: ledger.tick())
        #expect(!ledger.isDoubtful(self.repo(2).id, readIn: needless))
    }
}

extension Server {
    fileprivate mutating func set(_ isStarred: Bool, _ id: Int) {
        if isStarred { starred.insert(id) } else { starred.remove(id) }
    }
}
