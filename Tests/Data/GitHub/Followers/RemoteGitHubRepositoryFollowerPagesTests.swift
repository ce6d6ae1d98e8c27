import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@Suite("All pages of followers", .bounded)
struct RemoteGitHubRepositoryFollowerPagesTests {
    private let list = GitHub.FollowList.followers(of: .init("octocat"))

    private func repository(of pages: PageServer) throws -> RemoteGitHubRepository {
        RemoteGitHubRepository(client: try .gitHub(at: pages.server.origin))
    }

    /// The received pages and the outcome.
    private func collect(
        _ repository: RemoteGitHubRepository,
        from cursor: PageCursor? = nil,
        concurrency: Int = 4
    ) async -> (pages: [Page<GitHub.User>], error: BrowseError?) {
        var pages: [Page<GitHub.User>] = []
        do throws(BrowseError) {
            try await repository.pages(of: list, from: cursor, concurrency: concurrency) { page in pages.append(page) }
            return (pages, nil)
        } catch {
            return (pages, error)
        }
    }

    private func ids(ofPages numbers: some Sequence<Int>) -> [[Int64]] { numbers.map(PageServer.ids(ofPage:)) }

    @Test(
        "arrive once each and in order, whatever the order of responses, within the concurrency limit",
        arguments: [1, 7, 23],
        [1, 4]
    )
    func anyOrder(count: Int, concurrency: Int) async throws {
        let pages = try PageServer(count: count, isHeld: true)
        let repository = try repository(of: pages)
        async let result = collect(repository, concurrency: concurrency)
        var random = SeededGenerator(seed: UInt64(100 * count + concurrency))
        var arrivals = pages.arrivals.makeAsyncIterator()
        var arrived = 0
        while arrived < count - 1 {
            // Waits until all allowed requests are open, and responds in random order.
            var held: [Int] = []
            while held.count < concurrency, arrived < count - 1, let number = await arrivals.next() {
                held.append(number)
                arrived += 1
            }
            for number in held.shuffled(using: &random) { pages.release(number) }
        }
        let (received, error) = await result
        #expect(error == nil)
        #expect(received.map(\.ids) == ids(ofPages: 1...count))
        #expect(pages.requested.sorted() == Array(1...count))
        #expect(pages.mostOpen == min(concurrency, count - 1))
        #expect(received.last?.next == nil)
    }

    @Test(arguments: [Int.min, 4, .max])
    func `are loaded sequentially if the header doesn't contain the last page`(concurrency: Int) async throws {
        let pages = try PageServer(count: 7, links: .nextOnly)
        let (received, error) = await collect(try repository(of: pages), concurrency: concurrency)
        #expect(error == nil)
        #expect(received.map(\.ids) == ids(ofPages: 1...7))
        #expect(pages.requested == Array(1...7))
    }

    @Test(arguments: [1, 4])
    func `end early if the list shrinks`(concurrency: Int) async throws {
        // Page 4 has become the last; later pages are empty.
        let pages = try PageServer(count: 7) { number in
            number == 4 ? .json(GitHubResponses.list([7])) : number > 4 ? .json("[]") : nil
        }
        let (received, error) = await collect(try repository(of: pages), concurrency: concurrency)
        #expect(error == nil)
        #expect(received.map(\.ids) == ids(ofPages: 1...3) + [[7]])
    }

    @Test(arguments: [1, 4])
    func `continue if the list grows`(concurrency: Int) async throws {
        let host = Mutex("")
        let pages = try PageServer(count: 5) { number in
            guard number == 5 else { return nil }
            let address = host.withLock { $0 } + "/user/1/followers?per_page=100&page="
            let link = "<\(address)6>; rel=\"next\", <\(address)7>; rel=\"last\""
            return .json(GitHubResponses.list([9, 10]), headers: [("Link", link)])
        }
        host.withLock { $0 = pages.server.origin }
        let (received, error) = await collect(try repository(of: pages), concurrency: concurrency)
        #expect(error == nil)
        // This server has five pages, so page 6 is empty and the last one.
        #expect(received.map(\.ids) == ids(ofPages: 1...5) + [[]])
        #expect(pages.requested.contains(6))
    }

    @Test(arguments: [1, 4])
    func `before a failed one are delivered, and the rest can be loaded later`(concurrency: Int) async throws {
        let isBroken = Mutex(true)
        let pages = try PageServer(count: 9) { number in
            number == 4 && isBroken.withLock { $0 } ? .json("{\"message\":\"Oops\"}", status: 502) : nil
        }
        let repository = try repository(of: pages)
        let (first, error) = await collect(repository, concurrency: concurrency)
        #expect(first.map(\.ids) == ids(ofPages: 1...3))
        #expect(
            error
                == .serverFailure(.init(endpoint: "GET /users/{}/followers", status: 502) { $0.serverMessage = "Oops" })
        )

        isBroken.withLock { $0 = false }
        let cursor = try #require(first.last?.next)
        let (rest, secondError) = await collect(repository, from: cursor, concurrency: concurrency)
        #expect(secondError == nil)
        #expect(rest.map(\.ids) == ids(ofPages: 4...9))
    }

    @Test("throw .cancelled and close connections when the caller is canceled")
    func cancelled() async throws {
        let pages = try PageServer(count: 23, isHeld: true)
        let repository = try repository(of: pages)
        let task = Task { await collect(repository, concurrency: 4) }
        var arrivals = pages.arrivals.makeAsyncIterator()
        var held: [Int] = []
        while held.count < 4, let number = await arrivals.next() { held.append(number) }
        task.cancel()
        let (received, error) = await task.value
        #expect(received.map(\.ids) == ids(ofPages: 1...1))
        #expect(error == .cancelled)
        await pages.server.waitForDisconnect(4)
        #expect(pages.requested.count == 5)
    }

    @Test func `throw the receiver's error and close connections`() async throws {
        let pages = try PageServer(count: 23, isHeld: true)
        let repository = try repository(of: pages)
        let stop = BrowseError.rejected(.init(endpoint: "mine"))
        let task: Task<(Int, BrowseError?), Never> = Task {
            var received = 0
            do throws(BrowseError) {
                try await repository.pages(of: list, from: nil, concurrency: 4) { _ throws(BrowseError) in
                    received += 1
                    if received == 2 { throw stop }
                }
                return (received, nil)
            } catch {
                return (received, error)
            }
        }
        var arrivals = pages.arrivals.makeAsyncIterator()
        var held: [Int] = []
        while held.count < 4, let number = await arrivals.next() { held.append(number) }
        pages.release(2)
        let (received, error) = await task.value
        #expect(received == 2)
        #expect(error == stop)
        await pages.server.waitForDisconnect(3)
    }

    @MainActor @Test func `are received on the caller's actor`() async throws {
        let pages = try PageServer(count: 7)
        var received = 0
        try await repository(of: pages).pages(of: list, from: nil, concurrency: 4) { _ in
            #expect(MainQueue.isCurrent)
            received += 1
        }
        #expect(received == 7)
    }
}
