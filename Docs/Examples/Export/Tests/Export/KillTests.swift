import BrowseKit
import Export
import Foundation
import Testing

#if os(Linux) || os(macOS)
@Suite(.timeLimit(.minutes(10)))
struct `An export that is killed` {
    @Test(arguments: ["items.sqlite", "items.jsonl"])
    func `at any time loses and duplicates nothing`(name: String) async throws {
        let expected = (0...1800).map { #"{"id":\#($0),"text":"=\"\#($0)\",\n"}"# }
        var random = SystemRandomNumberGenerator()
        var (kills, longest) = (0, 0)
        while kills < 20 {
            let folder = Folder()
            var known: [String] = []
            var killsOfFile = 0
            // Short runs are ended by ever-longer ones, also on a slow computer.
            while true {
                let time = UInt32.random(in: 1...(100_000 << UInt32(killsOfFile / 8)), using: &random)
                let status = try await runProbe(folder.file(name), "\(kills < 20 ? time : 0)")
                guard status != 0 else { break }
                try #require(status == SIGKILL, "\(status)")
                (kills, killsOfFile) = (kills + 1, killsOfFile + 1)
                let database = name.hasSuffix("sqlite") ? name : name + ".sqlite"
                guard let rows = try? folder.rows(database) else { continue }
                #expect(expected.starts(with: rows) && rows.count >= known.count)
                // The position is that after these rows.
                let count = try folder.sql("SELECT json_extract(progress, '$.rowCount') FROM export", in: database)
                #expect((count.first ?? "0") == "\(rows.count)")
                known = rows
            }
            #expect(try folder.rows(name) == expected)
            // Each kill repeats the page in flight at most.
            let log = try String(contentsOf: folder.file(name + ".log"), encoding: .utf8)
            #expect((200...200 + killsOfFile).contains(log.split(separator: "\n").count))
            longest = max(longest, killsOfFile)
        }
        #expect(longest > 0)
    }
}
#endif
