import BrowseDomain
@testable import BrowseGitHubData
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite("A decoding failure", .bounded)
struct DecodingFailureTests {
    private struct Outer: Decodable {
        struct Inner: Decodable {
            var name: String
            var numbers: [Int]
        }

        var inner: [Inner]
        var extra: [String: Int]?
    }

    private func failure<Value: Decodable>(of type: Value.Type, _ json: String) -> BrowseError.DecodingFailure? {
        do {
            _ = try JSONDecoder().decode(type, from: Data(json.utf8))
            return nil
        } catch {
            return BrowseError.DecodingFailure(error)
        }
    }

    @Test(
        "reports the path and the reason in our own words",
        arguments: [
            ("{\"inner\":[{\"name\":42,\"numbers\":[]}]}", "inner[0].name", "not of type String"),
            ("{\"inner\":[{\"name\":\"a\",\"numbers\":[1,2,\"x\"]}]}", "inner[0].numbers[2]", "not of type Int"),
            (
                "{\"inner\":[{\"name\":\"a\",\"numbers\":[1,null]}]}", "inner[0].numbers[1]",
                "null where Int was expected"
            ),
            ("{\"inner\":[{\"numbers\":[]}]}", "inner[0].name", "missing"), ("{}", "inner", "missing"),
            ("{\"inner\":[{\"name\":null,\"numbers\":[]}]}", "inner[0].name", "null where String was expected"),
            ("{\"inner\":[", "", "not valid JSON"), ("oops", "", "not valid JSON"),
        ]
    )
    func table(json: String, path: String, reason: String) {
        let failure = failure(of: Outer.self, json)
        #expect(failure?.codingPath == path)
        #expect(failure?.reason == reason)
    }

    @Test("contains no value of the body", arguments: Canary.all)
    func secretFree(canary: Canary) throws {
        let quoted = "\"\(canary.secret)\""
        for json in [
            "{\"inner\":\(quoted)}", "{\"inner\":[\(quoted)]}",
            "{\"inner\":[{\"name\":\"a\",\"numbers\":[\(quoted)]}]}",
            "{\"inner\":[{\"name\":\(quoted)}]}", quoted, canary.secret, "{\"inner\":\(canary.secret)}",
            "{\(quoted):1}",
            "{\"inner\":[],\(quoted)", "{\"inner\":[],\"extra\":{\(quoted):\"x\"}}",
            "{\"inner\":[],\"extra\":{\"a\":\(quoted)}}",
        ] {
            let failure = try #require(self.failure(of: Outer.self, json), "\(json)")
            #expect(!canary.leaks(into: everyPrint(of: failure)), "\(json)")
        }
    }

    @Test("of a row skips only that row, and reports its path")
    func lossyRows() throws {
        let json = """
            [{"id":1,"login":"a"},{"id":2},null,3,"x",[],{"id":"4","login":"d"},{"id":5,"login":null},{"id":1e999,"login":"f"},\
            {"id":9223372036854775807,"login":"g"},{"id":9223372036854775808,"login":"h"}]
            """
        let list = try JSONDecoder().decode(LossyArray<UserDTO>.self, from: Data(json.utf8))
        #expect(list.rows.map(\.id) == [1, .max])
        #expect(list.skipped.described.map(\.index) == [1, 2, 3, 4, 5, 6, 7, 8, 10])
        let rows = Dictionary(uniqueKeysWithValues: list.skipped.described.map { ($0.index, $0) })
        #expect(rows[1] == SkippedRow(index: 1, codingPath: "[1].login", reason: "missing"))
        #expect(rows[6] == SkippedRow(index: 6, codingPath: "[6].id", reason: "not of type Int64"))
        #expect(rows[7] == SkippedRow(index: 7, codingPath: "[7].login", reason: "null where String was expected"))
        for index in [2, 3, 4, 5, 8, 10] { #expect(rows[index]?.codingPath.hasPrefix("[\(index)]") == true, "\(rows)") }
    }

    @Test("of a row with invalid UTF-8 skips only that row, and reports its path")
    func invalidText() throws {
        let good = "{\"id\":1,\"login\":\"a\"}"
        for bad in ["{\"id\":2,\"login\":\"@\"}", "{\"id\":2,\"login\":\"b\",\"@\":1}", "{\"@\":2}"] {
            var bytes = Array("[\(good),\(bad),\(good)]".utf8)
            let place = try #require(bytes.firstIndex(of: UInt8(ascii: "@")))
            bytes.replaceSubrange(place...place, with: [0xFF, 0xC0])
            let list = try JSONDecoder().decode(LossyArray<UserDTO>.self, from: Data(bytes))
            #expect(list.rows.map(\.id) == [1, 1])
            #expect(list.skipped == [SkippedRow(index: 1, codingPath: "[1]", reason: "not a valid value")])
        }
    }

    @Test("of every row is an error, unlike an empty list")
    func allBad() throws {
        let empty = try JSONDecoder().decode(LossyArray<UserDTO>.self, from: Data("[]".utf8))
        #expect(empty.rows.isEmpty && empty.skipped == [])
        let failure = self.failure(of: LossyArray<UserDTO>.self, "[{\"id\":1},{\"id\":\"2\"}]")
        #expect(failure?.codingPath == "[0].login")
        #expect(failure?.reason == "missing")
        #expect(self.failure(of: LossyArray<UserDTO>.self, "{\"items\":[]}")?.codingPath == "")
    }
}
