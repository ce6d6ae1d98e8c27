@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite("A text from a server", .bounded)
struct ShownTextTests {
    private func shown(_ text: String) -> String {
        BrowseError.RequestInfo(endpoint: "").reporting(text).serverMessage ?? ""
    }

    @Test(arguments: [
        ("Bad credentials", "Bad credentials"), ("a\r\n\t b", "a b"),
        (String(repeating: "x", count: 19), String(repeating: "x", count: 19)),
        (String(repeating: "x", count: 20), "…"), ("key=\(String(repeating: "x", count: 16)), too", "…, too"),
        ("자격 증명이 올바르지 않습니다", "자격 증명이 올바르지 않습니다"), ("<b>hi</b>", "<b>hi</b>"), ("a\0b\u{200B}c", "abc"),
        // Keys with the characters of Base64, also as a web page or a list escapes them.
        ("Bad key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.", "Bad key …"),
        ("Bad key wJalrXUtnFEMI:K7MDENG:bPxRfiCYEXAMPLEKEY.", "Bad key …"),
        ("Bad key wJalrXUtnFEMI&#47;K7MDENG&#47;bPxRfiCYEXAMPLEKEY.", "Bad key …"),
    ])
    func `shows words of a natural language and masks long ones`(text: String, expected: String) {
        #expect(shown(text) == expected)
    }

    @Test(arguments: ["67", "%67", "U+0067", #"\u0067"#, "01100111"])
    func `hides a sequence of numbers, in any notation, and keeps a few`(number: String) {
        let text = { (count: Int) in Array(repeating: number, count: count).joined(separator: " ") }
        #expect(shown(text(9)) == text(7) + " … …" && shown("item \(text(7))") == "item \(text(7))")
        #expect(shown("Page 2 of 10 has \(number) items in v2") == "Page 2 of 10 has \(number) items in v2")
    }

    /// Valid and invalid bodies that contain a secret.
    private static func bodies(with secret: String) -> [String] {
        [
            "{\"token\":\"\(secret)\"}", "[{\"a\":[\"\(secret)\"]}]", "{\"\(secret)\":1}",
            "{\"message\":\"bad token \(secret), sorry\"}", "{\"a\":\"\(secret)", "{\"a\":\(secret),\"b\":1}",
            "{a:'\(secret)'}", "{\"a\\\":\"\(secret)\"}", "{\"a\":\"{\\\"token\\\":\\\"\(secret)\\\"}\"}",
            "\u{FEFF}{\"a\":\"\(secret)\"}", "<html><body data-token=\"\(secret)\">\(secret)</body></html>",
            "access_token=\(secret)&scope=repo", "Bearer \(secret)",
            "https://x:\(secret)@github.example/?code=\(secret)#\(secret)", secret, "\(secret)\n\(secret)",
            ")]}',\n{\"a\":\"\(secret)\"}", "callback({\"a\":\"\(secret)\"})",
        ]
    }

    @Test(arguments: Canary.all)
    func `contains no secret, wherever it's cut off and however it's encoded`(canary: Canary) {
        func form(_ prefix: String, _ text: (UInt8) -> String) -> String {
            canary.secret.utf8.map { prefix + text($0) }.joined()
        }
        func hexadecimal(_ byte: UInt8) -> String {
            byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16)
        }
        var random = SeededGenerator(seed: 40)
        let forms = [
            canary.secret, form("%", hexadecimal), form("%25", hexadecimal), form("\\u00", hexadecimal),
            form("\0") { String(Unicode.Scalar($0)) },
        ]
        for form in forms {
            for body in Self.bodies(with: form) {
                for padding in [0] + (0..<2).map({ _ in Int.random(in: 1...820, using: &random) }) {
                    let text = shown(String(String(repeating: "x ", count: 410).prefix(padding)) + body)
                    #expect(!text.contains(form.prefix(24)) && !canary.leaks(into: text), "\(body)")
                }
            }
        }
    }

    @Test func `is short for any input`() {
        let pieces = ["a", "a ", "한", "👨‍👩‍👧", "\"", "\\", "e" + String(repeating: "\u{301}", count: 500), "\0", "\n"]
        for piece in pieces {
            #expect(shown(String(repeating: piece, count: 5000)).unicodeScalars.count <= 200)
        }
    }
}
