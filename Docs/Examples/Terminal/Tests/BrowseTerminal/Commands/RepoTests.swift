import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("A repository", .timeLimit(.minutes(5)))
struct RepoTests {
    @Test("that the rate limit refuses leads to signing in, as a profile does")
    func limited() async {
        for command in [["repo", "octocat/linguist-fork"], ["profile", "octocat"]] {
            let run = await browse(command[0], command[1], "--scenario", "rate-limited")
            #expect(run.outcome == .rateLimited && run.errors.contains("--token-env"), "\(command): \(run.errors)")
        }
    }

    @Test("whose README the rate limit refuses leads to signing in, too")
    func limitedReadme() async {
        let tea = GitHub.Repo(id: .init(rawValue: 7), name: "tea", fullName: "mona/tea")
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: .distantFuture, isServerTime: true)
        let repos = InMemoryRepoRepository(repos: [tea]) { call throws(BrowseError) in
            if case .readme = call { throw .rateLimited(limit, BrowseError.RequestInfo(endpoint: "README")) }
            return nil
        }
        let run = await browse("repo", "mona/tea", onTerminal: true) { configuration, _ in
            let container = Container.offline(configuration: configuration)
            container.repoRepository.override { _ in repos }
            return container
        }
        #expect(run.outcome == .rateLimited && run.errors.contains("--token-env"))
    }

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

    @Test("whose README can't be loaded isn't one without a README, also for programs", arguments: [[], ["--json"]])
    func readmeFailure(options: [String]) async {
        let tea = GitHub.Repo(id: .init(rawValue: 7), name: "tea", fullName: "mona/tea")
        let repos = InMemoryRepoRepository(repos: [tea]) { call throws(BrowseError) in
            if case .readme = call { throw .serverFailure(BrowseError.RequestInfo(endpoint: "README")) }
            return nil
        }
        let memory = Memory()
        let context = ProcessContext(
            environment: [:],
            output: memory.sink(isTerminal: options.isEmpty),
            errors: memory.sink(),
            makeContainer: { configuration, _ in
                let container = Container.offline(configuration: configuration)
                container.repoRepository.override { _ in repos }
                return container
            }
        )
        #expect(await Tool.run(["repo", "mona/tea"] + options, in: context) == .server)
        #expect(memory.text.contains("mona/tea"))
    }

    /// elfmz/far2l#1380. Hebrew numbers end in an invisible mark (CLDR, `he`, compact decimals).
    @Test("has a number of stars without a broken character in Hebrew")
    func rightToLeft() async {
        let run = await browse("repos", "mockworks", "--locale", "he_IL", onTerminal: true, columns: 120)
        #expect(run.output.contains("152K ") && !run.output.contains("K\u{FFFD}"))
    }

    /// cli/cli#1505, calchiwo/ExplainThisRepo#101, cli/cli#10498
    @Test(
        "can be the address that a browser or a clone has",
        arguments: [
            "https://github.com/octocat/linguist-fork", "github.com/octocat/linguist-fork/",
            "git@github.com:octocat/linguist-fork.git", "ssh://git@github.com/octocat/linguist-fork.git",
            "HTTPS://www.GitHub.com/octocat/linguist-fork/issues/1?q=a#b",
        ]
    )
    func address(_ address: String) async {
        #expect(await browse("repo", address).lines[0] == "name\toctocat/linguist-fork")
    }

    @Test(
        "must exist, and be written with its owner",
        arguments: [
            ("nobody", Outcome.usage), ("octocat/none", .notFound), ("https://github.com/octocat", .usage),
            ("https://example.com/octocat/linguist-fork", .usage), ("https://github.com/orgs/octocat/people", .usage),
        ]
    )
    func refused(name: String, outcome: Outcome) async {
        #expect(await browse("repo", name).outcome == outcome)
    }
}
