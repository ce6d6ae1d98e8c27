import BrowseKit
import Foundation
import RedisStores
import TestServers
import Testing

/// Two server processes with one Redis server.
@Suite(.timeLimit(.minutes(10)))
struct `Two processes` {
    private let redis: RedisServer
    private let folder = FileManager.default.temporaryDirectory.appending(path: "probe-\(UUID().uuidString)")
    private let secret = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()

    init() async throws {
        redis = try await RedisServer()
    }

    private func start(_ gitHub: GitHubServer) async throws -> SpawnedProcess {
        let process = try SpawnedProcess(
            try product("StoreProbe"),
            [
                redis.address.description, gitHub.url.absoluteString, secret,
                folder.appending(path: UUID().uuidString).path(percentEncoded: false),
            ]
        )
        try await process.line { $0 == "ready" }
        return process
    }

    @Test func `show each other's favorites on open pages`() async throws {
        let gitHub = try GitHubServer()
        try await gitHub.issue("first", for: "octocat")
        let (here, elsewhere) = (try await start(gitHub), try await start(gitHub))
        here.send("follow mona")
        try await here.line { $0 == "follow mona 0" }
        here.send("page mona octocat")
        try await here.line { $0.hasPrefix("page mona rows") }
        // The visitor signs in at one process, and is signed in at the other.
        elsewhere.send("sign-in mona first 3600")
        try await elsewhere.line { $0 == "sign-in mona ok" }
        try await here.line { $0 == "session mona ready octocat" }
        elsewhere.send("add mona 7")
        try await here.line { $0 == "change mona replaced 7" }
        elsewhere.send("remove mona 7")
        try await here.line { $0 == "change mona replaced " }

        elsewhere.send("sign-out mona")
        try await here.line { $0 == "session mona signedOut requested" }
        for process in [here, elsewhere] { process.stop() }
    }

    @Test func `refresh one token once`() async throws {
        let gitHub = try GitHubServer()
        try await gitHub.issue("first", for: "octocat")
        let processes = [try await start(gitHub), try await start(gitHub)]
        processes[0].send("sign-in mona first 3600")
        try await processes[0].line { $0 == "sign-in mona ok" }
        // Now the token has expired: both processes refresh it at their next requests.
        processes[1].send("store mona first -1")
        try await processes[1].line { $0 == "store mona ok" }
        for process in processes { process.send("request mona 50") }
        for process in processes { try await process.line { $0.hasPrefix("request mona 50") } }
        #expect(gitHub.count("refreshed") == 1)
        #expect(gitHub.count("rejected") == 0)
    }

    @Test(arguments: 0..<6)
    func `go on when one is killed during writes and refreshes`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let gitHub = try GitHubServer()
        try await gitHub.issue("first", for: "octocat")
        let (victim, other) = (try await start(gitHub), try await start(gitHub))
        victim.send("sign-in mona first 3600")
        try await victim.line { $0 == "sign-in mona ok" }
        for number in 0..<40 { victim.send("add mona \(number)") }
        let written = Int.random(in: 1..<40, using: &random)
        try await victim.line(from: written) { $0 == "add mona ok" }
        victim.stop()
        // Including the lines that haven't been read yet.
        let acknowledged = await victim.finished().count { $0 == "add mona ok" }

        other.send("follow mona")
        let count = try await other.line { $0.hasPrefix("follow mona ") }
        // All that was acknowledged, and at most one more that was being written.
        let found = try #require(Int(count.split(separator: " ")[2]))
        #expect((acknowledged...acknowledged + 1).contains(found))
        other.send("add mona 1000")
        try await other.line { $0 == "add mona ok" }
        other.send("request mona 3")
        try await other.line { $0.hasPrefix("request mona 3") }
    }

    @Test func `load pages while Redis is away, and share them again afterward`() async throws {
        let gitHub = try GitHubServer()
        let (here, elsewhere) = (try await start(gitHub), try await start(gitHub))
        here.send("follow mona")
        try await here.line { $0 == "follow mona 0" }
        redis.stop()
        here.send("visits 0 20 20")
        #expect(try await here.line { $0.hasPrefix("visits ") } == "visits fresh=20")
        here.send("add mona 1")
        let failure = try await here.line { $0.hasPrefix("add mona failed") }
        #expect(failure.contains("unavailable"))
        try await redis.start()
        try await eventually {
            let start = elsewhere.lines.count
            elsewhere.send("add mona 2")
            return try await elsewhere.line(from: start) { $0.hasPrefix("add mona") } == "add mona ok"
        }
        try await here.line { $0 == "change mona replaced 2" }
        #expect(gitHub.count("refused") == 0)
    }
}
