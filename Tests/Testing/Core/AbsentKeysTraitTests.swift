import BrowseCoreMocks
import BrowseData
import BrowseTesting
import Foundation
import TestLimits
import Testing

/// A type of an app, with mistyped keys.
private struct Book: Decodable, Sendable {
    struct Author: Decodable, Sendable {
        let name: String
        let born: Int?
    }

    let key: String
    let title: String?
    let cover: Lenient<Int>
    let authors: Lenient<[Author]>
    let published: Date?

    private enum CodingKeys: String, CodingKey {
        case key, title, authors, published
        case cover = "covr_i"
    }
}

/// Unlike the others, not private, but its keys are.
struct FixtureShop: Decodable, Sendable {
    let place: String?

    private enum CodingKeys: String, CodingKey {
        case place = "plaze"
    }
}

private struct Shelf: Decodable, Sendable {
    let docs: LossyArray<Book>
    let total: Int?
}

@Suite(.bounded) struct `A key that no fixture has` {
    private static let url = URL(filePath: "/")
    private let fixtures = Fixtures([
        "one": Data(#"{"docs": [{"key": "a", "cover_i": 1, "authors": [{"name": "A"}]}, {"kee": 1}]}"#.utf8),
        "two": Data(#"{"docs": [{"key": "b", "title": null, "published": 7}], "total": 1}"#.utf8),
        "none": Data(#"{"docs": []}"#.utf8), "other": Data(#"["covr_i", "born"]"#.utf8),
    ])

    /// Decodes a response in a test with `.verifiesMocks`, and returns the keys in its issues.
    private func absentKeys(_ name: String, allowing: Set<String> = []) async throws -> [String] {
        let issues = try await verifiedIssues {
            try FixtureKeys.$allowed.withValue(allowing) {
                let response = HTTPClient.Response(status: 200, body: try fixtures[name], url: Self.url)
                _ = try response.json(Shelf.self)
            }
        }
        #expect(issues.allSatisfy { $0.text.contains("Correct the key, add it to a fixture, or allow it") })
        return issues.compactMap { $0.text.firstMatch(of: /No fixture has the key (.+), so its/).map { String($0.1) } }
    }

    @Test(arguments: ["one", "two"]) func `is an issue, though the values are missing in silence`(name: String)
        async throws
    {
        #expect(try await absentKeys(name) == ["Author.born", "Book.covr_i (but there is “cover_i”)"])
    }

    @Test(arguments: [Set<String>(), ["FixtureShop.plaze"]])
    func `has the name of its type, also if only the keys are private`(allowed: Set<String>) async throws {
        let issues = try await verifiedIssues {
            try FixtureKeys.$allowed.withValue(allowed) {
                let response = HTTPClient.Response(status: 200, body: try fixtures["none"], url: Self.url)
                _ = try response.json(FixtureShop.self)
            }
        }
        let isNamed = issues.map { $0.text.hasPrefix("No fixture has the key FixtureShop.plaze,") }
        #expect(isNamed == (allowed.isEmpty ? [true] : []))
    }

    @Test func `is no issue if a test allows it, if nothing asked for it, or if the response is no fixture`()
        async throws
    {
        #expect(try await absentKeys("one", allowing: ["born", "Book.covr_i"]) == [])
        let issues = try await verifiedIssues {
            _ = try fixtures["one"]
            for body in [#"{"docs": [{"key": "a"}]}"#, #"{"docs": []}"#] {
                let response = HTTPClient.Response(status: 200, body: Data(body.utf8), url: Self.url)
                _ = try response.json(Shelf.self)
            }
        }
        #expect(issues.map(\.text) == [])
    }

    @Test func `of a row isn't reported if a detail has it`() async throws {
        let fixtures = Fixtures([
            "list": Data(#"{"docs": [{"key": "a"}], "total": 1}"#.utf8),
            "detail": Data(
                #"{"key": "a", "title": "A", "covr_i": 1, "authors": [{"name": "A", "born": 1}], "published": 7}"#.utf8
            ),
        ])
        let issues = try await verifiedIssues {
            let response = HTTPClient.Response(status: 200, body: try fixtures["list"], url: Self.url)
            _ = try response.json(Shelf.self)
        }
        #expect(issues.map(\.text) == [])
    }

    @Test func `is an issue of a recording, too, with the others of its type`() async throws {
        let exchange = Recording.Exchange(
            url: try #require(URL(string: "https://api.example/a")),
            outcome: .response(.init(status: 200, body: try fixtures["two"])),
            completion: 1
        )
        let issues = try await verifiedIssues {
            let replay = ReplayingTransport(Recording(exchanges: [exchange]))
            let request = HTTPClient.Request(url: exchange.url, endpoint: "GET /a")
            _ = try await replay.send(request).json(Shelf.self)
        }
        let text = """
            No fixture has the keys Book.authors, Book.covr_i, so their values are always missing. Correct the keys, add \
            them to a fixture, or allow them with the trait .allowsAbsentKeys("Book.authors", "Book.covr_i").
            """
        #expect(issues.map(\.text) == [text])
    }
}
