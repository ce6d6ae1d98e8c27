import BrowseKit
import BrowseTerminal
import Foundation
import Testing

@Suite("The environment")
struct EnvironmentTests {
    @Test(
        "selects the language as POSIX does",
        arguments: [
            ([:], "en"), (["LANG": "ko_KR.UTF-8"], "ko_KR"), (["LANG": "C"], "en"), (["LANG": "C.UTF-8"], "en"),
            (["LANG": "POSIX"], "en"), (["LC_MESSAGES": "ko_KR", "LANG": "en_US.UTF-8"], "ko_KR"),
            (["LC_ALL": "fr_FR.UTF-8", "LC_MESSAGES": "ko_KR", "LANG": "ko_KR"], "fr_FR"),
            (["LC_ALL": "", "LANG": "ko_KR.UTF-8"], "ko_KR"), (["LANG": "de_DE@euro"], "de_DE"), (["LANG": ""], "en"),
        ]
    )
    func locale(environment: [String: String], expected: String) {
        #expect(SystemLocale.identifier(in: environment) == expected)
    }

    @Test("provides the token by the name of a variable")
    func token() throws {
        let url = try BaseURL.parse("https://api.github.com")
        for text in ["abc", "abc\n", " abc\r\n"] {
            #expect(try Token.read("T", from: ["T": text], for: url) == AccessToken("abc"))
        }
        #expect(throws: Token.Problem.missing) { try Token.read("T", from: [:], for: url) }
        #expect(throws: Token.Problem.missing) { try Token.read("T", from: ["T": ""], for: url) }
        #expect(throws: Token.Problem.malformed) { try Token.read("T", from: ["T": "a b"], for: url) }
    }

    @Test(
        "provides no token for a server without encryption",
        arguments: [
            ("https://ghe.example", true), ("HTTPS://ghe.example", true), ("http://ghe.example", false),
            ("http://localhost:8080", true), ("http://127.0.0.1", true), ("http://[::1]:80", true),
            ("http://localhost.evil.example", false),
        ]
    )
    func plainHTTP(address: String, isPrivate: Bool) throws {
        #expect(BaseURL.isPrivate(try BaseURL.parse(address)) == isPrivate)
    }

    @Test(
        "never shows the value or the name in messages",
        arguments: [
            ["GHP_SECRET": "two words"], ["GHP_SECRET": ""], [:],
        ]
    )
    func secrets(environment: [String: String]) async {
        let run = await browse("profile", "octocat", "--token-env", "GHP_SECRET", environment: environment)
        #expect(run.outcome == .usage)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("browse: The environment variable"))
        #expect(!run.errors.contains("GHP_SECRET") && !run.errors.contains("two words"))
    }
}
