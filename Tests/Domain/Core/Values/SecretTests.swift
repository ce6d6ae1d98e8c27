import BrowseDomain
import BrowseGitHubDomain
import TestLimits
import Testing

@Suite(.bounded) struct `Access token` {
    private let secret = "ghp_canary0123456789abcdefghijklmnopqrstuv"

    @Test func `prints as asterisks in every way of printing`() throws {
        struct Holder { let token: AccessToken? }
        let token = try AccessToken(secret)
        var dumped = ""
        dump(Holder(token: token), to: &dumped)
        dump(token, to: &dumped)
        let texts = [
            "\(token)", String(describing: token), String(reflecting: token), "\([token])", "\(["key": token])",
            "\(Holder(token: token))", String(reflecting: Holder(token: token)), dumped, String(reflecting: token),
            Mirror(reflecting: token).children.map { "\($0.value)" }.joined(),
            "\([token: [token]])", "\(Result<AccessToken, any Error>.success(token))",
        ]
        for text in texts { #expect(!text.contains("canary"), "\(text)") }
        #expect("\(token)" == "***")
        #expect(Mirror(reflecting: token).children.isEmpty)
        #expect((token as Any) as? any Encodable == nil)
    }

    @Test(arguments: ["a b", "a\nb", "a\r\nX-Evil: 1", "tökén", "a\u{0}", "\u{7F}"])
    func `rejects characters that aren't allowed in a header field, without revealing the text`(text: String) {
        #expect(throws: AccessToken.ValidationError.characterNotAllowed) { try AccessToken(text) }
    }

    @Test(
        arguments: [
            ("ghp_1", "ghp_1"), (" ghp_1\n", "ghp_1"), ("ghp_1\r\n", "ghp_1"), ("", nil), (" \n", nil), (nil, nil),
        ] as [(String?, String?)]
    )
    func `is read from an environment variable without white space around it`(value: String?, text: String?) throws {
        let environment = ["OTHER": "x"].merging(value.map { ["TOKEN": $0] } ?? [:]) { $1 }
        #expect(try Secret(environmentVariable: "TOKEN", in: environment) == text.map { try Secret($0) })
        #expect(try Secret(environmentVariable: "BROWSEKIT_NO_SUCH_VARIABLE") == nil)
    }

    @Test func `isn't read from an environment variable with other text`() {
        #expect(throws: Secret.ValidationError.characterNotAllowed) {
            try Secret(environmentVariable: "TOKEN", in: ["TOKEN": "two words"])
        }
    }

    @Test func `rejects empty text`() {
        #expect(throws: AccessToken.ValidationError.empty) { try AccessToken("") }
        #expect("\(Secret.ValidationError.empty)" == "A token or another secret is empty.")
    }
}
