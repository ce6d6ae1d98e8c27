import BrowseDomain
import BrowseMocks
import Synchronization
import TestLimits
import TestSupport
import Testing

extension Page<Int> {
    /// A page with the addresses of the next and the last page.
    fileprivate init(items: [Int], link next: String?, last: String? = nil) {
        self.init(items: items, next: next.map(PageCursor.init(rawValue:)))
        self.next?.last = last
    }
}

@Suite("Fetching all pages", .bounded)
struct PaginatedFetchTests {
    /// The pages that are requested, four at a time, after one with links to the next and the last page.
    @Test(
        "are requested at once if links number them",
        arguments: [
            ("/a?page=2", "/a?page=4", ["/a?page=2", "/a?page=3", "/a?page=4"]),
            ("/a?x=1&page=9&y=2", "/a?x=1&page=10&y=2", ["/a?x=1&page=9&y=2", "/a?x=1&page=10&y=2"]),
            ("/a?per_page=3&page=2", "/a?per_page=3&page=3", ["/a?per_page=3&page=2", "/a?per_page=3&page=3"]),
            ("/a?page=2", nil, ["/a?page=2"]), ("/a?page=2", "/a?page=2", ["/a?page=2"]),
            ("/a?page=3", "/a?page=2", ["/a?page=3"]), ("/a?page=2", "/b?page=4", ["/a?page=2"]),
            ("/a?page=2&x=1", "/a?page=4&x=2", ["/a?page=2&x=1"]), ("/a?page=x", "/a?page=4", ["/a?page=x"]),
            ("/a?page=-1", "/a?page=4", ["/a?page=-1"]), ("/a?after=x", "/a?after=y", ["/a?after=x"]),
            ("/a/2", "/a/4", ["/a/2"]), ("/a?page=2#f", "/a?page=4#f", ["/a?page=2#f"]),
            ("/a?page=", "/a?page=", ["/a?page="]),
            ("/a?page=99999999999999999999", "/a?page=4", ["/a?page=99999999999999999999"]),
            ("/a?page=\(Int.max - 1)", "/a?page=\(Int.max)", ["/a?page=\(Int.max - 1)"]),
        ] as [(String, String?, [String])],
        [false, true]
    )
    func announced(page: (next: String, last: String?, expected: [String]), isAfterFirst: Bool) async throws {
        let (next, last, expected) = page
        let (executor, requested) = (FIFOExecutor(), Monitor<[String]>([]))
        let fetch = PaginatedFetch<Int>(of: "GET /a", concurrency: 4) { cursor throws(BrowseError) in
            guard let cursor else { return Page(items: [], link: next, last: last) }
            requested.withLock { $0.append(cursor.rawValue) }
            await executor.waitUntilIdle()
            return Page(items: [], link: nil)
        }
        // After the first page was shown alone, the rest is fetched at once, too.
        let first = isAfterFirst ? Page<Int>(items: [], link: next, last: last).next : nil
        try await withTaskExecutorPreference(executor) { try await fetch.run(from: first) { _ in } }
        #expect(requested.value.sorted() == expected.sorted())
    }

    /// Numbered pages, and the numbers of the requested ones.
    private final class Pages: Sendable {
        let asked = Monitor<[Int]>([])

        /// Creates a fetch of the pages with a concurrency of four.
        func fetch(
            count: Int,
            answer: @escaping @Sendable (Int) async throws(BrowseError) -> Void
        ) -> PaginatedFetch<Int> {
            PaginatedFetch(of: "GET /a", concurrency: 4) { cursor throws(BrowseError) in
                let number = cursor.flatMap { Int($0.rawValue.dropFirst("/a?page=".count)) } ?? 1
                self.asked.withLock { $0.append(number) }
                try await answer(number)
                guard number < count else { return Page(items: [number], link: nil) }
                return Page(items: [number], link: "/a?page=\(number + 1)", last: "/a?page=\(count)")
            }
        }
    }

    @Test func `starts no more requests after a failure, and delivers earlier pages`() async throws {
        let failure = BrowseError.serverFailure(.init(endpoint: "x"))
        let (executor, pages) = (FIFOExecutor(), Pages())
        let fetch = pages.fetch(count: 50) { number throws(BrowseError) in
            if number == 3 { throw failure }
            if number > 1 { await executor.waitUntilIdle() }
        }
        var received: [Int] = []
        let error: BrowseError? = await withTaskExecutorPreference(executor) {
            await Result.of { () async throws(BrowseError) in
                try await fetch.run(from: nil) { page in received += page.items }
            }
            .failure
        }
        #expect(error == failure)
        #expect(received == [1, 2])
        // Pages 2 to 5 were in flight when page 3 failed.
        #expect(pages.asked.withLock { $0.sorted() } == [1, 2, 3, 4, 5])
    }

    @Test func `runs ahead of a slow page by twice the concurrency at most`() async throws {
        let (executor, pages) = (FIFOExecutor(), Pages())
        let askedMeanwhile = Mutex(0)
        let fetch = pages.fetch(count: 50) { number throws(BrowseError) in
            guard number == 2 else { return }
            await executor.waitUntilIdle()
            askedMeanwhile.withLock { $0 = pages.asked.withLock { $0.count } }
        }
        var received: [Int] = []
        try await withTaskExecutorPreference(executor) {
            try await fetch.run(from: nil) { page in received += page.items }
        }
        #expect(received == Array(1...50))
        // Page 1, and eight pages from page 2.
        #expect(askedMeanwhile.withLock { $0 } == 9)
    }

    @Test(arguments: [false, true])
    func `ends after a number of pages that link to ever-new ones`(isAnnounced: Bool) async throws {
        let fetch = PaginatedFetch<Int>(of: "GET /a", concurrency: 4) { cursor throws(BrowseError) in
            let number = cursor.flatMap { Int($0.rawValue.dropFirst("/a?page=".count)) } ?? 1
            let last = isAnnounced ? "/a?page=\(number + 19)" : nil
            return Page(items: [number], link: "/a?page=\(number + 1)", last: last)
        }
        var received: [Int] = []
        let result = await Result.of { () async throws(BrowseError) in
            try await fetch.run(from: nil) { page in received += page.items }
        }
        #expect(result.failure == .unusableResponse(.tooManyPages(limit: 10_000), .init(endpoint: "GET /a")))
        #expect(received == Array(1...10_000))
    }
}
