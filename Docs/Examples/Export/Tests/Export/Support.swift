import BrowseData
import BrowseKit
import CSQLite
import Export
import Foundation
import Synchronization
import Testing

/// A row of the tests.
struct Item: Codable, Hashable, Sendable {
    let id: Int
    var text = ""
}

/// A temporary folder that is deleted with its owner.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")

    init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

    /// Returns the rows of an export, as JSON.
    func rows(_ name: String) throws -> [String] {
        guard name.hasSuffix("sqlite") else {
            return try String(contentsOf: file(name), encoding: .utf8).split(separator: "\n").map(String.init)
        }
        return try sql("SELECT json FROM rows ORDER BY number", in: name)
    }

    /// Runs a statement in a SQLite file, and returns the first column.
    @discardableResult
    func sql(_ sql: String, in name: String) throws -> [String] {
        struct Failure: Error { let status: Int32 }
        var (database, statement): (OpaquePointer?, OpaquePointer?)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(database)
        }
        var status = sqlite3_open(file(name).path(percentEncoded: false), &database)
        if status == SQLITE_OK { status = sqlite3_prepare_v2(database, sql, -1, &statement, nil) }
        guard status == SQLITE_OK else { throw Failure(status: status) }
        var values: [String] = []
        while true {
            status = sqlite3_step(statement)
            guard status == SQLITE_ROW else { break }
            values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        guard status == SQLITE_DONE else { throw Failure(status: status) }
        return values
    }
}

#if os(Linux) || os(macOS)
/// Runs `ExportProbe` for a file with further arguments, and returns its status.
func runProbe(_ file: URL, _ arguments: String...) async throws -> Int32 {
    let tests = URL(filePath: CommandLine.arguments[0])
    let folders = [tests] + Bundle.allBundles.map(\.bundleURL)
    let paths = folders.map {
        $0.deletingLastPathComponent().appending(path: "ExportProbe").path(percentEncoded: false)
    }
    let path = try #require(paths.first(where: FileManager.default.isExecutableFile(atPath:)))
    let words = ([path, file.path(percentEncoded: false)] + arguments).map { strdup($0) }
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
#endif

/// A list of numbered items in pages of ten, whose behavior a test can change.
final class ItemList: Sendable {
    struct State {
        var items: [Item]
        /// The numbers of the requested pages.
        var pages: [Int] = []
        var account: String?
        /// Whether every page is the first one, and links to ever-new ones.
        var ignoresPage = false
        /// Called with the number of each requested page.
        var failure: (@Sendable (Int) -> BrowseError?)?
    }

    let state: Mutex<State>
    static let info = BrowseError.RequestInfo(endpoint: "GET /items")

    init(_ ids: some Sequence<Int>) { state = Mutex(State(items: ids.map { Item(id: $0) })) }

    var pages: [Int] { state.withLock { $0.pages } }

    func source(_ list: String = "Test: /items") -> ExportSource<Item> {
        ExportSource(list) { (item: Item) in
            "\(item.id)"
        } account: { () throws(BrowseError) in
            self.state.withLock { $0.account }
        } page: { cursor throws(BrowseError) in
            try self.page(cursor?.page ?? 1)
        }
    }

    private func page(_ number: Int) throws(BrowseError) -> Page<Item> {
        state.withLock { $0.pages.append(number) }
        // Not in the lock, because it can change the list.
        if let failure = state.withLock({ $0.failure })?(number) { throw failure }
        return state.withLock { state in
            let start = state.ignoresPage ? 0 : (number - 1) * 10
            let isLast = start + 10 >= state.items.count && !state.ignoresPage
            let items = Array(state.items.dropFirst(start).prefix(10))
            return Page(items: items, next: isLast ? nil : PageCursor(page: number + 1))
        }
    }
}

/// Answers requests with a closure.
struct ClosureTransport: HTTPTransport {
    let answer: @Sendable (HTTPClient.Request) -> HTTPClient.Response

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response { answer(request) }
}

extension HTTPClient.Request {
    /// Returns the first value of a parameter in the query.
    func parameter(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
    }

    /// Returns the URL of another page.
    func url(ofPage number: Int) -> String {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let others = parts?.queryItems?.filter { $0.name != "page" } ?? []
        parts?.queryItems = others + [URLQueryItem(name: "page", value: "\(number)")]
        return parts?.url?.absoluteString ?? ""
    }
}

/// Returns GitHub's JSON of accounts with these ids.
func json(ofAccounts ids: some Sequence<Int>) -> String {
    let rows = ids.map { id in
        """
        {"login":"user-\(id)","id":\(id),"avatar_url":"https://avatars.githubusercontent.com/u/\(id)",\
        "html_url":"https://github.com/user-\(id)","type":"User"}
        """
    }
    return "[\(rows.joined(separator: ","))]"
}
