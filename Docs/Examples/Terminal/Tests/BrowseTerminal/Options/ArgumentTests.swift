import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Synchronization
import Testing

@Suite("The arguments")
struct ArgumentTests {
    @Test(
        "are rejected if they are invalid",
        arguments: [
            ["followers"], ["followers", "a", "b"], ["unknown"], ["followers", "octocat", "--concurrency", "0"],
            ["followers", "octocat", "--concurrency", "101"], ["followers", "octocat", "--timeout", "0"],
            ["followers", "octocat", "--timeout", "nan"], ["followers", "octocat", "--timeout", "inf"],
            ["followers", "octocat", "--scenario", "odd"], ["followers", "octocat", "--color", "odd"],
            ["followers", "octocat", "--live", "--scenario", "normal"],
            ["followers", "octocat", "--base-url", "https://a.example", "--scenario", "slow"],
            ["followers", "octocat", "--live", "--base-url", "https://a.example"], ["profile", "octocat", "--all"],
            ["profile", "octocat", "--base-url", "http://ghe.example", "--client-id", "app"],
            ["profile", "octocat", "--base-url", "HTTPS://ghe.example"],
            ["characters", "--base-url", "https://a.example/a/../b"],
            ["profile", "octocat", "--live", "--client-id", "two words"],
        ]
    )
    func refused(arguments: [String]) async {
        let memory = Memory()
        let context = ProcessContext(environment: [:], output: memory.sink(), errors: memory.sink())
        let outcome = await Tool.run(arguments, in: context)
        #expect(outcome.code == 2)
        #expect(memory.text.hasPrefix("Error: "))
    }

    /// TestSprite/testsprite-cli#24 and microsoft/winappCli#719
    @Test(
        "are rejected in JSON if that was wanted",
        arguments: [
            ["profile", "octocat", "--json", "--table"], ["--json", "unknown"], ["followers", "--json"],
            ["profile", "octocat", "--json", "--scenario", "odd"], ["followers", "octocat", "--filter", "--json"],
            ["profile", "octocat", "--base-url", "https://a.example/a/../b", "--json"],
            ["profile", "octocat", "--json", "--token-env", "MISSING"],
        ]
    )
    func refusedInJSON(arguments: [String]) async {
        let (output, errors) = (Memory(), Memory())
        let context = ProcessContext(environment: [:], output: output.sink(), errors: errors.sink())
        #expect(await Tool.run(arguments, in: context) == .usage)
        #expect(output.text.isEmpty && errors.text.count { $0 == "\n" } == 1)
        let text = object(errors.text)["error"] as? String
        #expect(text?.isEmpty == false && text?.hasPrefix("Error: ") == false, "\(errors.text)")
    }

    @Test("are rejected as text if JSON would be a word of a search")
    func refusedAsText() async {
        let run = await browse("search", "repos", "--sort", "odd", "--order", "--", "--json")
        #expect(run.outcome == .usage && run.errors.hasPrefix("Error: "))
    }

    @Test(
        "accept an http URL with a host as a server",
        arguments: [
            "ftp://a.example", "a.example", "https://", "http:///path", "", "file:///etc/passwd",
            "https://a.example?x=1",
            "https://a.example#x", "javascript:alert(1)",
        ]
    )
    func refusedAddress(text: String) async {
        #expect(throws: (any Error).self) { try BaseURL.parse(text) }
        #expect(await browse("profile", "octocat", "--base-url=\(text)").outcome == .usage)
    }

    @Test("aren't repeated if a URL contains a password")
    func password() async {
        let run = await browse("profile", "octocat", "--base-url", "https://me:secret@a.example")
        #expect(run.outcome == .usage)
        #expect(run.errors.contains("--token-env"))
        #expect(!run.errors.contains("secret"))
    }

