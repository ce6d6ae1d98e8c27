import BrowseDomain
import BrowseGitHubDomain
import TestLimits
import Testing

@Suite(.bounded) struct `Username` {
    typealias ValidationError = GitHub.Username.ValidationError

    @Test(arguments: ["a", "octocat", "A1-b2", "0", String(repeating: "x", count: 39), "a-b-c-d"])
    func `accepts what GitHub's sign-up form accepts`(text: String) throws {
        #expect(try GitHub.Username(text).login == GitHub.Login(text))
    }

    @Test(arguments: [
        ("", ValidationError.empty),
        (" ", .characterNotAllowed(" ")),
        ("octocat\n", .characterNotAllowed("\n")),
        ("\u{FEFF}octocat", .characterNotAllowed("\u{FEFF}")),
        ("octo cat", .characterNotAllowed(" ")),
        ("jdoe_northwind", .characterNotAllowed("_")),
        ("helper[bot]", .characterNotAllowed("[")),
        ("김하늘", .characterNotAllowed("김")),
        ("oct\u{301}ocat", .characterNotAllowed("t\u{301}")),
        ("ｏctocat", .characterNotAllowed("ｏ")),
        ("octocat٣", .characterNotAllowed("٣")),
        ("a\r\nb", .characterNotAllowed("\r\n")),
        (String(repeating: "x", count: 40), .tooLong(by: 1)),
        (String(repeating: "-", count: 100), .tooLong(by: 61)),
        ("-a", .hyphenAtEdge),
        ("a-", .hyphenAtEdge),
        ("-", .hyphenAtEdge),
        ("a--b", .doubleHyphen),
    ])
    func `rejects other text with the reason`(text: String, reason: ValidationError) {
        #expect(throws: reason) { try GitHub.Username(text) }
    }
}
