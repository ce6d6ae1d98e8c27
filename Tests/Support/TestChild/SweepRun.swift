#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import Foundation

/// Runs a sweep of 400 pages into a file, and ends at a given time.
///
/// The last row of each page is repeated in the next one.
struct SweepRun {
    private struct Item: Encodable {
        let id: Int
        let text: String
    }

    private let sink: SweepFile<Item>
    private let microseconds: UInt32

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 2, let microseconds = UInt32(arguments[1]), microseconds < 1_000_000 else {
            throw TestChild.WrongArguments()
        }
        let url = URL(filePath: arguments[0], directoryHint: .notDirectory)
        switch url.pathExtension {
        case "sqlite": sink = .sqlite(at: url)
        case "jsonl": sink = .jsonLines(at: url)
        case "csv": sink = .csv(at: url, columns: ["id": { "\($0.id)" }, "text": { $0.text }])
        default: throw TestChild.WrongArguments()
        }
        self.microseconds = microseconds
    }

    func run() async throws {
        let source = SweepSource("Test: https://api.example/items") { (item: Item) in
            "\(item.id)"
        } load: { cursor, _ in
            let number = cursor?.page ?? 1
            TestChild.write("load \(number)")
            let items = ((number - 1) * 9...number * 9).map { Item(id: $0, text: "=\"\($0)\",\n") }
            return SweepPage(Page(items: items, next: number < 400 ? PageCursor(page: number + 1) : nil))
        }
        // Ends the process like SIGKILL, because nothing handles the signal, but at a more exact time.
        if microseconds > 0 { _ = ualarm(microseconds, 0) }
        let progress = try await Sweep(source, into: sink).run()
        TestChild.write("done \(progress.rowCount)")
    }
}
#endif
