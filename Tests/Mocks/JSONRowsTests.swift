import Foundation
import TestSupport
import Testing

import BrowseMocks
import TestLimits

@Suite(.bounded)
struct JSONRowsTests {
    @Test(
        arguments: [
            ("[]", []), (" [ \n ] \n", []), ("[1]", ["1"]), ("[ 1 ,\t-2.5e3 , true ]", ["1", "-2.5e3", "true"]),
            (#"["a,b","]","\"],[","\\"]"#, [#""a,b""#, #""]""#, #""\"],[""#, #""\\""#]),
            (#"[{"a":[1,2],"b":"}"}, [3,[4]] ,{}]"#, [#"{"a":[1,2],"b":"}"}"#, "[3,[4]]", "{}"]),
            (#"[" a b "]"#, [#"" a b ""#]), (#"["김,🌈"]"#, [#""김,🌈""#]),
        ] as [(String, [String])]
    )
    func `The rows of an array are the bytes between its commas`(json: String, rows: [String]) {
        #expect(Data(json.utf8).jsonRows() == rows.map { Data($0.utf8) })
        // A slice of something longer has other indices.
        #expect(Data(("x" + json).utf8).dropFirst().jsonRows() == rows.map { Data($0.utf8) })
    }

    @Test(arguments: ["", " ", "{}", "1", "\"[]\"", "null", "[1", "[", "[\"a]"])
    func `What is no array has no rows`(json: String) {
        #expect(Data(json.utf8).jsonRows() == nil)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `Whatever stands in an array, its rows put together are the same array`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<Int.random(in: 0...8, using: &random)).map { _ in Self.value(depth: 3, using: &random) }
        let options: JSONSerialization.WritingOptions =
            seed.isMultiple(of: 2) ? [.prettyPrinted, .sortedKeys] : .sortedKeys
        let json = try JSONSerialization.data(withJSONObject: rows, options: options)
        let found = try #require(json.jsonRows())
        #expect(found.count == rows.count)
        let again = try JSONSerialization.jsonObject(with: Data(jsonRows: found))
        #expect(try JSONSerialization.data(withJSONObject: again, options: options) == json)
    }

    private static func value(depth: Int, using random: inout SeededGenerator) -> Any {
        func text() -> String {
            String(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    #"a,"\[]{}: 김🌈\#n"#.randomElement(using: &random) ?? "a"
                }
            )
        }
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: return Int.random(in: -99...99, using: &random)
        case 1: return Bool.random(using: &random)
        case 2: return NSNull()
        case 3: return text()
        case 4: return (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, using: &random) }
        default:
            var object: [String: Any] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                object[text()] = value(depth: depth - 1, using: &random)
            }
            return object
        }
    }
}
