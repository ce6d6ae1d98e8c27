import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("A search", .timeLimit(.minutes(5)))
struct SearchTests {
    @Test("finds accounts by several words, as lines for programs")
    func users() async {
        let run = await browse("search", "users", "LUNAR")
        #expect(run.outcome == .success)
        #expect(!run.lines.dropLast().isEmpty)
        #expect(
            run.lines.dropLast().allSatisfy {
                $0.lowercased().contains("lunar") && $0.split(separator: "\t").count == 4
            }
        )
        #expect(run.errors.isEmpty)
    }

    @Test("loads up to GitHub's limit with --all, and shows the total")
    func everyone() async {
        let first = await browse("search", "users", "everyone", onTerminal: true, columns: 120)
        #expect(
            first.output.contains(
                "First 1,000 of 1,250 results · 100 loaded, more available: --all"
            )
        )
        let all = await browse("search", "users", "everyone", "--all")
        #expect(all.lines.dropLast().count == 1000)
        #expect(Set(all.lines).count == 1001)
        #expect(all.errors == "browse: First 1,000 of 1,250 results\n")
    }

    // janeklb/gh-search#72
    @Test("says to programs, too, that GitHub stopped before it found all", arguments: [[], ["--json"]])
    func incomplete(format: [String]) async {
        let repository = InMemoryUserRepository { _ throws(BrowseError) in
            var page = Page(items: [user(1, "mona")], totalCount: 1)
            page.isIncomplete = true
            return .results(page)
        }
        let (output, errors) = (Memory(), Memory())
        let context = ProcessContext(
            environment: [:],
            output: output.sink(),
            errors: errors.sink(),
            makeContainer: profiling(repository)
        )
        #expect(await Tool.run(["search", "users", "mona"] + format, in: context) == .success)
        #expect(output.text.contains("mona"))
        #expect(errors.text == "browse: 1 result (some may be missing because the search took too long)\n")
    }

    @Test("sorts repositories")
    func sorted() async {
        func stars(_ order: String) async -> [Int] {
            let run = await browse("search", "repos", "octocat", "--sort", "stars", "--order", order)
            return run.lines.compactMap { line in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                return fields.count == 6 ? Int(fields[2]) : nil
            }
        }
        let (down, up) = (await stars("desc"), await stars("asc"))
        #expect(down.count > 50)
        #expect(down == down.sorted(by: >))
        #expect(up == up.sorted())
    }

    @Test("is one JSON object with --json, even on a terminal")
    func json() async {
        let run = await browse("search", "repos", "octocat", "--json", onTerminal: true)
        #expect(run.lines.count == 2)
        let result = object(run.output)
        #expect(Set(result.keys) == ["title", "total", "has_more", "skipped", "source", "since", "items"])
        #expect(result["has_more"] as? Bool == true)
        #expect((result["total"] as? Int).map { $0 > 100 } == true)
        let items = result["items"] as? [[String: Any]] ?? []
        #expect(items.count == 100)
        let keys: Set = [
            "full_name", "name", "id", "owner", "description", "language", "topics", "license", "stars", "forks",
            "fork",
            "archived", "private", "updated_at", "web_page", "favorite", "starred",
        ]
        #expect(items.allSatisfy { Set($0.keys) == keys })
        #expect(controls(in: run.output).isEmpty)
    }

    @Test("for repositories shows stars that are loaded after the results")
    func lateStars() async {
        let (gitHub, isFound) = (OfflineGitHub(), Monitor(false))
        let repo = #"{"id":7,"name":"tea","full_name":"mona/tea"}"#
        gitHub.scenarios.script.on(
            .get,
            "/search/repositories",
            response: .computed { _ in
                isFound.withLock { $0 = true }
                return .json(#"{"total_count":1,"incomplete_results":false,"items":[\#(repo)]}"#, headers: .gitHub)
            }
        )
        gitHub.scenarios.script.on(
            .get,
            "/user/starred",
            response: .computed { _ in
                await isFound.wait { $0 }
                return .json("[\(repo)]", headers: .gitHub)
            }
        )
        let environment = ["TOKEN": "gho_offline_octocat_1"]
        let run = await browse("search", "repos", "tea", "--json", "--token-env", "TOKEN", environment: environment) {
            configuration,
            _ in
            Container.production(on: gitHub.transport(clock: ContinuousClock()), configuration: configuration)
        }
        let items = object(run.output)["items"] as? [[String: Any]] ?? []
        #expect(items.first?["starred"] as? Bool == true, "\(run.errors)")
    }

    @Test("without results succeeds with a message, and is an empty list for programs")
    func nothing() async {
        let run = await browse("search", "users", "no such person")
        #expect(run.outcome == .success && run.output.isEmpty)
        #expect(
            run.errors
                == "browse: No Results: No results for “no such person”. Check the spelling or try a new search.\n"
        )
        let json = await browse("search", "users", "no such person", "--json")
        #expect(json.outcome == .success && json.errors.isEmpty)
        #expect((object(json.output)["items"] as? [Any])?.isEmpty == true)
        #expect(object(json.output)["total"] as? Int == 0)
    }

    @Test("for text that is too long or blank fails without a request", arguments: ["users", "repos"])
    func refused(kind: String) async {
        let long = await browse("search", kind, String(repeating: "x", count: 257))
        #expect(long.outcome == .usage)
        #expect(long.errors == "browse: Remove 1 character. A search has at most 256.\n")
        let blank = await browse("search", kind, " ", "\t")
        #expect(blank.outcome == .usage)
        #expect(blank.errors == "browse: Enter text to search for.\n")
        let missing = await browse("search", kind)
        #expect(missing.outcome == .usage)
    }

    @Test("fits any width", arguments: [12, 40, 80, 120])
    func widths(columns: Int) async {
        let plain = ["NO_COLOR": "1"]
        for run in [
            await browse("search", "repos", "octocat", onTerminal: true, columns: columns, environment: plain),
            await browse(
                "search",
                "users",
                "lunar",
                "--locale",
                "ko",
                onTerminal: true,
                columns: columns,
                environment: plain
            ),
            await browse("repos", "haneul-kim", onTerminal: true, columns: columns, environment: plain),
        ] {
            #expect(run.outcome == .success)
            #expect(run.lines.allSatisfy { $0.columns <= columns })
            #expect(controls(in: run.output).isEmpty)
        }
    }

    @Test(
        "that fails has the failure's exit code",
        arguments: [("offline", 4), ("rate-limited", 5), ("server-error", 7)]
    )
    func failures(scenario: String, code: Int32) async {
        let run = await browse("search", "repos", "x", "--scenario", scenario, "--json")
        #expect(run.outcome.code == code)
        #expect(run.output.isEmpty)
        #expect((object(run.errors)["error"] as? String)?.isEmpty == false)
    }
}

