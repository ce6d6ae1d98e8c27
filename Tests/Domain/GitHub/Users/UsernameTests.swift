import BrowseDomain
import BrowseGitHubDomain
import TestLimits
import Testing

@Suite(.bounded) struct `Username` {
    typealias ValidationError = GitHub.Username.ValidationError

    @Test(arguments: [
        "a", "octocat", "A1-b2", "0", String(repeating: "x", count: 39), "a-b-c-d", "mona_acme", "_a", "mona-",
        "octo--cat", "-ACE-",
    ])
    // shinnn/github-username-regex#7, ckeditor/ckeditor5-dev#1160
    func `accepts what GitHub can have issued`(text: String) throws {
        let username = try GitHub.Username(text)
        #expect(username.login == GitHub.Login(text))
        #expect(username.isUnusual == ["mona-", "octo--cat", "-ACE-"].contains(text))
    }

    // "Enabling subdomain isolation" in the documentation of GitHub Enterprise Server.
    @Test(arguments: [
        "github.example.com/", "github.example.com/gist/", "github.example.com/raw/", "github.example.com/codeload/",
        "github.example.com/media/", "github.example.com/pages/", "gist.github.example.com/",
        "raw.github.example.com/", "codeload.github.example.com/",
    ])
    func `is found in an address of the configured server only`(start: String) throws {
        let address = "https://\(start)octocat/tea"
        #expect(try GitHub.Username(address, host: "github.example.com").login == GitHub.Login("octocat"))
        #expect(throws: ValidationError.addressWithoutAccount) { try GitHub.Username(address) }
        #expect(throws: ValidationError.addressWithoutAccount) {
            try GitHub.Username("https://github.example.com/gist/6cad326836d38bd3a7ae", host: "github.example.com")
        }
        #expect(throws: ValidationError.addressWithoutAccount) {
            try GitHub.Username("https://github.com.evil/octocat")
        }
    }

    // rgrove/rawgit#99, Rich-Harris/degit#489
    @Test(arguments: ["https://gist.github.com/", "git@gist.github.com:", "https://gist.githubusercontent.com/"])
    func `is found in an address of a gist, unless that lacks its owner`(start: String) throws {
        let number = "82b5feaa4628a0a1d11bb2f88486ab98"
        for end in ["", ".git", "/raw", "/raw/tea.md", "/3e2c5d1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d"] {
            #expect(throws: ValidationError.addressWithoutAccount) { try GitHub.Username(start + number + end) }
            #expect(try GitHub.Username("\(start)octocat/\(number)\(end)").login == GitHub.Login("octocat"))
        }
    }

    @Test(arguments: [
        ("", ValidationError.empty), (" ", .empty), ("@", .empty), ("https://github.com/", .empty),
        ("https://github.com/settings를", .addressWithoutAccount), ("octo cat", .characterNotAllowed(" ")),
        ("helper[bot]", .characterNotAllowed("[")), ("김하늘", .characterNotAllowed("김")),
        ("oct\u{301}ocat", .characterNotAllowed("t\u{301}")), ("оctocat", .characterNotAllowed("о")),
        ("octocat٣", .characterNotAllowed("٣")), ("a\r\nb", .characterNotAllowed(" ")),
        (String(repeating: "x", count: 40), .tooLong(by: 1)), (String(repeating: "-", count: 100), .tooLong(by: 61)),
        ("-a", .hyphenFirst), ("-", .hyphenFirst),
    ])
    func `rejects other text with the reason`(text: String, reason: ValidationError) {
        #expect(throws: reason) { try GitHub.Username(text) }
    }
}
