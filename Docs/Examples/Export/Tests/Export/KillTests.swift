import BrowseKit
import Export
import Foundation
import Testing

#if os(Linux) || os(macOS)
@Suite(.timeLimit(.minutes(10)))
struct `An export that is killed` {
    /// Runs `ExportProbe`, and returns its status.
    private func run(_ file: URL, killedAfter microseconds: UInt32) async throws -> Int32 {
        let tests = URL(filePath: CommandLine.arguments[0])
        let folders = [tests] + Bundle.allBundles.map(\.bundleURL)
        let paths = folders.map {
            $0.deletingLastPathComponent().appending(path: "ExportProbe").path(percentEncoded: false)
        }
        let path = try #require(paths.first(where: FileManager.default.isExecutableFile(atPath:)))
        let arguments = [path, file.path(percentEncoded: false), "\(microseconds)"]
        let words = arguments.map { strdup($0) }
        let environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") }
        defer { for text in words + environment { free(text) } }
        var process: pid_t = 0
        #expect(posix_spawn(&process, path, nil, nil, words + [nil], environment + [nil]) == 0)
        return await withCheckedContinuation { [process] ended in
            Thread.detachNewThread {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                ended.resume(returning: status)
            }
        }
    }

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
                let status = try await run(folder.file(name), killedAfter: kills < 20 ? time : 0)
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