@Suite("Repositories", .timeLimit(.minutes(5)))
struct ReposTests {
    @Test("of an account are listed from all pages, with six fields each")
    func pages() async {
        let first = await browse("repos", "octocat").lines.dropLast()
        let all = await browse("repos", "octocat", "--all").lines.dropLast()
        #expect(first.count == 100)
        #expect(all.count > 100)
        #expect(all.prefix(100) == first)
        #expect(all.allSatisfy { $0.hasPrefix("octocat/") && $0.filter { $0 == "\t" }.count == 5 })
    }

    @Test("of the user, and their stars, need a sign-in", arguments: ["repos", "starred"])
    func own(command: String) async {
        let refused = await browse(command)
        #expect(refused.outcome == .access)
        #expect(refused.errors.contains("browse login") && refused.errors.contains("--token-env"))
        let environment = ["TOKEN": "gho_offline_octocat_1"]
        let run = await browse(command, "--token-env", "TOKEN", "--all", "--json", environment: environment)
        #expect(run.outcome == .success)
        let items = object(run.output)["items"] as? [[String: Any]] ?? []
        #expect(items.count >= 100)
        #expect(items.contains { $0["private"] as? Bool == true } == (command == "repos"))
        #expect(items.contains { $0["starred"] as? Bool == true } == (command == "starred"))
        #expect(!(run.output + run.errors).contains("github_pat_test"))
    }

    // gravitational/teleport#1882
    @Test(
        "are shown without waiting longer for the stars after a signal",
        arguments: [["repos", "octocat"], ["search", "repos", "octocat"], ["repo", "octocat/hello-tentacles"]]
    )
    func interruption(command: [String]) async {
        let held = ControlledResponses<InMemoryStarRepository.Call, [GitHub.Repo.ID]>()
        let memory = Memory()
        let context = ProcessContext(
            environment: ["T": "gho_offline_octocat_1"],
            output: memory.sink(),
            errors: memory.sink(),
            makeContainer: { configuration, scenario in
                let container = ProcessContext.container(configuration, scenario)
                container.starRepository.override { _ in InMemoryStarRepository(onCall: held.response) }
                return container
            }
        )
        let run = Task { await Tool.run(command + ["--token-env", "T"], in: context) }
        await held.waitForRequests(1)
        run.cancel()
        #expect(await run.value == .interrupted(SIGINT))
    }

    @Test("of unknown accounts aren't found, and invalid names fail")
    func nobody() async {
        #expect(await browse("repos", "nobody-here").outcome == .notFound)
        #expect(await browse("repos", "-nobody").outcome == .usage)
    }
}
