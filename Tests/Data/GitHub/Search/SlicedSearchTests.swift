import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestSupport
import Testing

@testable import BrowseData
@testable import BrowseGitHubData
import TestLimits

/// A search that returns at most 1,000 results, and counts all of them.
private final class SearchServer: HTTPTransport {
    struct Account {
        let id: Int
        let created: Int
        let followers: Int
        let repos: Int
    }

    let accounts: [Account]
    let requests = Monitor<[String]>([])
    let isIncomplete: Bool
    let ignoresRanges: Bool
    /// The results of the last query, of which several pages are requested.
    private let last = Monitor<(query: String, ids: [Int])>(("", []))

    init(_ accounts: [Account], isIncomplete: Bool = false, ignoresRanges: Bool = false) {
        self.accounts = accounts
        self.isIncomplete = isIncomplete
        self.ignoresRanges = ignoresRanges
    }

    /// Half of the accounts have one timestamp; the others are unevenly distributed, like the followers.
    static func uneven(_ count: Int) -> [Account] {
        var random = SeededGenerator(seed: 7)
        return (1...count).map { id in
            let age = Double.random(in: 0...1, using: &random)
            let created = id % 2 == 0 ? 1_400_000_000 : 1_700_000_000 - Int(500_000_000 * age * age * age)
            let fame = Double.random(in: 0...1, using: &random)
            let followers = Int(1 / (1.000_01 - fame)) - 1
            let repos = Int.random(in: 0..<90, using: &random)
            return Account(id: id, created: created, followers: followers, repos: repos)
        }
    }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let answer = answer(to: request.url)
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        headers["Link"] = answer.link
        return HTTPResponse(status: answer.status, headers: headers, body: Data(answer.body.utf8), url: request.url)
    }

    /// Starts a server on this device with the same results.
    func loopback() throws -> LoopbackServer {
        try LoopbackServer(isRecording: false) { [self] request in
            guard let url = URL(string: "http://\(request.header("Host") ?? "")\(request.target)") else {
                return LoopbackResponse(status: 400)
            }
            let answer = answer(to: url)
            return .json(answer.body, status: answer.status, headers: answer.link.map { [("Link", $0)] } ?? [])
        }
    }

    private func answer(to url: URL) -> (status: Int, link: String?, body: String) {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let query = items.first { $0.name == "q" }?.value ?? ""
        let page = items.first { $0.name == "page" }?.value.flatMap(Int.init) ?? 1
        requests.withLock { $0.append(query) }
        guard page <= 10 else {
            return (422, nil, #"{"message":"Only the first 1000 search results are available"}"#)
        }
        let found = ids(matching: query)
        let rows = GitHubResponses.list(found.dropFirst((page - 1) * 100).prefix(100))
        let body = #"{"total_count":\#(found.count),"incomplete_results":\#(isIncomplete),"items":\#(rows)}"#
        // Like GitHub, it links to pages that it refuses.
        var next = URLComponents(url: url, resolvingAgainstBaseURL: false)
        next?.queryItems = items.filter { $0.name != "page" } + [URLQueryItem(name: "page", value: "\(page + 1)")]
        let link = next?.url.map { "<\($0.absoluteString)>; rel=\"next\"" }
        return (200, found.count > page * 100 ? link : nil, body)
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
        guard !ignoresRanges, let word = query.split(separator: " ").first(where: { $0.hasPrefix("\(name):") }),
            let dots = word.firstRange(of: ".."), let low = value(word[..<dots.lowerBound].dropFirst(name.count + 1)),
            let high = value(word[dots.upperBound...]), low <= high
        else { return 0...Int.max }
        return low...high
    }
}

@Suite(.bounded)
struct `A search beyond 1,000 results` {
    private let folder = TemporaryFolder()

    private func sweep(_ server: SearchServer, _ text: String = "a") throws -> Sweep<GitHub.User> {
        let url = try #require(URL(string: "https://api.github.com"))
        return try sweep(HTTPClient(service: .gitHub(baseURL: url, userAgent: "Tests"), transport: server), text)
    }

    private func sweep(_ client: HTTPClient, _ text: String = "a") throws -> Sweep<GitHub.User> {
        let source = client.sweepSource(matching: try GitHub.SearchText(text), named: "GitHub")
        return Sweep(source, into: SweepFile.jsonLines(at: folder.file("users.jsonl")))
    }

    private func stored() throws -> [Int] {
        try String(contentsOf: folder.file("users.jsonl"), encoding: .utf8).split(separator: "\n").map { line in
            Int(try JSONDecoder().decode(GitHub.User.self, from: Data(line.utf8)).id.rawValue)
        }
    }

    @Test(.bounded)
    func `delivers each of 25,000 uneven results of a server once, also those of one timestamp`() async throws {
        let search = SearchServer(SearchServer.uneven(25_000))
        let server = try search.loopback()
        defer { server.stop() }
        let sweep = try sweep(.gitHub(at: server.origin))
        let estimate = try await sweep.estimate()
        #expect(estimate.totalCount == 25_000)
        #expect(search.requests.value.count == 1)
        let end = try await sweep.run()
        let stored = try stored()
        #expect(stored.count == 25_000 && Set(stored) == Set(1...25_000))
        #expect(end.gapCount == 0)
        let (searches, expected) = (end.requestCount, estimate.remainingRequests ?? 0)
        #expect(search.requests.value.count == searches + 1)
        #expect((expected * 2 / 3...expected * 3 / 2).contains(searches))
    }

