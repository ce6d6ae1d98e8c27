import BrowseDomain
import Foundation
import TestLimits
import Testing

import BrowseData

@Suite("Header fields", .bounded)
struct HTTPHeadersTests {
    @Test func `have case-insensitive names`() {
        var headers: HTTPHeaders = ["Content-Type": "a", "ETAG": "b"]
        #expect(headers["content-type"] == "a")
        #expect(headers["CONTENT-TYPE"] == "a")
        #expect(headers["eTag"] == "b")
        #expect(headers["missing"] == nil)
        headers["content-TYPE"] = "c"
        #expect(headers["Content-Type"] == "c")
        headers["CONTENT-type"] = nil
        #expect(headers == ["etag": "b"])
        #expect(headers.fields == ["etag": "b"])
    }

    @Test(arguments: [
        ("a, a", "a"), ("Fri, 02 Jan, Fri, 02 Jan", "Fri, 02 Jan"), (", ", ""), ("", ""), ("a, b", "a, b"),
        ("a,a", "a,a"), ("한, 한", "한"), ("a", "a"),
    ])
    func `have a repeated value once, but send it as it is`(value: String, once: String) {
        let headers: HTTPHeaders = ["A": value]
        #expect(headers["a"] == once && headers.fields["a"] == value)
    }

    @Test func `have few combining marks in a row, whose comparison takes long`() {
        let value = "a\tb\u{1}é" + String(repeating: "\u{301}\u{323}", count: 100_000)
        let headers: HTTPHeaders = ["A": HTTPHeaders.sanitized(value.utf8)]
        #expect(headers["A"] == "a\tb é" + String(repeating: "\u{301}\u{323}", count: 15))
    }

    @Test func `keep the last of two values whose names differ only in case`() {
        let headers: HTTPHeaders = ["Accept": "a", "ACCEPT": "b"]
        #expect(headers == ["accept": "b"])
    }

    @Test func `are replaced when merged with others`() {
        var headers: HTTPHeaders = ["A": "1", "B": "1"]
        headers.merge(["b": "2", "C": "2"])
        #expect(headers == ["a": "1", "b": "2", "c": "2"])
    }

    @Test func `list the elements of a field in lowercase, without empty ones and whitespace`() {
        let headers: HTTPHeaders = ["Vary": " Accept,\tX-Ä ,, Accept-Encoding\t, a b ", "Empty": " ,\t"]
        #expect(headers.list("vary") == ["accept", "x-ä", "accept-encoding", "a b"])
        #expect(headers.list("Empty") == [])
        #expect(headers.list("Missing") == [])
    }

    @Test("print declared credentials as ***, also after they were merged", arguments: Canary.all)
    func masksDeclared(canary: Canary) {
        var declared: HTTPHeaders = ["X-Api-Key": canary.secret]
        declared.declareCredentials(["x-api-key"])
        var headers: HTTPHeaders = ["Accept": "y"]
        headers.merge(declared)
        #expect(headers.description == "accept: y\nx-api-key: ***")
        #expect(!canary.leaks(into: everyPrint(of: headers)))
        // The names don't distinguish equal fields.
        #expect(headers == ["Accept": "y", "X-Api-Key": canary.secret])
        #expect(headers.hashValue == (["Accept": "y", "X-Api-Key": canary.secret] as HTTPHeaders).hashValue)
    }

    @Test("print credentials as ***, in any case and by any function", arguments: Canary.all)
    func masks(canary: Canary) {
        for name in ["authorization", "Authorization", "COOKIE", "Set-Cookie", "Proxy-Authorization"] {
            let headers: HTTPHeaders = [name: "Bearer \(canary.secret)", "Accept": "text/plain"]
            #expect(
                headers.description
                    == ["accept: text/plain", "\(name.lowercased()): ***"].sorted().joined(separator: "\n")
            )
            #expect(!canary.leaks(into: everyPrint(of: headers)))
            #expect(!canary.leaks(into: everyPrint(of: Optional(headers))))
            #expect(!canary.leaks(into: everyPrint(of: [headers])))
            let request = HTTPClient.Request(url: URL(filePath: "/"), headers: headers, endpoint: "GET /")
            #expect(!canary.leaks(into: everyPrint(of: request)))
            let response = HTTPClient.Response(status: 200, headers: headers, url: URL(filePath: "/"))
            #expect(!canary.leaks(into: everyPrint(of: response)))
        }
    }
}