    @Test("become the SDK's configuration")
    func configuration() async throws {
        let seen = Mutex<(Configuration, Scenario?)?>(nil)
        _ = await browse(
            "followers",
            "octocat",
            "--base-url",
            "https://ghe.example/api/v3",
            "--timeout",
            "2.5",
            "--concurrency",
            "9",
            "--locale",
            "ko",
            "--token-env",
            "T",
            environment: ["T": "abc"]
        ) { configuration, scenario in
            seen.withLock { $0 = (configuration, scenario) }
            return .offline()
        }
        let (configuration, scenario) = try #require(seen.withLock { $0 })
        #expect(configuration.gitHub.url.absoluteString == "https://ghe.example/api/v3")
        #expect(configuration.limits.duration == .milliseconds(2500))
        #expect(configuration.pageConcurrency == 9)
        #expect(configuration.locale.identifier == "ko")
        #expect(configuration.gitHub.token != nil)
        #expect(scenario == nil)
    }

    @Test(
        "select folders of the server's own by default",
        arguments: [
            ("https://ghe.example/api/v3", "ghe.example"), ("https://GHE.example:443", "ghe.example"),
            ("https://ghe.example:8443", "ghe.example:8443"), ("http://ghe.example:80", "ghe.example"),
            ("http://127.0.0.1:443", "127.0.0.1:443"),
        ]
    )
    func folders(address: String, name: String) async {
        let seen = Mutex<[[URL?]]>([])
        let make: ProcessContext.MakeContainer = { configuration, _ in
            seen.withLock { $0.append([configuration.storageFolder, configuration.cacheFolder]) }
            return .offline()
        }
        _ = await browse("profile", "octocat", "--base-url", address, makeContainer: make)
        _ = await browse("profile", "octocat", "--base-url", address, "--storage", "folder", makeContainer: make)
        _ = await browse("profile", "octocat", "--live", makeContainer: make)
        let expected = [
            [
                Configuration.defaultStorageFolder.appending(path: name),
                Configuration.defaultCacheFolder.appending(path: name),
            ],
            [URL(filePath: "folder", directoryHint: .isDirectory), nil], [nil, nil],
        ]
        #expect(seen.withLock { $0 } == expected)
    }

    @Test(
        "select the website for signing in by the server's address",
        arguments: [
            ("https://api.github.com/", "https://github.com"), ("http://[::1]:8080", "http://[::1]:8080"),
            ("https://api.octocorp.ghe.com", "https://octocorp.ghe.com"),
            ("https://ghe.example:8443/api/v3", "https://ghe.example:8443"),
        ]
    )
    func website(address: String, expected: String) async {
        let seen = Mutex<URL?>(nil)
        _ = await browse("profile", "octocat", "--base-url", address) { configuration, _ in
            seen.withLock { $0 = configuration.gitHub.webURL }
            return .offline()
        }
        #expect(seen.withLock { $0 }?.absoluteString == expected)
    }

    @Test("select bundled data by default")
    func bundledData() async {
        let seen = Mutex<[Scenario?]>([])
        let make: ProcessContext.MakeContainer = { _, scenario in
            seen.withLock { $0.append(scenario) }
            return .offline()
        }
        _ = await browse("profile", "octocat", makeContainer: make)
        _ = await browse("profile", "octocat", "--scenario", "offline", makeContainer: make)
        _ = await browse("profile", "octocat", "--live", makeContainer: make)
        #expect(seen.withLock { $0 } == [.normal, .offline, nil])
    }

    @Test("show help on the output, with the exit codes")
    func help() async {
        let run = await browse("--help")
        #expect(run.outcome == .success)
        #expect(run.errors.isEmpty)
        for code in ["0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "6 ", "7 ", "130", "141"] {
            #expect(run.lines.contains { $0.hasPrefix("  " + code) })
        }
        #expect(await browse("help", "followers").output.contains("--filter"))
    }

    // cli/cli#5288 and cli/cli#11313
    @Test("can be words of a search that begin with a hyphen, as the help says")
    func hyphens() async {
        let words = await browse("help", "search", "repos").output.split(whereSeparator: \.isWhitespace)
        #expect(words.joined(separator: " ").contains("cats -- -language:java"))
        let run = await browse("search", "repos", "--json", "octocat", "--", "-language:java")
        #expect(object(run.output)["title"] as? String == "octocat -language:java")
        #expect(await browse("search", "repos", "octocat", "-language:java").outcome == .usage)
    }
}
