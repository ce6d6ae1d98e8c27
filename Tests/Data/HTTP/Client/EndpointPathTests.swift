import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite("An endpoint's path", .bounded)
struct EndpointPathTests {
    @Test func `A number is a segment`() {
        let (id, page): (Int64, Int) = (9_223_372_036_854_775_807, 2)
        let path: EndpointPath = "/books/\(id)/pages/\(page)"
        #expect(path.encoded == "/books/9223372036854775807/pages/2")
        #expect(path.template == "/books/{}/pages/{}" && path.isValid)
    }

    @Test(
        "encodes a parameter once, as one segment",
        arguments: [
            ("octocat", "octocat"), ("a-b_c.d~e", "a-b_c.d~e"), ("a b", "a%20b"), ("a+b", "a%2Bb"),
            ("a&b=c", "a%26b%3Dc"),
            ("C#", "C%23"), ("50%", "50%25"), ("%20", "%2520"), ("a%2eb", "a%252eb"), ("a/b", "a%2Fb"),
            ("?", "%3F"),
            ("\"'", "%22%27"), ("한", "%ED%95%9C"), ("😀", "%F0%9F%98%80"), ("bot[bot]", "bot%5Bbot%5D"),
            ("a\r\nb", "a%0D%0Ab"),
            ("\0", "%00"), ("...", "..."), (" ", "%20"), ("@:!$()*,;", "%40%3A%21%24%28%29%2A%2C%3B"),
        ]
    )
    func encodes(parameter: String, encoded: String) {
        let path: EndpointPath = "/users/\(parameter)/followers"
        #expect(path.encoded == "/users/\(encoded)/followers")
        #expect(path.isValid)
        #expect(path.template == "/users/{}/followers")
    }

    @Test(
        "is invalid with a parameter that would lead to another endpoint",
        arguments: ["", ".", "..", "../a", "a/../b", "a/.", "a\\..\\b"]
    )
    func refuses(parameter: String) {
        let first: EndpointPath = "/users/\(parameter)"
        let login: EndpointPath = "/users/\(GitHub.Login(parameter))"
        let last: EndpointPath = "/repos/\("octocat")/\(parameter)"
        #expect(!first.isValid)
        #expect(!login.isValid)
        #expect(!last.isValid)
    }

    @Test("is invalid with a parameter that its service can't have")
    func refusesByService() {
        let valid: EndpointPath = "/isbn/\("0140328726", isValid: true)"
        let invalid: EndpointPath = "/isbn/\("none", isValid: false)"
        #expect(valid.isValid)
        #expect(!invalid.isValid)
        #expect(invalid.template == "/isbn/{}")
    }

    @Test("contains its literal parts unchanged, and has a template without parameters")
    func literals() {
        let path: EndpointPath = "/search/users"
        #expect(path.encoded == "/search/users")
        #expect(path.template == "/search/users")
        #expect(path.isValid)
        let two: EndpointPath = "/repos/\("a b")/\("c/d")/topics"
        #expect(two.encoded == "/repos/a%20b/c%2Fd/topics")
        #expect(two.template == "/repos/{}/{}/topics")
    }

    @Test("joins numbers with commas as one segment, and is invalid without numbers")
    func numbers() {
        let several: EndpointPath = "/character/\([3, 1, 9_223_372_036_854_775_807] as [Int64])"
        #expect(several.encoded == "/character/3,1,9223372036854775807")
        #expect(several.template == "/character/{}")
        #expect(several.isValid)
        let one: EndpointPath = "/character/\([-7] as [Int64])"
        #expect(one.encoded == "/character/-7")
        let none: EndpointPath = "/character/\([] as [Int64])"
        #expect(!none.isValid)
    }

    @Test("preserves any text")
    func roundTrip() {
        var random = SeededGenerator(seed: 3986)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2FFFF, using: &random))
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let encoded = PercentEncoding.encode(text)
            #expect(encoded.removingPercentEncoding == text)
            #expect(
                encoded.utf8.allSatisfy { byte in
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%".utf8.contains(byte)
                }
            )
        }
    }
}
