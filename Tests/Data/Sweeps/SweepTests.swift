import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowseData
import TestLimits

@Suite(.bounded)
struct `A sweep` {
    private let folder = TemporaryFolder()
    private let list = SweepList(1...35)

    private var file: URL { folder.file("items.jsonl") }

    private func sweep(_ query: String = "/items") -> Sweep<SweepItem> {
        Sweep(list.source(query), into: SweepFile.jsonLines(at: file))
    }

    /// The numbers of the rows in the file.
    private func stored() throws -> [Int] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            try JSONDecoder().decode(SweepItem.self, from: Data(line.utf8)).id
        }
    }

    @Test func `delivers all rows in order, and reports its progress`() async throws {
        let reports = Monitor<[SweepProgress]>([])
        let end = try await sweep().run { progress in reports.withLock { $0.append(progress) } }
        #expect(try stored() == Array(1...35))
        #expect(list.pages == [1, 2, 3, 4])
        #expect(end.rowCount == 35 && end.pageCount == 4 && end.isComplete)
        #expect(reports.value.map(\.rowCount) == [0, 10, 20, 30, 35])
        #expect(reports.value.map(\.remainingRequests) == [nil, 3, 2, 1, 0])
        #expect(reports.value.map(\.fraction) == [nil, 0.25, 0.5, 0.75, 1])
        #expect(reports.value.dropFirst().allSatisfy { $0.expectedEnd != nil })
        #expect(list.state.value.requests.allSatisfy { $0.options.priority == .prefetch })
    }

    @Test func `is an asynchronous sequence of its newest progress`() async throws {
        var last: SweepProgress?
        for try await progress in sweep().updates() { last = progress }
        #expect(last?.rowCount == 35)
        #expect(last?.isComplete == true)
        list.state.withLock { $0.failure = { _ in .timedOut(SweepList.info) } }
        await #expect(throws: SweepError.failed(.timedOut(SweepList.info))) {
            for try await _ in sweep().updates(again: true) {}
        }
    }

    @Test func `estimates its cost with one request, and stores nothing`() async throws {
        let estimate = try await sweep().estimate()
        #expect(estimate.totalCount == 35 && estimate.remainingRequests == 3)
        #expect(list.pages == [1])
        #expect(folder.names.isEmpty)
    }

    @Test func `resumes after a failure without repeating a page`() async throws {
        list.state.withLock { $0.failure = { $0 == 3 ? .timedOut(SweepList.info) : nil } }
        await #expect(throws: SweepError.failed(.timedOut(SweepList.info))) { try await sweep().run() }
        #expect(try stored() == Array(1...20))
        list.state.withLock { $0.failure = nil }
        let end = try await sweep().run()
        #expect(try stored() == Array(1...35))
        #expect(list.pages == [1, 2, 3, 3, 4])
        #expect(end.requestCount == 2 && end.rowCount == 35)
        try await sweep().run()
        #expect(list.pages.count == 5, "After the end, nothing is loaded.")
    }

    @Test func `stores rows that move to a later page once`() async throws {
        list.state.withLock { state in
            state.failure = { [state = list.state] number in
                if number == 2 { state.withLock { $0.items.insert(0, at: 0) } }
                return nil
            }
        }
        let end = try await sweep().run()
        #expect(try stored() == Array(1...35))
        #expect(end.rowCount == 35)
    }

    @Test func `finds a missed row in a second pass, which transfers only changed pages`() async throws {
        list.state.withLock { state in
            state.failure = { [state = list.state] number in
                // After page 1, so that 11 moves to it.
                if number == 2 { state.withLock { $0.items.removeAll { $0 == 3 } } }
                return nil
            }
        }
        // The state of the request is copied before the change, so page 3 is the first one that moved.
        try await sweep().run()
        list.state.withLock { $0.failure = nil }
        let missed = Set(1...35).subtracting(try stored())
        #expect(missed.count == 1)
        let end = try await sweep().run(again: true)
        #expect(try Set(stored()) == Set(1...35))
        #expect(try stored().count == 35)
        #expect(end.pass == 2 && end.isComplete)
        let second = list.state.value.requests.suffix(4)
        #expect(second.map(\.page) == [1, 2, 3, 4])
        #expect(second.dropLast().allSatisfy { $0.validator != nil })
        let third = try await sweep().run(again: true)
        // The last page always is transferred: it could have a new link.
        #expect(list.state.value.confirmedPages.suffix(3) == [1, 2, 3])
        #expect(third.pageCount == 4)
    }

    @Test(arguments: [400, 404, 410, 422])
    func `reports a refused cursor as an error of its own, and starts again on request`(status: Int) async throws {
        let info = BrowseError.RequestInfo(endpoint: "GET /items", status: status)
        list.state.withLock { $0.failure = { $0 == 3 ? BrowseError(status: status, info: info) : nil } }
        await #expect(throws: SweepError.cursorRefused(info)) { try await sweep().run() }
        await #expect(throws: SweepError.cursorRefused(info)) { try await sweep().run() }
        list.state.withLock { $0.failure = nil }
        let end = try await sweep().run(again: true)
        #expect(try stored() == Array(1...35))
        #expect(end.rowCount == 35)
    }

    @Test func `reports a first page that doesn't exist as the server does`() async throws {
        let error = BrowseError.notFound(BrowseError.RequestInfo(endpoint: "GET /items", status: 404))
        list.state.withLock { $0.failure = { _ in error } }
        await #expect(throws: SweepError.failed(error)) { try await sweep().run() }
    }

    @Test func `ends at a repeated cursor`() async throws {
        list.state.withLock { $0.cursorAfterEnd = 2 }
        let end = try await sweep().run()
        #expect(list.pages == [1, 2, 3, 4, 2, 3, 4])
        #expect(end.isComplete && end.rowCount == 35)
    }

    @Test func `ends at a repeated cursor also if it's stopped after each page`() async throws {
        list.state.withLock { $0.cursorAfterEnd = 2 }
        for _ in 0..<100 {
            let sweep = sweep()
            let page = Task {
                try await sweep.run { progress in
                    if progress.requestCount == 1 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            if (try? await page.value) != nil { break }
        }
        #expect(list.pages == [1, 2, 3, 4, 2, 3, 4])
        #expect(try stored() == Array(1...35))
    }

    @Test
    func `fails if only pages without rows follow, and keeps its position`() async throws {
        list.state.withLock { $0.isEndless = true }
        let sweep = Sweep(list.source(), into: SweepFile.sqlite(at: folder.file("items.sqlite")))
        let error = BrowseError.unusableResponse(.tooManyPages(limit: 500), .init(endpoint: "sweep"))
        await #expect(throws: SweepError.failed(error)) { try await sweep.run() }
        #expect(list.pages == Array(1...504))
        list.state.withLock { ($0.items, $0.isEndless) = (Array(1...5045), false) }
        #expect(try await sweep.run().rowCount == 40)
        #expect(list.pages.count == 505)
    }

    @Test func `finds rows that were added after a full last page in a second pass`() async throws {
        list.state.withLock { $0.items = Array(1...20) }
        try await sweep().run()
        list.state.withLock { $0.items.append(21) }
        try await sweep().run(again: true)
        #expect(try stored() == Array(1...21))
    }

    @Test func `reports a gap again in a second pass`() async throws {
        list.state.withLock { $0.gaps = [SweepGap(part: "1", missingCount: nil)] }
        #expect(try await sweep().run().gapCount == 4)
        #expect(try await sweep().run(again: true).gapCount == 4)
    }

    @Test func `waits for more refusals than the client repeats`() async throws {
        let clock = TestClock()
        let start = Date(timeIntervalSince1970: 1_000_000)
        let now = { @Sendable in start + TimeInterval(clock.now.offset.components.seconds) }
        let refusals = Monitor(0)
        list.state.withLock { state in
            state.failure = { number in
                guard number == 2,
                    refusals.withLock({
                        $0 += 1; return $0
                    }) <= 5
                else { return nil }
                let limit = BrowseError.RateLimit(kind: .secondary, retryAt: now() + 60, isServerTime: true)
                return .rateLimited(limit, SweepList.info)
            }
        }
        var sweep = Sweep(list.source(), into: SweepFile.jsonLines(at: file), now: now, clock: clock)
        let run = Task { [sweep] in try await sweep.run() }
        for _ in 0..<5 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(60))
        }
        #expect(try await run.value.rowCount == 35)
        refusals.withLock { $0 = 0 }
        sweep.longestWait = .seconds(59)
        await #expect(throws: SweepError.self) { try await sweep.run(again: true) }
    }

    @Test func `isn't closed by another run of the same storage`() async throws {
        let sink = SweepFile<SweepItem>.jsonLines(at: file)
        _ = try await sink.open()
        for _ in 0..<2 {
            let inUse = SweepError.inUse(name: "items.jsonl")
            await #expect(throws: inUse) { try await Sweep(list.source(), into: sink).run() }
            await #expect(throws: inUse) { try await sweep().run() }
        }
        await sink.close()
        try await sweep().run()
    }

    @Test(arguments: [Int.min, -1, 0, Int.max])
    func `survives any total of a server`(total: Int) async throws {
        list.state.withLock { $0.total = total }
        let end = try await sweep().run { #expect((0...1).contains($0.fraction ?? 0)) }
        #expect(end.rowCount == 35)
    }

    @Test func `expects to wait for every period of a rate limit that it needs`() async throws {
        let now = Date(timeIntervalSince1970: 1_000_000)
        list.state.withLock { state in
            state.total = 10_000
            state.rateLimit = RateLimitStatus(bucket: "search", limit: 10, remaining: 2, resetsAt: now + 60)
        }
        let reports = Monitor<[SweepProgress]>([])
        let sweep = Sweep(list.source(), into: SweepFile.jsonLines(at: file), now: { now }, clock: TestClock())
        try await sweep.run { progress in reports.withLock { $0.append(progress) } }
        // 999 requests, 9 in each minute, beside the one that is left to screens.
        let end = try #require(reports.value[1].expectedEnd)
        #expect((6600...6720).contains(end.timeIntervalSince(now)))
    }

    @Test func `continues with a base URL that was relative to another one`() async throws {
        let base = try #require(URL(string: "https://example.com/api/"))
        let url = try #require(URL(string: "v1/", relativeTo: base))
        let lists = [url, url.absoluteURL].map { url in
            let transport = FakeTransport(headers: [:], json: "[]")
            return HTTPClient(service: .json(baseURL: url, userAgent: "Tests"), transport: transport)
                .sweepSource(of: "Test", id: { (row: Int) in "\(row)" }) { _ in
                    Endpoint<[Int]>(.path("/items")) { _ in [] }
                } page: { rows, _ in
                    SweepPage(Page(items: rows))
                }
                .list
        }
        #expect(lists == Array(repeating: "Test: https://example.com/api/v1/items", count: 2))
    }

    @Test func `doesn't continue the checkpoint of another list, and names it`() async throws {
        try await sweep("/items?of=a").run()
        let other = SweepError.otherSweep(list: "/items?of=a", account: nil)
        await #expect(throws: other) { try await sweep("/items?of=b").run() }
        await #expect(throws: other) { try await sweep("/items?of=b").run(again: true) }
        #expect(list.pages.count == 4)
    }

    @Test func `doesn't continue the checkpoint of another account`() async throws {
        list.state.withLock { $0.account = "mona" }
        list.state.withLock { $0.failure = { $0 == 3 ? .timedOut(SweepList.info) : nil } }
        _ = try? await sweep().run()
        list.state.withLock { ($0.account, $0.failure) = ("hubot", nil) }
        let other = SweepError.otherSweep(list: "/items", account: "mona")
        await #expect(throws: other) { try await sweep().run() }
        #expect(try stored() == Array(1...20))
    }

    @Test func `leaves a reserve of the rate limit, and waits for its reset`() async throws {
        let clock = TestClock()
        let start = Date(timeIntervalSince1970: 1_000_000)
        let now = { @Sendable in start + TimeInterval(clock.now.offset.components.seconds) }
        list.state.withLock { state in
            state.rateLimit = RateLimitStatus(bucket: "core", limit: 5000, remaining: 501, resetsAt: start + 600)
            state.failure = { [state = list.state] number in
                state.withLock { $0.rateLimit?.remaining -= 1 }
                return nil
            }
        }
        let waits = Monitor<[Date]>([])
        let sweep = Sweep(list.source(), into: SweepFile.jsonLines(at: file), now: now, clock: clock)
        let run = Task {
            try await sweep.run { progress in waits.withLock { $0 += progress.waitsUntil.map { [$0] } ?? [] } }
        }
        await clock.waitForSleepers(1)
        #expect(list.pages == [1])
        #expect(waits.value == [start + 600])
        await clock.advance(by: .seconds(600))
        #expect(try await run.value.rowCount == 35)

        // A tenth of a small limit.
        list.state.withLock { state in
            state.failure = nil
            state.rateLimit = RateLimitStatus(bucket: "core", limit: 60, remaining: 7, resetsAt: now() + 600)
        }
        try await sweep.run(again: true)
        list.state.withLock { $0.rateLimit?.remaining = 6 }
        let impatient = sweep.waiting(atMost: .seconds(599))
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: start + 1200, isServerTime: true)
        await #expect(throws: SweepError.failed(.rateLimited(limit, .init(endpoint: "sweep")))) {
            try await impatient.run(again: true)
        }
    }

    @Test func `stops when its task is canceled, and keeps what is stored`() async throws {
        let sweep = sweep()
        let task = Task {
            try await sweep.run { progress in
                if progress.pageCount == 2 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: SweepError.failed(.cancelled)) { try await task.value }
        #expect(try stored() == Array(1...20))
        try await self.sweep().run()
        #expect(try stored() == Array(1...35))
    }
}

extension Sweep {
    fileprivate func waiting(atMost duration: Duration) -> Sweep {
        var sweep = self
        sweep.longestWait = duration
        return sweep
    }
}
