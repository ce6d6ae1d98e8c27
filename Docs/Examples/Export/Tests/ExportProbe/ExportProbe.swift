import BrowseDomain
import Export
import Foundation

/// Exports 200 pages into a file, and is killed at a given time: `ExportProbe FILE MICROSECONDS`.
///
/// Zero isn't killed. The last row of each page is repeated in the next one. `FILE.log` gets a line for each request.
///
/// Without a time, it exports 48 pages of 2 MiB. `FILE.log` then contains the growth of the peak memory in bytes.
@main
struct ExportProbe {
    private struct Item: Encodable, Sendable {
        let id: Int
        let text: String
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else { exit(2) }
        let file = URL(filePath: arguments[1], directoryHint: .notDirectory)
        guard arguments.count > 2 else { return try await exportLargePages(to: file) }
        guard let microseconds = UInt32(arguments[2]) else { exit(2) }
        let log = open(arguments[1] + ".log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let source = ExportSource("Test: /items") { (item: Item) in
            "\(item.id)"
        } page: { cursor throws(BrowseError) in
            let number = cursor?.page ?? 1
            write(log, "\(number)\n", "\(number)\n".utf8.count)
            let items = ((number - 1) * 9...number * 9).map { Item(id: $0, text: "=\"\($0)\",\n") }
            return Page(items: items, next: number < 200 ? PageCursor(page: number + 1) : nil)
        }
        if microseconds > 0 {
            Thread.detachNewThread {
                usleep(microseconds)
                kill(getpid(), SIGKILL)
            }
        }
        let isSQLite = file.pathExtension == "sqlite"
        try await ListExport(source, to: isSQLite ? .sqlite(at: file) : .jsonLines(at: file)).run()
    }

    private static func exportLargePages(to file: URL) async throws {
        let text = String(repeating: "a", count: 2 << 20)
        let source = ExportSource("Test: /large") { (item: Item) in
            "\(item.id)"
        } page: { cursor throws(BrowseError) in
            let number = cursor?.page ?? 1
            let next = number < 48 ? PageCursor(page: number + 1) : nil
            return Page(items: [Item(id: number, text: text)], next: next)
        }
        let before = try peak()
        try await ListExport(source, to: .jsonLines(at: file)).run()
        let growth = try peak() - before
        try "\(growth)".write(to: file.appendingPathExtension("log"), atomically: false, encoding: .utf8)
    }

    /// Returns the most memory that the process has used, in bytes.
    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let match = status.firstMatch(of: /VmHWM:\s+(\d+) kB/), let size = Int(match.1) else { exit(2) }
        return size << 10
    }
}
