import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("The log of requests", .timeLimit(.minutes(5)))
struct VerboseTests {
    private let scratch = Scratch()
    /// Waits for the disk have no limit, however busy the machine is.
    private let make: ProcessContext.MakeContainer = { configuration, scenario in
        var configuration = configuration
        configuration.clock = ImmediateClock()
        return ProcessContext.container(configuration, scenario)
    }

    @Test("is logged as it happens, on the error output only")
    func story() async {
        let quiet = await browse("profile", "octocat")
        let first = await browse("profile", "octocat", "--verbose", "--storage", scratch.path, makeContainer: make)
        #expect(first.output == quiet.output && quiet.errors.isEmpty)
        let expected = [
            "GET /users/", "cache: miss", "→ GET https://api.github.com/users/octocat", "← 200, ",
            "cache: stored ",
            "done, fresh",
        ]
        var rest = first.errors[...]
        for text in expected {
            guard let range = rest.range(of: text) else {
                Issue.record("\(text) is missing in \(first.errors)")
                return
            }
            rest = rest[range.upperBound...]
        }
        let lines = first.errors.split(separator: "\n")
        #expect(lines.allSatisfy { $0.contains(" #") })
        let second = await browse("profile", "octocat", "--verbose", "--storage", scratch.path, makeContainer: make)
        #expect(second.errors.contains("revalidates") && second.errors.contains("← 304, 0 bytes"))
        #expect(second.errors.contains("done, revalidated"))
        let third = await browse(
            "profile",
            "octocat",
            "--verbose",
            "--offline",
            "--storage",
            scratch.path,
            makeContainer: make
        )
        #expect(third.errors.contains("cache: hit") && !third.errors.contains("→"))
    }

    @Test("has whole lines, even with concurrent requests and progress")
    func progress() async {
        let (output, errors) = (Memory(), Memory())
        let context = ProcessContext(
            environment: ["NO_COLOR": "1"],
            output: output.sink(),
            errors: errors.sink(isTerminal: true)
        )
        let outcome = await Tool.run(["followers", "octocat", "--all", "--verbose"], in: context)
        #expect(outcome == .success)
        #expect(controls(in: errors.text).isEmpty)
        #expect(errors.text.split(separator: "\n").allSatisfy { $0.contains(" #") })
    }

    @Test(
        "never contains a secret, and neither does the cache",
        arguments: ["gho_offline_octocat_0123456789hushhush", "made-up-hushhush"]
    )
    func secrets(token: String) async throws {
        for command in [["profile"], ["repos"], ["whoami"], ["limits"], ["star", "octocat/hello-tentacles"]] {
            let memory = Memory()
            let context = ProcessContext(
                environment: ["T": token, "BROWSE_STORAGE": scratch.path],
                output: memory.sink(),
                errors: memory.sink(),
                makeContainer: make
            )
            _ = await Tool.run(command + ["--token-env", "T", "--verbose"], in: context)
            #expect(memory.text.contains("→ "), "\(command): \(memory.text)")
            #expect(!memory.text.contains("hush") && !memory.text.contains("0123456789"))
        }
        let files = FileManager.default.enumerator(atPath: scratch.path)?.compactMap { $0 as? String } ?? []
        #expect(files.contains { $0.contains("responses/") })
        for file in files {
            let data = FileManager.default.contents(atPath: scratch.path + "/" + file) ?? Data()
            #expect(data.range(of: Data(token.utf8)) == nil, "\(file)")
        }
    }

    @Test("contains no escape sequences of a server")
    func hostile() async {
        let make: ProcessContext.MakeContainer = { configuration, _ in
            let container = Container.offline(configuration: configuration)
            container.transport.override { _ in Hostile() }
            return container
        }
        let run = await browse("profile", "octocat", "--verbose", makeContainer: make)
        #expect(run.errors.contains("evil") && controls(in: run.errors).isEmpty)
        #expect(run.errors.split(separator: "\n").dropLast().allSatisfy { $0.contains(" #") })
    }

    private struct Hostile: HTTPTransport {
        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            throw .unreachable(.other(code: 1, detail: "\u{1B}[2Jevil\u{202E}\r\nnext"), request.info)
        }
    }
}
