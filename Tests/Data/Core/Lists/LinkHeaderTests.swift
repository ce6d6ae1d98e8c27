import BrowseData
import BrowseDomain
import Foundation
import TestLimits
import Testing

@Suite("The Link header", .bounded)
struct LinkHeaderTests {
    private func nextPage(_ header: String?) throws -> String? {
        var response = HTTPClient.Response(
            status: 200,
            url: try #require(URL(string: "https://api.example/v1/books?page=1"))
        )
        response.headers["Link"] = header
        return Page<Int>(items: [], linkedBy: response).next?.rawValue
    }

    @Test(
        arguments: [
            nil: nil,
            "</books?page=9>; rel=last": nil,
            "<https://api.example/books?page=2>; rel=next": "https://api.example/books?page=2",
            "<HTTPS://other.example/%7Ea?page=2>; rel=next": "HTTPS://other.example/%7Ea?page=2",
            "</books?page=2>; rel=next": "https://api.example/books?page=2",
            "<?page=2>; rel=next": "https://api.example/v1/books?page=2",
            "<httpRequests?page=2>; rel=next": "https://api.example/v1/httpRequests?page=2",
            // As GitHub sends it, in either order.
            "<https://a/2>; rel=\"next\", <https://a/9>; rel=\"last\"": "https://a/2",
            "<https://a/9>; rel=\"last\", <https://a/2>; rel=\"next\"": "https://a/2",
            // Variants that RFC 8288 allows.
            "<https://a/2>;rel=next,<https://a/9>;rel=last": "https://a/2",
            "<https://a/2>; REL=\"NEXT\"": "https://a/2",
            "<https://a/2>; rel=\"last next\"": "https://a/2",
            "<https://a/2> ; title = \"a, b; c <x>\" ; rel = next": "https://a/2",
            "<https://a/2>; title=\"a \\\" b\"; rel=\"next\"": "https://a/2",
            "<https://a/b,c;d?e=f>; rel=next": "https://a/b,c;d?e=f",
            "<https://a/2>; rel=next; rel=last": "https://a/2",
            "<https://a/2>; rel=next, <https://a/3>; rel=next": "https://a/2",
            "<https://a/2>; title*=UTF-8''%e2%82%ac; rel=next": "https://a/2",
            " ,, <https://a/2>; rel=next ,": "https://a/2",
            "<https://a/2>; rel=\"next\";;type=\"a\"": "https://a/2",
            // As GitHub sent it for a while (alexpeattie/nitlink#2).
            "<https://a/2>; rel='next', <https://a/9>; rel='last'": "https://a/2",
            // Links of another thing (hypervel/components#583).
            "<https://a/2>; rel=next; anchor=\"#comments\"": nil,
            "<https://b/2>; anchor=\"https://b/\"; rel=\"next\", <https://a/2>; rel=next": "https://a/2",
            // Links that can't be parsed are skipped.
            "": nil, "<https://a/2>": nil, "<https://a/2>; rel": nil, "<https://a/2>; rel=": nil,
            "<https://a/2>; rel=\"\"": nil, "<https://a/2; rel=next": nil, "https://a/2; rel=next": nil,
            "<https://a/2>; relation=next": nil,
            "<https://a/1>; oops, <https://a/2>; rel=next": "https://a/2",
            "<https://a/2>; rel=\"next": "https://a/2",
        ] as [String?: String?]
    )
    func `names the next page, absolute or relative to the response's URL`(header: String?, expected: String?) throws {
        #expect(try nextPage(header) == expected)
    }

    @Test func `is parsed in linear time`() throws {
        for part in ["<", ">", ";", "</a>;", "</a>; rel=next,", "</a>; rel=\"", "\\", "=", "</a>; x=\"\\"] {
            _ = try nextPage(String(repeating: part, count: 20_000))
        }
        let names = (0..<20_000).map { String($0, radix: 36) }.joined(separator: " ")
        _ = try nextPage("</\(String(repeating: "a", count: 100_000))>; rel=\"\(names) next\"")
    }
}
