#if canImport(Glibc)
import TestLimits
import Testing

@testable import BrowseData

@Suite("The head of a response", .bounded)
struct CurlHeadTests {
    private func head(_ lines: String...) throws -> CurlHead {
        var head = CurlHead()
        for line in lines { try Array((line + "\r\n").utf8).withUnsafeBytes { try head.append($0) } }
        return head
    }

    @Test("has a status and fields with case-insensitive names")
    func fields() throws {
        let head = try head("HTTP/1.1 201 Created", "X-A: 1 ", "eTag:\t\"e\"", "X-Empty:", "")
        #expect(head.isComplete)
        #expect(head.status == 201)
        #expect(head.headers == ["X-A": "1", "ETag": "\"e\"", "X-Empty": ""])
    }

    @Test("is complete after the empty line, and ignores later lines")
    func completeness() throws {
        #expect(!(try head("HTTP/2 200 ", "A: b").isComplete))
        let head = try head("HTTP/2 200 ", "A: b", "", "A: trailer", "C: d", "HTTP/1.1 500 Late")
        #expect(head.isComplete)
        #expect(head.status == 200)
        #expect(head.headers == ["A": "b"])
    }

    @Test("is that of the final response")
    func interim() throws {
        #expect(!(try head("HTTP/1.1 103 Early Hints", "Link: </a>", "").isComplete))
        let head = try head(
            "HTTP/1.1 103 Early Hints",
            "Link: </a>",
            "Content-Length: 9",
            "",
            "HTTP/1.1 200 OK",
            "A: b",
            ""
        )
        #expect(head.status == 200)
        #expect(head.headers == ["A": "b"])
        #expect(head.bodyLength == nil)
    }

    @Test("joins fields of the same name, and folded lines")
    func joins() throws {
        let head = try head("HTTP/1.1 200 OK", "Link: <a>", "X: 1", "link: <b>", "X: 2", "  3", "\t4", "")
        #expect(head.headers == ["Link": "<a>, <b>", "X": "1, 2 3 4"])
    }

    @Test("replaces control characters, which a request must not repeat, with spaces")
    func controlCharacters() throws {
        let head = try head("HTTP/1.1 200 OK", "ETag: \"a\rb\0c\u{7F}\u{1B}d\te\"", "X: \r1\r", "")
        #expect(head.headers == ["ETag": "\"a b c  d\te\"", "X": " 1 "])
    }

    @Test("isn't restarted by a field that looks like a status line")
    func secondStatusLine() throws {
        let head = try head("HTTP/1.1 200 OK", "A: b", "HTTP/1.1 500 Late", "C: d", "")
        #expect(head.status == 200)
        #expect(head.headers == ["A": "b", "C": "d"])
    }

    @Test("ignores lines that aren't fields", arguments: [": a", "A b: c", "no colon", "Ä: b", " folded at the start"])
    func noFields(line: String) throws {
        #expect(try head("HTTP/1.1 200 OK", line, " and its continuation", "C: d", "").headers == ["C": "d"])
    }

    @Test("announces the length of a body, if there is one")
    func length() throws {
        #expect(try head("HTTP/1.1 200 OK", "Content-Length: 12", "").bodyLength == 12)
        #expect(try head("HTTP/1.1 200 OK", "Content-Length: 12, 12", "Content-Length: 012", "").bodyLength == 12)
        #expect(try head("HTTP/1.1 200 OK", "Content-Length: 99999999999999999999", "").bodyLength == .max)
        #expect(try head("HTTP/1.1 304 Not Modified", "Content-Length: 12", "").bodyLength == nil)
        #expect(try head("HTTP/1.1 200 OK", "Content-Length: 12", "Transfer-Encoding: chunked", "").bodyLength == nil)
    }

    @Test("with an ambiguous length is rejected", arguments: ["12, 13", "1 2", "-1", "+1", "", "1,", "0x1", "１"])
    func ambiguousLength(length: String) {
        #expect(throws: CurlHead.Problem.ambiguousLength) { try head("HTTP/1.1 200 OK", "Content-Length: \(length)") }
    }

    @Test(
        "of more than 300 KiB is rejected, however it is split into lines",
        arguments: ["A: b", "HTTP/1.1 100 Continue", "x"]
    )
    func limit(line: String) throws {
        var head = CurlHead()
        let bytes = Array((line + "\r\n").utf8)
        for _ in 0..<(CurlHead.byteLimit / bytes.count) { try bytes.withUnsafeBytes { try head.append($0) } }
        #expect(throws: CurlHead.Problem.tooLong) { try bytes.withUnsafeBytes { try head.append($0) } }
    }
}
#endif
