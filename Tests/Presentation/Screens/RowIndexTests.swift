import TestSupport
import Testing

@testable import BrowsePresentation
import TestLimits

/// The table against a dictionary that does the same, through the same random steps.
@Suite(.bounded)
struct RowIndexTests {
    @Test("Finds what a dictionary finds, whatever is put in and taken out", arguments: [1, 7, 97, 1 << 40])
    func agreesWithDictionary(distinctHashes: Int) {
        var generator = SeededGenerator(seed: UInt64(distinctHashes))
        var table = RowIndex()
        var expected: [Int: Int] = [:]
        // Few distinct hashes make long runs of entries, where a search that ended too early would show.
        func hash(of id: Int) -> Int { Int(truncatingIfNeeded: UInt64(id % distinctHashes) &* 0x9E37_79B9_7F4A_7C15) }

        for page in 0..<60 {
            let ids = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                Int.random(in: 0..<400, using: &generator)
            }
            let isFresh = table.insert(ids.map(hash), page: page) { position, known in
                known == page ? ids[..<position].contains(ids[position]) : expected[ids[position]] == known
            }
            for (id, isFresh) in zip(ids, isFresh) {
                #expect(isFresh == (expected[id] == nil))
                if isFresh { expected[id] = page }
            }
            for id in (0..<4).compactMap({ _ in expected.keys.sorted().randomElement(using: &generator) }) {
                table.remove(hash(of: id)) { expected[id] == $0 }
                expected[id] = nil
            }
            for id in 0..<400 {
                #expect(table.page(hash(of: id)) { expected[id] == $0 } == expected[id])
            }
        }
    }
}
