import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite("An excerpt", .bounded)
struct ExcerptTests {
    @Test(
        "shows the structure of JSON without its strings",
        arguments: [
            ("{\"a\":\"b\",\"c\":[1,true,null]}", "{\"a\":\"…\",\"c\":[1,true,null]}"),
            ("  [ \"x\" , {\"k\" : \"v\"} ]", "[ \"…\" , {\"k\" : \"…\"} ]"), ("\"text\"", "\"…\""),
            ("{\"a\":\"say \\\"hi\\\" \\\\\",\"b\":2}", "{\"a\":\"…\",\"b\":2}"),
            ("{\"a\":\"unfinished", "{\"a\":\"…\""),
            ("{\"unfinished key", "{\"…\""), ("[]", "[]"), ("", ""), ("\n\n  ", ""),
            ("\u{FEFF}{\"a\":\"b\"}", "{\"a\":\"…\"}"),
            ("{\"열쇠\":\"값\"}", "{\"열쇠\":\"…\"}"), ("{\"a\":\"\\", "{\"a\":\"…\""),
        ]
    )
    func json(body: String, excerpt: String) {
        #expect(Excerpt.make(of: Data(body.utf8)) == excerpt)
    }

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
        #expect(Excerpt.masking(text, limit: 100) == excerpt)
        #expect(Excerpt.make(of: Data(text.utf8)) == excerpt)
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
                    #expect(!canary.leaks(into: Excerpt.make(of: Data(padded.utf8))), "\(padded)")
                    #expect(!canary.leaks(into: Excerpt.masking(padded, limit: 200)), "\(padded)")
                }
            }
        }
    }

    @Test("contains no secret in another encoding", arguments: Canary.all)
    func encodings(canary: Canary) throws {
        for body in Self.bodies(with: canary.secret) {
            for encoding: String.Encoding in [
                .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf16,
            ] {
                let data = try #require(body.data(using: encoding))
                let visible = Excerpt.make(of: data).unicodeScalars.filter { $0.value > 0x20 }
                #expect(!canary.leaks(into: String(String.UnicodeScalarView(visible))))
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
            #expect(Excerpt.make(of: Data(text.utf8)).unicodeScalars.count <= 120)
            #expect(Excerpt.masking(text, limit: 200).unicodeScalars.count <= 200)
            #expect(Excerpt.make(of: Data(("[" + text).utf8)).unicodeScalars.count <= 120)
        }
        var random = SeededGenerator(seed: 120)
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...700, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(Excerpt.make(of: Data(bytes)).unicodeScalars.count <= 120)
        }
    }
}
