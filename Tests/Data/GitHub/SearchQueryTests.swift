import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite("A search text", .bounded)
struct SearchQueryTests {
    private static let typed = [
        "swift", "a b", "a  b", "a+b", "a&b=c", "C++", "C#", "F*", "50%", "%20", "%2B", "%", "100%25", "a/b", "/", "?",
        "??q=x",
        "#", "\"a b\"", "'", "한글", "ㅎㅏㄴ", "김하늘 🌈", "🐙", "👨‍👩‍👧", "e\u{301}", "é", "a\nb", "a\r\nb", "a\tb", "a\0b",
        "a\u{200B}b",
        ";,:@$!*()", "<>{}|\\^`", "~-._", "[bot]", "q=1&q=2", "&per_page=1", "=", "&", "+", "language:C++ stars:>10",
        "NOT a OR \"b&c\"", "\u{202E}rtl", "\u{10FFFF}", "\u{FFFD}", "a\u{2028}b", "..", ".", "%00", "\\u0041", "${x}",
        "a;b",
        String(repeating: "x", count: 256), String(repeating: "한", count: 256), String(repeating: "%", count: 256),
    ]

    /// The values of `q` in the request, decoded byte by byte as servers decode forms.
    private static func received(in target: String) -> (path: String, q: [String], others: [String]) {
        let parts = target.split(separator: "?", omittingEmptySubsequences: false)
        var q: [String] = []
        var others: [String] = []
        for item in parts.dropFirst().joined(separator: "?").split(separator: "&", omittingEmptySubsequences: false) {
            let pair = item.split(separator: "=", omittingEmptySubsequences: false)
            if pair.count == 2, pair[0] == "q" {
                q.append(decoded(pair[1]))
            } else {
                others.append(String(item))
            }
        }
        return (String(parts[0]), q, others)
    }

    /// Percent-decodes once; a bare `+` is a space, as in a form.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let hex = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(hex)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: ["", "/api/v3"])
    func `arrives unchanged, encoded once`(base: String) async throws {
        let server = try LoopbackServer { _ in .json(GitHubResponses.found("[]", total: 0)) }
        let client = try HTTPClient.gitHub(at: server.origin + base)
        let users = RemoteGitHubRepository(client: client)
        let repos = RemoteGitHubRepository(client: client)
        for text in Self.typed {
            let before = server.requests.count
            let search = try GitHub.SearchText(text)
            _ = try await users.search(for: search, at: nil)
            _ = try await repos.search(.init(text: search, sort: .stars), at: nil)
            let targets = server.requests.dropFirst(before).map(\.target)
            try #require(targets.count == 2)
            for (target, expected) in zip(targets, [("users", []), ("repositories", ["sort=stars", "order=desc"])]) {
                let (path, q, others) = Self.received(in: target)
                #expect(path == "\(base)/search/\(expected.0)")
                #expect(q.count == 1, "\(target)")
                // By scalars, because canonically equivalent texts are different searches.
                #expect(q.first?.unicodeScalars.elementsEqual(search.text.unicodeScalars) == true, "\(target)")
                #expect(others == expected.1 + ["per_page=100"])
                #expect(target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            }
        }
    }
}
