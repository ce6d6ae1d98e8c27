import BrowseData
import BrowseKit
import BrowseMocks
import Export
import Foundation
import Synchronization
import Testing

/// A search that returns at most 1,000 results, and counts all of them.
private final class SearchServer: Sendable {
    struct Account {
        let id: Int
        let created: Int
        let followers: Int
        let repos: Int
    }

    let accounts: [Account]
    let queries = Mutex<[String]>([])
    let options: Set<String>
    /// The results of the last query, of which several pages are requested.
    private let last = Mutex<(query: String, ids: [Int])>(("", []))

    init(_ accounts: [Account], _ options: String...) {
        self.accounts = accounts
        self.options = Set(options)
    }

    /// Half of the accounts have one timestamp; the others are unevenly distributed, like the followers.
    static func uneven(_ count: Int) -> [Account] {
        (1...count).map { id in
            let age = Double(id * 7919 % count) / Double(count)
            let created = id % 2 == 0 ? 1_400_000_000 : 1_700_000_000 - Int(500_000_000 * age * age * age)
            let fame = Double(id * 104_729 % count) / Double(count)
            return Account(id: id, created: created, followers: Int(1 / (1.000_01 - fame)), repos: id * 31 % 90)
        }
    }

    func transport() -> ClosureTransport {
        ClosureTransport { [self] request in
            let query = request.parameter("q") ?? ""
            let page = request.parameter("page").flatMap { Int($0) } ?? 1
            queries.withLock { $0.append(query) }
            let found = ids(matching: query)
            var response = HTTPClient.Response(
                status: 200,
                headers: ["Content-Type": "application/json"],
                url: request.url
            )
            guard page <= 10 else {
                response.status = 422
                response.body = Data(#"{"message":"Only the first 1000 search results are available"}"#.utf8)
                return response
            }
            let rows = json(ofAccounts: found.dropFirst((page - 1) * 100).prefix(100))
            let isIncomplete = options.contains("incomplete")
            response.body = Data(
                #"{"total_count":\#(found.count),"incomplete_results":\#(isIncomplete),"items":\#(rows)}"#.utf8
            )
            // Like GitHub, it links to pages that it refuses.
            if found.count > page * 100, !options.contains("no links") {
                response.headers["Link"] = "<\(request.url(ofPage: page + 1))>; rel=\"next\""
            }
            if options.contains("single sign-on") {
                response.headers["X-GitHub-SSO"] = "partial-results; organizations=1"
            }
            return response
        }
    }

    private func ids(matching query: String) -> [Int] {
        last.withLock { last in
            guard last.query != query || last.ids.isEmpty else { return last.ids }
            let created = range("created", query)
            let (followers, repos) = (range("followers", query), range("repos", query))
            let found = accounts.filter { account in
                created.contains(account.created) && followers.contains(account.followers)
                    && repos.contains(account.repos)
            }
            last = (query, found.map(\.id))
            return last.ids
        }
    }

    /// Returns the range of a qualifier in a search text.
    private func range(_ name: String, _ query: String) -> ClosedRange<Int> {
        func value(_ text: Substring) -> Int? {
            Int(text) ?? (try? Date(String(text), strategy: .iso8601)).map { Int($0.timeIntervalSince1970) }
        }
        guard !options.contains("ignores ranges"),
            let word = query.split(separator: " ").first(where: { $0.hasPrefix("\(name):") }),
            let dots = word.firstRange(of: ".."), let low = value(word[..<dots.lowerBound].dropFirst(name.count + 1)),
            let high = value(word[dots.upperBound...]), low <= high
        else { return 0...Int.max }
        return low...high
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A search beyond 1,000 results` {
    private let folder = Folder()

    private func export(_ server: SearchServer, _ text: String = "a") throws -> ListExport<GitHub.User> {
        let container = Container.production(
            on: server.transport(),
            configuration: Configuration().with { $0.storageFolder = folder.url }
        )
        let source = container.exportSource(matching: try GitHub.SearchText(text))
        return ListExport(source, to: .jsonLines(at: folder.file("users.jsonl")))
    }

    private func ids() throws -> [Int] {
        try folder.rows("users.jsonl").map { line in
            Int(try JSONDecoder().decode(GitHub.User.self, from: Data(line.utf8)).id.rawValue)
        }
    }

    @Test func `delivers each of 8,000 uneven results once, also those of one timestamp`() async throws {
        let end = try await export(SearchServer(SearchServer.uneven(8000))).run()
        let ids = try ids()
        #expect(ids.count == 8000 && Set(ids) == Set(1...8000))
        #expect(end.gaps.isEmpty && end.totalCount == 8000)
    }

    @Test func `reaches single values in fewer empty pages than an export accepts`() async throws {
        // The first and the last values of all qualifiers: the slices between them are empty.
        let accounts = (1...2400).map { id in
            id <= 1200
                ? SearchServer.Account(id: id, created: 1_167_609_600, followers: 0, repos: 0)
                : SearchServer.Account(id: id, created: 2_871_763_199, followers: 1_000_000_000, repos: 1_000_000_000)
        }
        let end = try await export(SearchServer(accounts)).run()
        #expect(end.rowCount == 2000 && end.gaps.map(\.missingCount) == [200, 200])
    }

    @Test func `resumes in the middle of a slice`() async throws {
        let server = SearchServer(SearchServer.uneven(3000))
        var runs = 0
        while true {
            runs += 1
            let export = try export(server)
            let start = Mutex<Int?>(nil)
            let run = Task {
                try await export.run { progress in
                    let first = start.withLock { start in
                        start = start ?? progress.pageCount
                        return start ?? 0
                    }
                    if progress.pageCount == first + 5 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            if (try? await run.value) != nil { break }
        }
        #expect(runs > 5)
        #expect(try Set(ids()) == Set(1...3000))
        // Nothing was requested twice.
        #expect(try await export(server).run().pageCount == server.queries.withLock { $0.count })
    }

    @Test func `reports slices that can't be divided, and incomplete results`() async throws {
        let same = (1...1200).map { SearchServer.Account(id: $0, created: 1_400_000_000, followers: 3, repos: 5) }
        let end = try await export(SearchServer(same)).run()
        let second = "2014-05-13T16:53:20Z"
        let part = "a created:\(second)..\(second) followers:3..3 repos:5..5"
        #expect(end.rowCount == 1000)
        #expect(end.gaps.map(\.part) == [part] && end.gaps.map(\.missingCount) == [200])
        let few = try await export(SearchServer(Array(same.prefix(5)), "incomplete")).run(again: true)
        #expect(few.gaps.map(\.part) == ["a"] && few.gaps.map(\.missingCount) == [nil])
        let cut = try await export(SearchServer(Array(same.prefix(950)), "no links")).run(again: true)
        #expect(cut.gaps.map(\.missingCount) == [850])
        // Both pages lack results of organizations.
        let partial = try await export(SearchServer(Array(same.prefix(150)), "single sign-on")).run(again: true)
        #expect(partial.gaps.map(\.part) == [partial.list])
    }

    @Test func `ends if the server ignores the ranges`() async throws {
        let server = SearchServer(SearchServer.uneven(1500), "ignores ranges")
        await #expect(throws: ExportError.repeatsItself(pages: 250)) { try await export(server).run() }
        #expect(try ids().count == 1000)
        #expect(server.queries.withLock { $0.count } < 500)
    }

    @Test(
        arguments: [
            ("a OR b", ["a OR b"]), ("(a)", ["(a)"]),
            ("a created:>2015-01-01", ["a created:>2015-01-01", "a created:>2015-01-01 followers:0..31621"]),
            (
                "a -followers:3 repos:1",
                ["a -followers:3 repos:1", "a -followers:3 repos:1 created:2007-01-01T00:00:00Z..2033-12-31T23:59:59Z"]
            ),
        ]
    )
    func `is divided by qualifiers that the text doesn't have, unless it has alternatives`(
        text: String,
        first: [String]
    ) async throws {
        let server = SearchServer(
            (1...1100).map { SearchServer.Account(id: $0, created: 1_400_000_000, followers: 3, repos: 1) }
        )
        let end = try await export(server, text).run()
        var queries: [String] = []
        for query in server.queries.withLock({ $0 }) where queries.last != query { queries.append(query) }
        #expect(Array(queries.prefix(2)) == first)
        #expect(end.gaps.map(\.missingCount) == [100])
    }

    @Test(arguments: ["", "2", "{}", #"{"slices":[]}"#, #"{"delivered":0,"slices":[[]]}"#])
    func `refuses a position that isn't one of its own`(position: String) async throws {
        let server = SearchServer(SearchServer.uneven(1500))
        let export = try export(server)
        let run = Task {
            try await export.run { progress in
                if progress.pageCount == 3 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: ExportError.failed(.cancelled)) { try await run.value }
        let json = try JSONEncoder().encode([position])
        let text = String(decoding: json.dropFirst().dropLast(), as: UTF8.self).replacing("'", with: "''")
        try folder.sql(
            "UPDATE export SET progress = json_set(progress, '$.next', json('\(text)'))",
            in: "users.jsonl.sqlite"
        )
        let count = server.queries.withLock { $0.count }
        await #expect(throws: ExportError.self) { try await export.run() }
        #expect(server.queries.withLock { $0.count } == count)
    }
}
