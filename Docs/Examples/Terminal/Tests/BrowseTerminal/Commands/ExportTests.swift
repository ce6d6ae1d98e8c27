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

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("contain all rows, as objects or as values")
    func formats() async throws {
        let lines = try file("followers.jsonl")
        let run = await browse("export", "followers", "octocat", "--to", lines)
        #expect(run.outcome == .success && run.errors.isEmpty)
        #expect(run.output == "257 rows exported\n")
        #expect(try text(lines).split(separator: "\n").count == 257)
        let values = try file("followers.csv")
        let json = await browse("export", "followers", "octocat", "--to", values, "--json")
        #expect(json.output.contains("\"rows\":257"))
        #expect(try text(values).hasPrefix("login,id,kind,page\r\n"))
        let table = await browse("export", "following", "octocat", "--to", try file("following.sqlite"))
        #expect(table.outcome == .success)
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
        let other = await browse("export", "followers", "mona", "--to", path, "--resume")
        #expect(other.outcome == .storage)
        #expect(other.errors.contains("/users/octocat/followers"))
    }

    @Test("require a format")
    func unknownFormat() async throws {
        #expect(await browse("export", "followers", "octocat", "--to", try file("followers.txt")).outcome == .usage)
    }

    @Test("show a bar on a terminal, and end clearly at Ctrl-C")
    func stop() async throws {
        let screen = Memory()
        let path = try file("followers.jsonl")
        let reached = Monitor(false)
        let sink = Sink(isTerminal: true, columns: { 120 }) { text throws(Sink.Failure) in
            try screen.sink().write(text)
            if text.contains("100 loaded") { reached.withLock { $0 = true } }
        }
        let context = ProcessContext(
            environment: ["TERM": "xterm"],
            output: Memory().sink(),
            errors: sink,
            stopSignal: { SIGINT },
            makeContainer: { configuration, _ in .offline(.slow(.seconds(1)), configuration: configuration) }
        )
        let run = Task { await Tool.run(["export", "followers", "octocat", "--to", path], in: context) }
        await reached.wait { $0 }
        run.cancel()
        #expect(await run.value == .interrupted(SIGINT))
        #expect(screen.text.contains("█") && screen.text.contains("33%"))
        #expect(screen.text.contains("Stopped after 100 rows. Continue with --resume."))
        let resumed = await browse("export", "followers", "octocat", "--to", path, "--resume")
        #expect(resumed.output == "257 rows exported\n")
    }
}
