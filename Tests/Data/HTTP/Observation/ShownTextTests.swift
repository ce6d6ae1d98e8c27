import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite("A text from a server", .bounded)
struct ShownTextTests {
    @Test(
        "shows words of a natural language and masks long ones",
        arguments: [
            ("Bad credentials", "Bad credentials"), ("a\r\n\t b", "a b"),
            (String(repeating: "x", count: 19), String(repeating: "x", count: 19)),
            (String(repeating: "x", count: 20), "…"), ("key=\(String(repeating: "x", count: 16))!", "…!"),
            ("자격 증명이 올바르지 않습니다", "자격 증명이 올바르지 않습니다"), ("<b>hi</b>", "<b>hi</b>"), ("a\0b\u{200B}c", "abc"),
        ]
    )
    func text(text: String, excerpt: String) {
        #expect(ShownText.words(text, limit: 100) == excerpt)
    }

    /// Valid and invalid bodies that contain a secret.
    private static func bodies(with secret: String) -> [String] {
        [
            "{\"token\":\"\(secret)\"}", "[{\"a\":[\"\(secret)\"]}]", "{\"\(secret)\":1}",
            "{\"a\":1,\"\(secret)\" : {\"b\":2}}",
            "{\"message\":\"bad token \(secret), sorry\"}", "\"\(secret)\"", "{\"a\":\"\(secret)",
            "{\"a\":\(secret),\"b\":1}",
            "{a:'\(secret)'}", "{\"a\":\"b\"c\":\"\(secret)\"}", "[\(secret)]", "{\"a\\\":\"\(secret)\"}",
            "{\"a\":\"{\\\"token\\\":\\\"\(secret)\\\"}\"}", "{\\\"token\\\":\\\"\(secret)\\\"}",
            "\u{FEFF}{\"a\":\"\(secret)\"}",
            "<html><body data-token=\"\(secret)\">\(secret)</body></html>", "<!-- \(secret) --><p>",
            "access_token=\(secret)&scope=repo",
            "Bearer \(secret)", "token \(secret)", "https://x:\(secret)@github.example/?code=\(secret)#\(secret)",
            secret, "\(secret)\n\(secret)",
            ")]}',\n{\"a\":\"\(secret)\"}", "callback({\"a\":\"\(secret)\"})",
        ]
    }

    @Test("contains no secret, wherever a body is cut off", arguments: Canary.all)
    func secrets(canary: Canary) throws {
        var random = SeededGenerator(seed: 40)
        for body in Self.bodies(with: canary.secret) {
            for filler in ["x ", " ", "\(String(repeating: "y", count: 24)) "] {
                for padding in [0] + (0..<2).map({ _ in Int.random(in: 1...520, using: &random) }) {
                    let pad = String(String(repeating: filler, count: 270).prefix(padding))
                    let padded = body.first.map { "[{\"".contains($0) } == true ? "[\"\(pad)\"," + body : pad + body
                    #expect(!canary.leaks(into: ShownText.words(padded, limit: 200)), "\(padded)")
                }
            }
        }
    }

    @Test("contains no secret in another encoding", arguments: Canary.all)
    func encodings(canary: Canary) throws {
        func form(_ prefix: String, _ text: (UInt8) -> String) -> String {
            canary.secret.utf8.map { prefix + text($0) }.joined()
        }
        func hexadecimal(_ byte: UInt8) -> String {
            byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16)
        }
        let forms = [
            form("%", hexadecimal), form("%25", hexadecimal), form("\\u00", hexadecimal),
            form("\0") { String(Unicode.Scalar($0)) },
        ]
        for form in forms {
            for body in Self.bodies(with: form) {
                let text = ShownText.words(body, limit: 200)
                #expect(!text.contains(form.prefix(24)), "\(body)")
                #expect(!canary.leaks(into: text), "\(body)")
            }
        }
    }

    @Test("is short for any input")
    func bounded() {
        let pieces = [
            "a", "a ", "한", "👨‍👩‍👧", "\"", "\\", "{\"", "e" + String(repeating: "\u{301}", count: 500), "\0", "\n", "<p>",
            "1,",
        ]
        for piece in pieces {
            let text = String(repeating: piece, count: 5000)
            #expect(ShownText.words(text, limit: 200).unicodeScalars.count <= 200)
        }
    }
}
