import BrowseTerminal
import Foundation
import Testing

@Suite("A repository", .timeLimit(.minutes(5)))
struct RepoTests {
    @Test("is a page for a person, with its README as plain text")
    func page() async {
        let run = await browse("repo", "Octocat/Hello-Tentacles", "--color", "never", onTerminal: true)
        #expect(run.outcome == .success && run.lines[0] == "octocat/hello-tentacles")
        #expect(run.lines.contains { $0.hasPrefix("Open Issues and Pull Requests") && $0.hasSuffix("457") })
        #expect(run.lines.contains("Says hello with **eight arms**. 안녕하세요!"))
    }

    @Test("is keys and values, or JSON, for programs")
    func programs() async {
        let run = await browse("repo", "octocat/linguist-fork")
        #expect(run.outcome == .success && run.lines[0] == "name\toctocat/linguist-fork")
        #expect(run.lines.contains("parent\tmockworks/mockingbird"))
        let json = object(await browse("repo", "octocat/linguist-fork", "--json").output)
        #expect(json["open_issues"] as? Int == 2 && json["readme"] is NSNull)
    }

    @Test(
        "must exist, and be written with its owner",
        arguments: [("nobody", Outcome.usage), ("octocat/none", .notFound)]
    )
    func refused(name: String, outcome: Outcome) async {
        #expect(await browse("repo", name).outcome == outcome)
    }
}
