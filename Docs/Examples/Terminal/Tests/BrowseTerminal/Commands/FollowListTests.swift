import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("Lists", .timeLimit(.minutes(5)))
struct FollowListTests {
    private static let mona = GitHub.FollowList.followers(of: GitHub.Login("mona"))

    @Test("are lines of login, ID, kind, and page for programs")
    func lines() async {
        let run = await browse("following", "octocat")
        #expect(run.outcome == .success)
        #expect(run.lines.count == 10)
        #expect(run.lines[0] == "haneul-kim\t1305925610\tUser\thttps://github.com/haneul-kim")
        #expect(run.lines[1].contains("\tOrganization\t"))
        #expect(run.errors.isEmpty)
    }

    @Test("are the first page, or all pages in order without duplicates")
    func pages() async {
        let first = await browse("followers", "octocat").lines.dropLast()
        let all = await browse("followers", "octocat", "--all").lines.dropLast()
        #expect(first.count == 100)
        #expect(all.count == 257)
        #expect(all.prefix(100) == first)
        #expect(Set(all).count == 257)
    }

    @Test("are filtered on every page, ignoring case")
    func filter() async {
        let all = await browse("followers", "octocat", "--all").lines.dropLast().map { $0.prefix { $0 != "\t" } }
        let run = await browse("followers", "octocat", "--all", "--filter", "LUNAR")
        let expected = all.filter { $0.lowercased().contains("lunar") }
        #expect(!expected.isEmpty)
        #expect(run.lines.dropLast().map { $0.prefix { $0 != "\t" } } == expected)
    }

    @Test(
        "are a table with title, header, and footer for a person",
        arguments: [
            ("en", "octocat follows", "Username", "9 total"), ("ko", "octocat의 팔로잉", "사용자 이름", "총 9명"),
        ]
    )
    func table(locale: String, title: String, header: String, footer: String) async {
        let run = await browse(
            "following",
            "octocat",
            "--locale",
            locale,
            onTerminal: true,
            environment: ["NO_COLOR": "1"]
        )
        #expect(run.lines[0] == title)
        #expect(run.lines[2].hasPrefix(header))
        #expect(run.lines.suffix(2) == [footer, ""])
        #expect(run.lines.allSatisfy { $0.columns <= 80 })
        #expect(controls(in: run.output).isEmpty)
    }

    @Test("are the same table in a pipe with --table")
    func pipedTable() async {
        let shown = await browse("following", "octocat", "--color", "never", onTerminal: true)
        let piped = await browse("following", "octocat", "--table")
        #expect(piped.output == shown.output)
        #expect(piped.lines[0] == "octocat follows")
    }

    @Test("indicate more pages")
    func more() async {
        let run = await browse("followers", "octocat", onTerminal: true)
        #expect(run.output.contains("100 loaded, more available: --all"))
        let filtered = await browse("followers", "octocat", "--filter", "a", "--locale", "ko", onTerminal: true)
        #expect(filtered.output.contains("불러온 100명 중"))
        #expect(filtered.output.contains("더 찾기: --all"))
    }

    @Test("don't call their rows all of them if the service announced more", arguments: [1, 5])
    func incomplete(totalCount: Int) async {
        let repository = InMemoryFollowerRepository { _ throws(BrowseError) in
            Page(items: [user(1, "tea")], totalCount: totalCount)
        }
        let run = await browse("followers", "mona", onTerminal: true, makeContainer: following(repository))
        #expect(run.output.contains("1 total") == (totalCount == 1))
        #expect(run.output.contains("1 loaded") == (totalCount == 5))
        #expect((run.outcome == .success) == (totalCount == 1))
    }

    @Test("that have no rows although the service announced some fail for programs, too")
    func interrupted() async {
        let make = following(InMemoryFollowerRepository { _ throws(BrowseError) in Page(items: [], totalCount: 5) })
        #expect(await browse("followers", "mona", makeContainer: make).outcome == .server)
        let json = await browse("followers", "mona", "--json", makeContainer: make)
        #expect(json.outcome == .server && json.errors.contains("stopped before it found everything"))
    }

