import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("Exports", .timeLimit(.minutes(5)))
struct ExportTests {
    private let scratch = Scratch()

    private func file(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        return scratch.path + "/" + name
    }

    private func rows(_ path: String) throws -> Int {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
    }

    @Test("contain all rows")
    func formats() async throws {
        let lines = try file("followers.jsonl")
        let run = await browse("export", "followers", "octocat", "--to", lines)
        #expect(run.outcome == .success && run.errors.isEmpty)
        #expect(run.output == "257 rows exported\n")
        #expect(try rows(lines) == 257)
        let table = await browse("export", "following", "octocat", "--to", try file("following.sqlite"), "--json")
        #expect(table.outcome == .success && table.output.contains("\"rows\":"))
    }

    // yurtbayemre/sinnlos#14 and nbramia/LifeOS#537
    @Test("say that the server left out a part of the list")
    func incomplete() async throws {
        // The links announced another page, to which this one doesn't lead.
        let followers = InMemoryFollowerRepository(onCall: { _ throws(BrowseError) in
            var page = Page(items: [user(1, "mona")])
            page.pagesLeft = 1
            return page
        })
        for (option, output) in [("--table", "1 row exported\n"), ("--json", "\"incomplete\":true")] {
            let path = try file("cut\(option).jsonl")
            let run = await browse(
                "export",
                "followers",
                "octocat",
                "--to",
                path,
                option,
                makeContainer: following(followers)
            )
            #expect(run.outcome == .server && run.output.contains(output) && run.errors.contains("--again"))
        }
    }

    @Test("don't replace a file, and resume it on request")
    func existing() async throws {
        let path = try file("followers.jsonl")
        #expect(await browse("export", "followers", "octocat", "--to", path).outcome == .success)
        let refused = await browse("export", "followers", "octocat", "--to", path)
        #expect(refused.outcome == .usage && refused.errors.contains("--resume"))
        for option in ["--resume", "--again"] {
            let run = await browse("export", "followers", "octocat", "--to", path, option)
            #expect(run.output == "257 rows exported\n")
        }
        // An old list isn't delivered again as if it were new.
        try FileManager.default.removeItem(atPath: path)
        #expect(await browse("export", "followers", "octocat", "--to", path).outcome == .usage)
        #expect(!FileManager.default.fileExists(atPath: path))
        let other = await browse("export", "followers", "mona", "--to", path, "--resume")
        #expect(other.outcome == .storage)
        #expect(other.errors.contains("/users/octocat/followers"))
        let own = try file("own.jsonl")
        try Data("{}\n".utf8).write(to: URL(filePath: own))
        #expect(await browse("export", "followers", "octocat", "--to", own, "--resume").outcome == .storage)
    }

    @Test("of a misspelled name, or without a connection, can be repeated", arguments: ["jsonl", "sqlite"])
    func repeated(type: String) async throws {
        let path = try file("followers." + type)
        for (name, scenario, outcome) in [
            ("nobody-by-that-name", "normal", Outcome.notFound), ("octocat", "offline", .network),
            ("octocat", "normal", .success),
        ] {
            let run = await browse("export", "followers", name, "--to", path, "--scenario", scenario)
            #expect(run.outcome == outcome, "\(name), \(scenario): \(run.errors)")
        }
    }

    @Test("require a format")
    func unknownFormat() async throws {
        #expect(await browse("export", "followers", "octocat", "--to", try file("followers.txt")).outcome == .usage)
    }

    @Test("say until when they wait for a rate limit, which stays true meanwhile")
    func rateLimited() async throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let followers = InMemoryFollowerRepository(onCall: { _ throws(BrowseError) in
            let limit = BrowseError.RateLimit(kind: .primary, retryAt: now + 3_545, isServerTime: true)
            throw .rateLimited(limit, BrowseError.RequestInfo(endpoint: "test"))
        })
        let (screen, waits) = (Memory(), Monitor(false))
        let sink = Sink(isTerminal: true, columns: { 120 }) { text throws(Sink.Failure) in
            try screen.sink().write(text)
            if text.contains("Waiting") { waits.withLock { $0 = true } }
        }
        let context = ProcessContext(
            environment: ["TERM": "xterm"],
            output: Memory().sink(),
            errors: sink,
            makeContainer: { configuration, scenario in
                var configuration = configuration
                configuration.now = { now }
                configuration.timeZone = .gmt
                return following(followers)(configuration, scenario)
            }
        )
        let arguments = ["export", "followers", "octocat", "--to", try file("followers.jsonl"), "--locale", "en_US"]
        let run = Task { await Tool.run(arguments, in: context) }
        await waits.wait { $0 }
        run.cancel()
        #expect(await run.value == .interrupted(SIGINT))
        #expect(screen.text.contains("Waiting until 9:00"), "\(screen.text)")
    }

    @Test("show their progress on a terminal, and end clearly at Ctrl-C")
    func stop() async throws {
        let screen = Memory()
        let path = try file("followers.jsonl")
        let reached = Monitor(false)
        // The second page never arrives.
        let clock = TestClock()
        let sink = Sink(isTerminal: true, columns: { 120 }) { text throws(Sink.Failure) in
            try screen.sink().write(text)
            if text.contains("100 loaded") { reached.withLock { $0 = true } }
        }
        let context = ProcessContext(
            environment: ["TERM": "xterm"],
            output: Memory().sink(),
            errors: sink,
            stopSignal: { SIGINT },
            makeContainer: { configuration, _ in
                var configuration = configuration
                configuration.clock = clock
                return .offline(.slow(.seconds(1)), configuration: configuration)
            }
        )
        let run = Task { await Tool.run(["export", "followers", "octocat", "--to", path], in: context) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        await reached.wait { $0 }
        run.cancel()
        #expect(await run.value == .interrupted(SIGINT))
        #expect(screen.text.contains("Stopped after 100 rows. Continue with --resume."))
        #expect(try rows(path) == 100)
        let resumed = await browse("export", "followers", "octocat", "--to", path, "--resume")
        #expect(resumed.output == "257 rows exported\n")
        #expect(try rows(path) == 257)
    }
}
