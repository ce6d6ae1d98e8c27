import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite("The Link header", .bounded)
struct LinkHeaderTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let header: String
        let targets: [String: String]
        var testDescription: String { header }

        init(_ header: String, _ targets: [String: String]) {
            self.header = header
            self.targets = targets
        }
    }

    @Test(
        "has targets by relation",
        arguments: [
            Example("", [:]),
            Example("<https://a.example/?page=2>; rel=\"next\"", ["next": "https://a.example/?page=2"]),
            // As GitHub sends it, in either order.
            Example("</?page=2>; rel=\"next\", </?page=9>; rel=\"last\"", ["next": "/?page=2", "last": "/?page=9"]),
            Example("</?page=9>; rel=\"last\", </?page=2>; rel=\"next\"", ["next": "/?page=2", "last": "/?page=9"]),
            Example(
                "</1>; rel=\"prev\", </3>; rel=\"next\", </9>; rel=\"last\", </1>; rel=\"first\"",
                ["prev": "/1", "next": "/3", "last": "/9", "first": "/1"]
            ),
            // Variants that RFC 8288 allows.
            Example("</2>;rel=next,</9>;rel=last", ["next": "/2", "last": "/9"]),
            Example("</2>; REL=\"NEXT\"", ["next": "/2"]),
            Example("</2>; rel=\"next last\"", ["next": "/2", "last": "/2"]),
            Example("</2> ; title = \"a, b; c <x>\" ; rel = next", ["next": "/2"]),
            Example("</2>; title=\"a \\\" b\"; rel=\"next\"", ["next": "/2"]),
            Example("</a,b;c?d=\"e\">; rel=next", ["next": "/a,b;c?d=\"e\""]),
            Example("</2>; rel=next; rel=last", ["next": "/2"]),
            Example("</2>; rel=next, </3>; rel=next", ["next": "/2"]),
            Example("</2>; title*=UTF-8''%e2%82%ac; rel=next", ["next": "/2"]),
            Example(" ,, </2>; rel=next ,", ["next": "/2"]),
            Example("<>; rel=next", ["next": ""]),
            Example("</페이지?쪽=2>; rel=next", ["next": "/페이지?쪽=2"]),
            // Links that can't be parsed are skipped.
            Example("</2>", [:]),
            Example("</2>; rel", [:]),
            Example("</2>; rel=", [:]),
            Example("</2>; rel=\"\"", [:]),
            Example("</2; rel=next", [:]),
            Example("/2; rel=next", [:]),
            Example("</1>; oops, </2>; rel=next", ["next": "/2"]),
            Example("</2>; rel=\"next", ["next": "/2"]),
            Example("</2>; relation=next", [:]),
        ]
    )
    func table(example: Example) {
        #expect(LinkHeader(example.header).targets == example.targets)
    }

    @Test(
        "names the next page, absolute or relative to the response's URL",
        arguments: [
            (nil, nil),
            ("</books?page=9>; rel=last", nil),
            ("<https://api.example/books?page=2>; rel=next", "https://api.example/books?page=2"),
            ("<HTTPS://other.example/%7Ea?page=2>; rel=next", "HTTPS://other.example/%7Ea?page=2"),
            ("</books?page=2>; rel=next", "https://api.example/books?page=2"),
            ("<?page=2>; rel=next", "https://api.example/v1/books?page=2"),
        ] as [(String?, String?)]
    )
    func nextPage(header: String?, expected: String?) throws {
        let url = try #require(URL(string: "https://api.example/v1/books?page=1"))
        var response = HTTPClient.Response(status: 200, url: url)
        response.headers["Link"] = header
        #expect(response.nextPage == expected.map(PageCursor.init(rawValue:)))
    }

    @Test("is parsed with any spacing, quoting, and order")
    func roundTrip() {
        var random = SeededGenerator(seed: 8288)
        for _ in 0..<500 {
            var expected: [String: String] = [:]
            var links: [String] = []
            for number in 0..<Int.random(in: 1...6, using: &random) {
                let target = random.text(of: "abc/?&=,;\"% <한😀", count: 0...20)
                let relations = (0..<Int.random(in: 1...3, using: &random)).map { "rel\(number)-\($0)" }
                for relation in relations { expected[relation] = target }
                links.append(Self.link(to: target, relations: relations, random: &random))
            }
            let header = links.joined(separator: [",", ", ", " , ", ",\t"].randomElement(using: &random) ?? ",")
            #expect(LinkHeader(header).targets == expected, "\(header)")
        }
    }

    private static func link(to target: String, relations: [String], random: inout SeededGenerator) -> String {
        var value = relations.joined(separator: " ")
        if Bool.random(using: &random) { value = value.uppercased() }
        if relations.count > 1 || Bool.random(using: &random) { value = "\"\(value)\"" }
        let space = Bool.random(using: &random) ? " " : ""
        var parameters = ["\(Bool.random(using: &random) ? "rel" : "REL")\(space)=\(space)\(value)"]
        if Bool.random(using: &random) {
            let title = random.text(of: "ab ,;<>=", count: 0...12)
            parameters.insert("title=\"\(title)\\\"\"", at: Int.random(in: 0...1, using: &random))
        }
        if Bool.random(using: &random) { parameters.append("crossorigin") }
        return "<\(target)>" + parameters.map { "\(space);\(space)\($0)" }.joined()
    }

    @Test("never crashes, and never has a target that the text doesn't contain")
    func noise() {
        var random = SeededGenerator(seed: 1)
        let syntax = Array("<>;,=\"\\ \trelnxt".utf8)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? syntax[Int.random(in: 0..<syntax.count, using: &random)]
                    : UInt8.random(in: 0...255, using: &random)
            }
            let header = String(decoding: bytes, as: UTF8.self)
            for target in LinkHeader(header).targets.values {
                let isPart =
                    target.isEmpty
                    || Array(header.utf8).split(separator: UInt8(ascii: "<")).contains {
                        Array($0).starts(with: target.utf8)
                    }
                #expect(isPart || target.contains("<"), "\(header) gave \(target)")
            }
        }
    }

    @Test("is parsed in linear time")
    func longHeaders() {
        for part in ["<", ">", ";", "</a>;", "</a>; rel=next,", "</a>; rel=\"", "\\", "=", "</a>; x=\"\\"] {
            _ = LinkHeader(String(repeating: part, count: 20_000))
        }
    }
}
