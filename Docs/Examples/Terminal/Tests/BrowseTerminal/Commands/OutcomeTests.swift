import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("The outcome of a run")
struct OutcomeTests {
    @Test(
        "has its own exit code",
        arguments: [
            (Message.Kind.empty, 0), (.noMatches, 0), (.rejected, 1), (.notFound, 3), (.offline, 4), (.timedOut, 4),
            (.rateLimited(until: .distantPast), 5), (.unauthorized, 6), (.forbidden, 6), (.serverFailure, 7),
            (.unsafe, 7),
        ] as [(Message.Kind, Int32)]
    )
    func codes(kind: Message.Kind, code: Int32) {
        #expect(Outcome(kind).code == code)
    }

    @Test("follows the convention of shells for a signal and a broken pipe")
    func signals() {
        #expect(Outcome.interrupted(SIGINT).code == 130)
        #expect(Outcome.interrupted(SIGTERM).code == 143)
        #expect(Outcome.outputClosed.code == 141)
    }

    @Test(
        "is one line on the error output, in the reader's language",
        arguments: [
            ("server-error", "en", 7, "browse: Server Error: "), ("offline", "en", 4, "browse: No Connection: "),
            ("rate-limited", "en", 5, "browse: Too Many Requests: "), ("offline", "ko", 4, "browse: 연결되지 않음: "),
            ("rate-limited", "ko", 5, "browse: 요청이 너무 많음: "),
        ] as [(String, String, Int32, String)]
    )
    func scenarios(scenario: String, locale: String, code: Int32, start: String) async {
        for command in ["followers", "following", "profile"] {
            let run = await browse(command, "octocat", "--scenario", scenario, "--locale", locale)
            #expect(run.outcome.code == code)
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix(start))
            #expect(run.errors.count { $0 == "\n" } == 1)
        }
    }

    @Test("comes with a hint if a token would help")
    func hints() async {
        let info = BrowseError.RequestInfo(endpoint: "test")
        let make = profiling(InMemoryUserRepository(onCall: { _ throws(BrowseError) in throw .unauthorized(info) }))
        let without = await browse("profile", "octocat", makeContainer: make)
        #expect(without.outcome == .access)
        #expect(without.errors.contains("--token-env"))
        let with = await browse("profile", "octocat", "--token-env", "T", environment: ["T": "t"], makeContainer: make)
        #expect(!with.errors.contains("--token-env"))
    }

    @Test("is silent if the reader closed the output")
    func closedOutput() async {
        let errors = Memory()
        let context = ProcessContext(
            environment: [:],
            output: Sink(isTerminal: false) { _ throws(Sink.Failure) in throw .closed },
            errors: errors.sink()
        )
        #expect(await Tool.run(["followers", "octocat"], in: context) == .outputClosed)
        #expect(errors.text.isEmpty)
    }

    @Test("is a failure with the system's reason if the output can't be written")
    func fullDisk() async {
        let errors = Memory()
        let context = ProcessContext(
            environment: [:],
            output: Sink(isTerminal: false) { _ throws(Sink.Failure) in throw .system(ENOSPC) },
            errors: errors.sink()
        )
        #expect(await Tool.run(["profile", "octocat"], in: context) == .failure)
        #expect(errors.text.hasPrefix("browse: The output can’t be written: "))
    }
}
