import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite("Fetching all pages", .bounded)
struct PaginatedFetchTests {
    private func following(_ next: String?, _ last: String?) -> [String] {
        let links = [next.map { "<\($0)>; rel=next" }, last.map { "<\($0)>; rel=last" }].compactMap(\.self)
        let page = LinkedPage<Int>(items: [], skipped: [], link: links.joined(separator: ", "))
        #expect(page.page.next?.rawValue == next)
        return page.following.map(\.rawValue)
    }

    @Test("announces every page from next to last, as the links spell them")
    func counts() {
        #expect(following("/a?page=2", "/a?page=4") == ["/a?page=2", "/a?page=3", "/a?page=4"])
        #expect(following("/a?x=1&page=9&y=2", "/a?x=1&page=11&y=2").last == "/a?x=1&page=11&y=2")
        #expect(following("/a?per_page=3&page=2", "/a?per_page=3&page=3").count == 2)
    }

    @Test("announces no pages without numbered links")
    func none() {
        for (next, last) in [
            (nil, nil), ("/a?page=2", nil), (nil, "/a?page=2"), ("/a?page=2", "/a?page=2"), ("/a?page=3", "/a?page=2"),
            ("/a?page=2", "/b?page=4"), ("/a?page=2", "/a?x=1&page=4"), ("/a?page=2&x=1", "/a?page=4&x=2"),
            ("/a?page=x", "/a?page=4"), ("/a?page=0", "/a?page=4"), ("/a?page=-1", "/a?page=4"),
            ("/a?after=x", "/a?after=y"),
            ("/a/2", "/a/4"), ("/a?page=2#f", "/a?page=4#f"), ("/a?PAGE=2", "/a?PAGE=4"), ("/a?page=", "/a?page="),
            ("/a?page=99999999999999999999", "/a?page=4"), ("/a?page=2", "/a?page=99999999999999999999"),
        ] as [(String?, String?)] {
            #expect(following(next, last).isEmpty, "\(next ?? "-") \(last ?? "-")")
        }
    }

    @Test("announces a limited number of pages, without overflow")
    func bounds() {
        #expect(following("/a?page=2", "/a?page=1000000000").count == 1000)
        for next in [Int.max - 1, Int.max - 500, 1_000_000_001] {
            #expect(following("/a?page=\(next)", "/a?page=\(Int.max)").isEmpty)
        }
    }

    @Test("announces no pages with URLs so long that a thousand would fill memory")
    func length() {
        let text = String(repeating: "x", count: 8000 - "/a?x=&page=2".count)
        #expect(following("/a?x=\(text)&page=2", "/a?x=\(text)&page=3").count == 2)
        #expect(following("/a?x=\(text)x&page=2", "/a?x=\(text)x&page=3").isEmpty)
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
                let link = number < count ? "</a?page=\(number + 1)>; rel=next, </a?page=\(count)>; rel=last" : nil
                return LinkedPage(items: [number], skipped: [], link: link)
            }
        }
    }

    @Test("starts no more requests after a failure, and delivers earlier pages")
    func failure() async throws {
        let failure = BrowseError.serverFailure(.init(endpoint: "x"))
        let (executor, pages) = (FIFOExecutor(), Pages())
        let fetch = pages.fetch(count: 50) { number throws(BrowseError) in
            if number == 3 { throw failure }
            if number > 1 { await executor.waitUntilIdle() }
        }
        var received: [Int] = []
        let error: BrowseError? = await withTaskExecutorPreference(executor) {
            await thrown { () async throws(BrowseError) in
                try await fetch.run(from: nil) { page in received += page.items }
            }
        }
        #expect(error == failure)
        #expect(received == [1, 2])
        // Pages 2 to 5 were in flight when page 3 failed.
        #expect(pages.asked.withLock { $0.sorted() } == [1, 2, 3, 4, 5])
    }

    @Test("runs ahead of a slow page by twice the concurrency at most")
    func runAhead() async throws {
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

    @Test("ends after a number of pages that link to ever-new ones", arguments: [false, true])
    func endless(isAnnounced: Bool) async throws {
        let fetch = PaginatedFetch<Int>(of: "GET /a", concurrency: 4, pageLimit: 50) { cursor throws(BrowseError) in
            let number = cursor.flatMap { Int($0.rawValue.dropFirst("/a?page=".count)) } ?? 1
            let last = isAnnounced ? ", </a?page=\(number + 19)>; rel=last" : ""
            return LinkedPage(items: [number], skipped: [], link: "</a?page=\(number + 1)>; rel=next" + last)
        }
        var received: [Int] = []
        let error: BrowseError? = await thrown { () async throws(BrowseError) in
            try await fetch.run(from: nil) { page in received += page.items }
        }
        #expect(error == .unusableResponse(.tooManyPages(limit: 50), .init(endpoint: "GET /a")))
        #expect(received == Array(1...50))
        let byDefault = PaginatedFetch<Int>(of: "", concurrency: 4) { _ throws(BrowseError) in throw .cancelled }
        #expect(byDefault.pageLimit == 10_000)
    }

    @Test("delivers each page once with any concurrency", arguments: [1, 3, 100])
    func many(concurrency: Int) async throws {
        let open = Mutex((now: 0, most: 0))
        let fetch = PaginatedFetch<Int>(of: "GET /a", concurrency: concurrency) { cursor throws(BrowseError) in
            open.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { open.withLock { $0.now -= 1 } }
            let number = cursor.flatMap { Int($0.rawValue.dropFirst("/a?page=".count)) } ?? 1
            // Pages arrive in any order; any number of yields is valid.
            for _ in 0..<(number % 7) { await Task.yield() }
            let link = number < 1500 ? "</a?page=\(number + 1)>; rel=next, </a?page=1500>; rel=last" : nil
            return LinkedPage(items: [number], skipped: [], link: link)
        }
        var received: [Int] = []
        try await fetch.run(from: nil) { page in received += page.items }
        #expect(received == Array(1...1500))
        #expect(open.withLock { $0.most } <= concurrency)
    }
}
