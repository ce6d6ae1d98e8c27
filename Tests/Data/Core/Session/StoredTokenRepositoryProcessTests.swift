import BrowseGitHubData
import BrowseGitHubDomain
#if os(Linux) || os(macOS)
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData

@Suite(.bounded(minutes: 10))
struct `A session shared by processes` {
    @Test func `survives refreshes and kills in random order`() async throws {
        let count = rounds(100)
        var lossCount = 0
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for round in 0..<count {
                if round >= 3, try await group.next() == true { lossCount += 1 }
                group.addTask { try await play(round: round) }
            }
            for try await isLost in group where isLost { lossCount += 1 }
        }
        // Some kills happen between the response and the completed save, and most don't.
        #expect((1..<count / 2).contains(lossCount))
    }

    /// - Returns: Whether the kill happened between the response and the completed save.
    private func play(round: Int) async throws -> Bool {
        var random = SeededGenerator(seed: UInt64(round))
        let server = try RotatingServer(seed: UInt64(round))
        let folder = TemporaryFolder()
        let url = try #require(URL(string: server.origin))
        let store = FileTokenStore(folder: folder.url, name: SessionName("GitHub", at: url))
        var first = try RotatingServer.credentials(0)
        first.expiresAt = Date()
        try await store.save(first)

        let path = folder.url.path(percentEncoded: false)
        let names = (0..<Int.random(in: 2...3, using: &random)).map { "process-\($0)" }
        let point = round.isMultiple(of: 2) ? nil : RotatingServer.KillPoint.allCases.randomElement(using: &random)
        let children = try names.map { try ChildProcess("session", path, server.origin, $0, "5") }
        if let point {
            server.plan(point) { name in
                for (child, other) in zip(children, names) where other == name { child.killNow() }
            }
        }
        server.isReady.open()
        // A process that starts after the session was lost writes another line.
        var starts: [Bool] = []
        for child in children { starts.append(await child.hasWritten("start")) }
        server.haveAllStarted.open()
        let outputs = await withTaskGroup(of: (Int, [String]).self) { group in
            for (index, child) in children.enumerated() { group.addTask { (index, await child.finished()) } }
            return await group.reduce(into: [Int: [String]]()) { $0[$1.0] = $1.1 }
        }
        defer { withExtendedLifetime(server) {} }

        let stored = try await store.load()?.token
        let victim = server.killed.flatMap { names.firstIndex(of: $0) }
        let comment = Comment(
            rawValue: "round \(round), \(String(describing: point)), \(String(describing: victim)): \(outputs)"
        )
        let isKilled = victim.map { outputs[$0]?.last?.hasPrefix("signed") != true } ?? false
        let current = try RotatingServer.credentials(server.pair).token
        if isKilled, server.holder == server.killed, stored != current {
            // Its last tokens are lost. One refresh with the old token fails, and then a sign-in is needed.
            if stored != nil {
                // The other processes had already sent all of their requests.
                #expect(server.deadTokenCount == 0, comment)
                let lines = try await ChildProcess("session", path, server.origin, "process-9", "1").finished()
                #expect(lines.first == "start" && lines.last == "signed out: revoked", comment)
            }
            #expect(try await store.load() == nil, comment)
            #expect(server.deadTokenCount == 1, comment)
            return true
        }
        #expect(stored == current, comment)
        #expect(server.deadTokenCount == 0, comment)
        for (index, lines) in outputs where index != victim || !isKilled {
            #expect(starts[index] && lines == Array(repeating: "ok", count: 5) + ["signed in"], comment)
        }
        return false
    }
}
#endif