    @Test func `reaches single values in fewer empty pages than a sweep accepts`() async throws {
        // The first and the last values of all qualifiers: the slices between them are empty.
        let accounts = (1...2400).map { id in
            id <= 1200
                ? SearchServer.Account(id: id, created: 1_167_609_600, followers: 0, repos: 0)
                : SearchServer.Account(id: id, created: 2_871_763_199, followers: 1_000_000_000, repos: 1_000_000_000)
        }
        let end = try await sweep(SearchServer(accounts)).run()
        #expect(end.rowCount == 2000 && end.gaps.map(\.missingCount) == [200, 200])
    }

    @Test func `resumes in the middle of a slice`() async throws {
        let server = SearchServer(SearchServer.uneven(4000))
        while true {
            let sweep = try sweep(server)
            let run = Task {
                try await sweep.run { progress in
                    if progress.requestCount == 5 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            if (try? await run.value) != nil { break }
        }
        let end = try await sweep(server).run()
        #expect(try Set(stored()) == Set(1...4000))
        #expect(end.rowCount == 4000)
    }

    @Test func `reports slices that can't be divided, and incomplete results`() async throws {
        let same = (1...1200).map { SearchServer.Account(id: $0, created: 1_400_000_000, followers: 3, repos: 5) }
        let end = try await sweep(SearchServer(same)).run()
        #expect(end.rowCount == 1000)
        let second = "2014-05-13T16:53:20Z"
        #expect(
            end.gaps == [
                SweepGap(part: "a created:\(second)..\(second) followers:3..3 repos:5..5", missingCount: 200)
            ]
        )
        let few = SearchServer(Array(same.prefix(5)), isIncomplete: true)
        try FileManager.default.removeItem(at: folder.url)
        #expect(try await sweep(few).run().gaps == [SweepGap(part: "a", missingCount: nil)])
    }

    @Test func `ends with gaps if the server ignores the ranges`() async throws {
        let end = try await sweep(SearchServer(SearchServer.uneven(5000), ignoresRanges: true)).run()
        #expect(end.rowCount == 1000 && end.gapCount > 0)
        #expect(end.requestCount < 200)
    }

    @Test func `reports results without a link, and those that were added meanwhile`() throws {
        let search = SlicedSearch(try GitHub.SearchText("a"), by: SearchDimension.users)
        let start = try #require(search.position(nil))
        let empty = GitHub.SearchPage<Int>(page: Page(items: []), totalCount: 950, isIncomplete: false, pageSize: 100)
        #expect(search.page(empty, at: start).gaps == [SweepGap(part: "a", missingCount: 850)])
        var last = start
        (last.page, last.delivered, last.total) = (PageCursor(page: 10), 900, 990)
        let grown = GitHub.SearchPage<Int>(page: Page(items: []), totalCount: 1005, isIncomplete: false, pageSize: 100)
        #expect(search.page(grown, at: last).gaps == [SweepGap(part: "a", missingCount: 5)])
    }

    @Test func `divides code repositories by their stars and size`() throws {
        let search = SlicedSearch(try GitHub.SearchText("a stars:>5 size:3"), by: SearchDimension.repos)
        #expect(search.text(of: try #require(search.position(nil)).slices.last) == "a stars:6..1000000000 size:3..3")
    }

    @Test func `isn't divided if it has alternatives`() async throws {
        let end = try await sweep(SearchServer(SearchServer.uneven(1500)), "a OR b").run()
        #expect(end.rowCount == 1000)
        #expect(end.gaps == [SweepGap(part: "a OR b", missingCount: 500)])
    }

    @Test(
        arguments: [
            ("a created:2014-05-13", "a created:2014-05-13T00:00:00Z..2014-05-13T23:59:59Z"),
            ("followers:>9 a followers:<=99", "a followers:10..99"), ("followers:5", "followers:5..5"),
            ("a followers:10..*", "a followers:10..1000000000"), ("a repos:<5", "a repos:0..4"),
            ("Followers:>=7 x", "x followers:7..1000000000"), ("a followers:many", "a followers:many"),
            ("a -followers:3", "a -followers:3"), ("\"followers:3\" a", "\"followers:3\" a"),
            ("NOT followers:>10 a", "NOT followers:>10 a"), ("followers:>9 AND a", "followers:>9 AND a"),
            ("a NOT b", "a NOT b"), ("a created:2014-02-31", "a created:2014-02-31"),
            ("a created:2014-02-01T00:00:00Zx", "a created:2014-02-01T00:00:00Zx"),
            ("a created:>=2015-01-01T00:00:00Z", "a created:2015-01-01T00:00:00Z..2060-12-31T23:59:59Z"),
        ]
    )
    func `intersects the qualifiers of the text`(text: String, first: String) throws {
        let search = SlicedSearch(try GitHub.SearchText(text), by: SearchDimension.users)
        #expect(search.text(of: try #require(search.position(nil)).slices.last) == first)
    }

    @Test func `refuses a cursor that isn't one of its own`() throws {
        let search = SlicedSearch(try GitHub.SearchText("a"), by: SearchDimension.users)
        for text in ["", "2", "{}", #"{"slices":[]}"#, #"{"delivered":0,"slices":[{"expected":0,"ranges":[]}]}"#] {
            #expect(search.position(PageCursor(rawValue: text)) == nil, "\(text)")
        }
    }
}
