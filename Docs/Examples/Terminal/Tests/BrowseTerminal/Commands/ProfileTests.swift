import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("A profile", .timeLimit(.minutes(5)))
struct ProfileTests {
    @Test("without a name is the user's own, and needs a token")
    func own() async {
        let refused = await browse("profile")
        #expect(refused.outcome == .access)
        #expect(refused.errors.contains("--token-env"))
        let run = await browse("profile", "--token-env", "TOKEN", environment: ["TOKEN": "gho_offline_octocat_1"])
        #expect(run.outcome == .success)
        #expect(run.lines[0] == "login\toctocat")
    }

    @Test("is lines of keys and values for programs in every language", arguments: ["en", "ko"])
    func lines(locale: String) async {
        let run = await browse("profile", "octocat", "--locale", locale)
        #expect(run.outcome == .success)
        let pairs = run.lines.dropLast().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(pairs.allSatisfy { $0.count == 2 })
        #expect(
            pairs.map { $0[0] } == [
                "login", "id", "kind", "name", "bio", "company", "location", "blog", "public_repos", "public_gists",
                "followers", "following", "member_since", "web_page", "avatar",
            ]
        )
        #expect(pairs[10] == ["followers", "257"])
        #expect(pairs[12] == ["member_since", "2011-01-25T18:44:36Z"])
    }

    @Test(
        "is a page of labeled fields for a person",
        arguments: [
            ("en", ["Joined        January 2011", "Repositories  137", "Company       @github"]),
            ("ko", ["가입      2011년 1월", "저장소    137", "회사      @github"]),
        ]
    )
    func fields(locale: String, expected: [String]) async {
        let run = await browse(
            "profile",
            "octocat",
            "--locale",
            locale,
            onTerminal: true,
            environment: ["NO_COLOR": "1"]
        )
        #expect(run.lines[0] == "octocat")
        for line in expected { #expect(run.lines.contains(line)) }
    }

    @Test("has texts for missing values for a person, and empty values for programs")
    func missing() async {
        let person = await browse("profile", "lonely", "--color", "never", onTerminal: true)
        #expect(person.lines.contains("Bio           No bio"))
        #expect(await browse("profile", "lonely").lines.contains("bio\t"))
    }

    @Test("wraps a long bio beside its label, and preserves its lines", arguments: [30, 50, 80])
    func wraps(columns: Int) async {
        let profile = GitHub.UserProfile(user: user(1, "mona")) {
            $0.bio = "iOS 개발자 👩🏻‍💻 커피☕️와 고양이🐈를 좋아합니다. 오늘도 맑음 ✨\nsecond line"
            $0.memberSince = Date(timeIntervalSince1970: 0)
        }
        let make = profiling(InMemoryUserRepository { _ in .profile(profile) })
        let run = await browse(
            "profile",
            "mona",
            "--color",
            "never",
            onTerminal: true,
            columns: columns,
            makeContainer: make
        )
        #expect(run.lines.allSatisfy { $0.columns <= columns })
        #expect(run.lines.contains("              second line"))
        #expect(await browse("profile", "mona", makeContainer: make).output.contains("✨ second line\n"))
    }

    @Test("opens an invalid name with --login")
    func logins() async {
        let refused = await browse("profile", "release-helper[bot]")
        #expect(refused.outcome == .usage)
        let run = await browse("profile", "release-helper[bot]", "--login")
        #expect(run.lines[0] == "login\trelease-helper[bot]")
        #expect(await browse("profile", "", "--login").outcome == .usage)
    }

    @Test("contains no escape sequences of a server", arguments: [true, false])
    func hostile(isTerminal: Bool) async {
        let evil = "a\u{1B}]8;;https://x\u{7}b\u{202E}c\u{9B}2Jd\te\nf"
        let profile = GitHub.UserProfile(user: user(1, evil, page: evil, kind: GitHub.User.Kind(rawValue: evil))) {
            $0.name = evil
            $0.bio = evil
            $0.company = evil
            $0.location = evil
            $0.blog = WebAddress(evil)
            $0.memberSince = Date(timeIntervalSince1970: 0)
        }
        let make = profiling(InMemoryUserRepository { _ in .profile(profile) })
        let run = await browse(
            "profile",
            "mona",
            onTerminal: isTerminal,
            environment: ["NO_COLOR": "1"],
            makeContainer: make
        )
        #expect(controls(in: run.output).isEmpty)
        if !isTerminal { #expect(run.lines.count == 16) }
    }

    @Test("stops at a signal")
    func interruption() async {
        let held = ControlledResponses<InMemoryUserRepository.Call, GitHub.UserProfile>()
        let memory = Memory()
        let context = ProcessContext(
            environment: [:],
            output: memory.sink(),
            errors: memory.sink(),
            stopSignal: { SIGTERM },
            makeContainer: profiling(
                InMemoryUserRepository { [held] call throws(BrowseError) in
                    .profile(try await held.response(to: call))
                }
            )
        )
        let run = Task { await Tool.run(["profile", "octocat"], in: context) }
        await held.waitForRequests(1)
        run.cancel()
        #expect(await run.value.code == 143)
        #expect(memory.text == "browse: Stopped before anything was loaded.\n")
    }
}