    @Test("succeed with a message if they are empty, or the filter hides all rows")
    func empty() async {
        let empty = await browse("followers", "lonely")
        #expect(empty.outcome == .success && empty.output.isEmpty)
        #expect(empty.errors == "browse: No Followers: Nobody follows lonely yet.\n")
        let filtered = await browse("followers", "octocat", "--filter", "no such login")
        #expect(filtered.outcome == .success && filtered.output.isEmpty)
        #expect(filtered.errors.contains("only the first page was searched: --all"))
    }

    @Test(
        "validate a typed name first, with the SDK's hint",
        arguments: [
            ("", "Enter a username."), ("a.b", "A username can’t contain “.”"),
            (String(repeating: "a", count: 40), "at most 39"), ("ש", "A username can’t contain “ש”"),
        ]
    )
    func refusedNames(name: String, hint: String) async {
        for command in ["followers", "following", "profile"] {
            let run = await browse(command, name)
            #expect(run.outcome == .usage)
            #expect(run.errors.contains(hint))
        }
    }

    @Test("accept an invalid name with --login")
    func uncheckedNames() async {
        let list = GitHub.FollowList.followers(of: GitHub.Login("helper[bot]"))
        let make = following(InMemoryFollowerRepository(lists: [list: [user(1, "mona")]]))
        #expect(await browse("followers", "helper[bot]", makeContainer: make).outcome == .usage)
        #expect(
            await browse("followers", "helper[bot]", "--login", makeContainer: make).lines[0] == "mona\t1\tUser\t"
        )
    }

    @Test("of unknown accounts aren't found")
    func notFound() async {
        let run = await browse("followers", "nobody-by-that-name")
        #expect(run.outcome == .notFound)
        #expect(run.errors.hasPrefix("browse: Not Found: "))
    }

    @Test("show loaded rows before the failure of a later page")
    func failedPage() async {
        let make = following(
            InMemoryFollowerRepository { call throws(BrowseError) in
                guard case .page(_, at: nil) = call else {
                    throw .serverFailure(BrowseError.RequestInfo(endpoint: "test", status: 502))
                }
                return Page(items: [user(1, "mona")], next: PageCursor(rawValue: "2"))
            }
        )
        let run = await browse("followers", "octocat", "--all", makeContainer: make)
        #expect(run.output == "mona\t1\tUser\t\n")
        #expect(run.errors.hasPrefix("browse: Server Error: "))
        #expect(run.outcome == .server)
    }

    @Test("that the server doesn't end say so, after the rows")
    func endless() async {
        let make = following(
            InMemoryFollowerRepository { call throws(BrowseError) in
                switch call {
                case .page(_, let cursor):
                    let number = cursor.flatMap { Int($0.rawValue) } ?? 1
                    return Page(
                        items: cursor == nil ? [user(1, "mona")] : [],
                        next: PageCursor(rawValue: "\(number + 1)")
                    )
                }
            }
        )
        let run = await browse("followers", "octocat", "--all", makeContainer: make)
        #expect(run.outcome == .server && run.output == "mona\t1\tUser\t\n")
        #expect(run.errors.contains("there may be more"))
        let json = await browse("followers", "octocat", "--all", "--json", makeContainer: make)
        #expect(json.outcome == .server && json.output.contains("\"has_more\":true"))
        #expect(await browse("followers", "octocat", makeContainer: make).outcome == .success)
        let hidden = await browse("followers", "octocat", "--all", "--filter", "zzz", makeContainer: make)
        #expect(hidden.outcome == .server && hidden.errors.contains("there may be more"))
    }

    @Test("report skipped rows")
    func skippedRows() async {
        let make = following(
            InMemoryFollowerRepository { _ in
                Page(items: [user(1, "mona")], skipped: SkippedRows(count: 1))
            }
        )
        let run = await browse("followers", "octocat", makeContainer: make)
        #expect(run.outcome == .success)
        #expect(run.errors == "browse: 1 row can’t be read and was skipped.\n")
    }

    @Test("contain no escape sequences or line breaks of a server")
    func hostileRows() async {
        let evil = user(
            1,
            "\u{1B}]0;owned\u{7}\ta\nb\u{202E}",
            page: "https://x\u{1B}[2J",
            kind: GitHub.User.Kind(rawValue: "Al\u{9B}ien")
        )
        let make = following(InMemoryFollowerRepository(lists: [Self.mona: [evil]]))
        for isTerminal in [false, true] {
            let run = await browse(
                "followers",
                "mona",
                onTerminal: isTerminal,
                environment: ["NO_COLOR": "1"],
                makeContainer: make
            )
            #expect(controls(in: run.output).isEmpty)
            #expect(run.output.contains("owned"))
        }
        let row = await browse("followers", "mona", makeContainer: make).lines[0]
        #expect(row.count { $0 == "\t" } == 3)
    }

    @Test(
        "stay on one line of JSON despite separators of a server",
        arguments: ["\u{2028}", "\u{2029}", "\u{85}"]
    )
    func separators(separator: String) async throws {
        let evil = user(1, "a\(separator)b")
        let make = following(InMemoryFollowerRepository(lists: [Self.mona: [evil]]))
        let run = await browse("followers", "mona", "--json", makeContainer: make)
        #expect(!run.output.contains(separator))
        let code = try #require(separator.unicodeScalars.first).value
        let digits = String(code, radix: 16)
        #expect(
            run.output.contains("a\\u" + String(repeating: "0", count: 4 - digits.count) + digits + "b"),
            "\(run.output)"
        )
    }

    @Test("stop at a signal, and show the loaded rows", arguments: [SIGINT, SIGTERM])
    func interruption(signal: Int32) async {
        let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()
        let (output, errors) = (Memory(), Memory())
        let context = ProcessContext(
            environment: [:],
            output: output.sink(),
            errors: errors.sink(),
            stopSignal: { signal },
            makeContainer: following(InMemoryFollowerRepository(onCall: held.response))
        )
        let run = Task { await Tool.run(["followers", "octocat", "--all"], in: context) }
        held.answer(0, with: .success(Page(items: [user(1, "mona")], next: PageCursor(rawValue: "2"))))
        await held.waitForRequests(2)
        run.cancel()
        #expect(await run.value.code == 128 + signal)
        #expect(output.text == "mona\t1\tUser\t\n")
        #expect(errors.text == "browse: Stopped after loading 1.\n")
    }

    @Test("stop before the first page without output")
    func earlyInterruption() async {
        let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()
        let (output, errors) = (Memory(), Memory())
        let context = ProcessContext(
            environment: [:],
            output: output.sink(),
            errors: errors.sink(),
            makeContainer: following(InMemoryFollowerRepository(onCall: held.response))
        )
        let run = Task { await Tool.run(["followers", "octocat"], in: context) }
        await held.waitForRequests(1)
        run.cancel()
        #expect(await run.value == .interrupted(SIGINT))
        #expect(output.text.isEmpty)
        #expect(errors.text == "browse: Stopped before anything was loaded.\n")
    }

    @Test("show progress in place, and erase it before the rows", arguments: [true, false])
    func progress(canErase: Bool) async {
        let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()
        let screen = Memory()
        let context = ProcessContext(
            environment: canErase ? [:] : ["TERM": "dumb"],
            output: screen.sink(),
            errors: screen.sink(isTerminal: true),
            makeContainer: following(InMemoryFollowerRepository(onCall: held.response))
        )
        let run = Task { await Tool.run(["followers", "octocat", "--all", "--color", "never"], in: context) }
        held.answer(0, with: .success(Page(items: [user(1, "mona")], next: PageCursor(rawValue: "2"))))
        await held.waitForRequests(2)
        held.answer(1, with: .success(Page(items: [user(2, "hubot")])))
        #expect(await run.value == .success)
        #expect(screen.text.hasSuffix("mona\t1\tUser\t\nhubot\t2\tUser\t\n"))
        #expect(screen.text.contains("\r1 loaded…\u{1B}[K") == canErase)
        #expect(screen.text.contains("\r\u{1B}[Kmona") == canErase)
    }
}
