@testable import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseDomain

@Suite(.bounded)
struct `Star store` {
    private let responses = ControlledResponses<StarRepositoryDouble.Request, [GitHub.Repo.ID]>()
    private let clock = TestClock()

    private func stars() -> GitHub.StarStore {
        GitHub.StarStore(repository: StarRepositoryDouble.controlled(by: responses), clock: clock)
    }

    private func begin(_ stars: GitHub.StarStore, with ids: [Int]) async {
        let number = responses.requests.count
        stars.activate()
        async let begun: Void = stars.load()
        await responses.waitForRequests(number + 1)
        responses.answer(number, with: .success(ids.map { .init(rawValue: Int64($0)) }))
        await begun
    }

    private func repo(_ id: Int) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)", starCount: 10)
    }

    /// Stars a repository that isn't shown as starred.
    private func tap(_ id: Int, on stars: GitHub.StarStore) -> Task<Bool, any Error> {
        let repo = repo(id)
        return Task { try await stars.set(true, for: repo) }
    }

    @Test func `shows a change before it is written`() async throws {
        let stars = stars()
        await begin(stars, with: [2])
        var changes = stars.changes.makeAsyncIterator()
        _ = stars.setStarred(true, for: repo(1))
        _ = stars.setStarred(false, for: repo(2))
        #expect(stars.isStarred(repo(1).id) && !stars.isStarred(repo(2).id))
        #expect(stars.starState(of: repo(1), readAt: 0) == (true, 11))
        #expect(stars.starState(of: repo(2), readAt: 0) == (false, 9))
        #expect(stars.pendingCount == 2)
        #expect(await changes.next() == [repo(1).id])
        #expect(await changes.next() == [repo(2).id])
    }

    @Test func `writes one change at a time, a second apart`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let first = tap(1, on: stars)
        await responses.waitForRequests(2)
        let second = tap(2, on: stars)
        let third = tap(3, on: stars)
        responses.answer(1, with: .success([]))
        #expect(try await first.value)
        for number in 2...3 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(999))
            #expect(responses.requests.count == number)
            await clock.advance(by: .milliseconds(1))
            await responses.waitForRequests(number + 1)
            responses.answer(number, with: .success([]))
        }
        #expect(try await second.value)
        #expect(try await third.value)
        #expect(
            Set(responses.requests.dropFirst()) == [
                .set(true, repo(1).id), .set(true, repo(2).id), .set(true, repo(3).id),
            ]
        )
    }

    @Test func `undoes a change that GitHub refuses, and throws the error`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let tap = tap(1, on: stars)
        await responses.waitForRequests(2)
        let error = BrowseError.forbidden(BrowseError.RequestInfo(endpoint: "PUT /user/starred/{}/{}", status: 403))
        responses.answer(1, with: .failure(error))
        await #expect(throws: error) { try await tap.value }
        #expect(stars.starState(of: repo(1), readAt: 0) == (false, 10))
        #expect(stars.pendingCount == 0)
    }

    @Test func `writes only the last of several changes, and none that has no effect`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let first = tap(1, on: stars)
        await responses.waitForRequests(2)
        // While the first write is in flight: unstar, star, unstar.
        for shown in [true, false, true] { _ = stars.setStarred(!shown, for: repo(1)) }
        #expect(!stars.isStarred(repo(1).id))
        responses.answer(1, with: .success([]))
        await clock.waitForSleepers(1)
        #expect(stars.starState(of: repo(1), readAt: 0) == (false, 10))
        // Starred again, which is the server's value.
        _ = stars.setStarred(true, for: repo(1))
        #expect(try await first.value)
        #expect(stars.pendingCount == 0)
        await clock.advance(by: .seconds(1))
        // Any other write would come before this one.
        let last = tap(2, on: stars)
        await responses.waitForRequests(3)
        #expect(responses.requests[2] == .set(true, repo(2).id))
        responses.answer(2, with: .success([]))
        _ = try await last.value
    }

    @Test func `completes an unstar whose star GitHub refused`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let first = tap(1, on: stars)
        await responses.waitForRequests(2)
        let second = try #require(stars.setStarred(false, for: repo(1)))
        responses.answer(1, with: .failure(.notFound(BrowseError.RequestInfo(endpoint: "x"))))
        _ = try await first.value
        #expect(await second.outcome == .stored)
        #expect(!stars.isStarred(repo(1).id))
        #expect(responses.requests.count == 2)
    }

    @Test func `writes before the starred list is read, which doesn't undo it`() async throws {
        let stars = stars()
        let before = stars.beginRead()
        stars.activate()
        async let begun: Void = stars.load()
        await responses.waitForRequests(1)
        let written = try #require(stars.setStarred(true, for: repo(1)))
        await responses.waitForRequests(2)
        responses.answer(1, with: .success([]))
        #expect(await written.outcome == .stored)
        // A star that the list turns out to contain needs no write, and its count includes it.
        let listed = try #require(stars.setStarred(true, for: repo(2)))
        responses.answer(0, with: .success([repo(2).id]))
        await begun
        #expect(await listed.outcome == .stored)
        #expect(stars.starState(of: repo(1), readAt: before) == (true, 11))
        #expect(stars.starState(of: repo(2), readAt: before) == (true, 10))
        #expect(responses.requests == [.list, .set(true, repo(1).id)])
    }

    @Test func `writes stars set while signed out after the sign-in`() async throws {
        let stars = stars()
        for id in 1...2 { #expect(stars.setStarred(true, for: repo(id)).map { _ in true } == nil) }
        #expect(!stars.isStarred(repo(1).id) && stars.pendingCount == 0)
        stars.activate()
        #expect(stars.isStarred(repo(1).id) && stars.isStarred(repo(2).id) && stars.pendingCount == 2)
        await responses.waitForRequests(1)
        #expect(responses.requests == [.set(true, repo(1).id)])
    }

    @Test func `returns the repositories that were starred after a read began`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let start = stars.beginRead()
        let star = tap(1, on: stars)
        await responses.waitForRequests(2)
        #expect(stars.added(since: start).isEmpty)
        responses.answer(1, with: .success([]))
        _ = try await star.value
        #expect(stars.added(since: start).map(\.repo.id) == [repo(1).id])
        #expect(stars.added(since: stars.beginRead()).isEmpty)
        _ = stars.setStarred(false, for: repo(1))
        #expect(stars.added(since: start).isEmpty)
    }

    @Test func `writes after the starred list failed to load`() async throws {
        let stars = stars()
        stars.activate()
        async let begun: Void = stars.load()
        await responses.waitForRequests(1)
        let error = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "x"))
        responses.answer(0, with: .failure(error))
        await begun
        #expect(stars.failure == error)
        let tap = tap(1, on: stars)
        await responses.waitForRequests(2)
        responses.answer(1, with: .success([]))
        #expect(try await tap.value)
    }

    @Test func `discards stars set while signed out on request`() async throws {
        let stars = stars()
        _ = stars.setStarred(true, for: repo(1))
        stars.discardPending()
        await begin(stars, with: [])
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.pendingCount == 0)
    }

    @Test func `drops a star set and unset while signed out`() async throws {
        let stars = stars()
        _ = stars.setStarred(true, for: repo(1))
        _ = stars.setStarred(false, for: repo(1))
        await begin(stars, with: [])
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.pendingCount == 0)
    }

    @Test func `doesn't give stars set before a sign-out to the next user`() async throws {
        let stars = stars()
        _ = stars.setStarred(true, for: repo(1))
        stars.end()
        stars.discardPending()
        await begin(stars, with: [])
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.pendingCount == 0)
    }

    @Test func `discards stars and cancels writes on sign-out`() async throws {
        let stars = stars()
        await begin(stars, with: [1])
        let tap = tap(2, on: stars)
        await responses.waitForRequests(2)
        stars.end()
        await #expect(throws: BrowseError.cancelled) { try await tap.value }
        #expect(!stars.isStarred(repo(1).id) && !stars.isStarred(repo(2).id))
        // The task was canceled, so nothing is sent with the next user's token.
        #expect(!responses.answer(1, with: .success([])))
        await begin(stars, with: [3])
        #expect(stars.isStarred(repo(3).id) && !stars.isStarred(repo(1).id) && !stars.isStarred(repo(2).id))
    }

    @Test func `ignores a page that arrives after the sign-out`() async throws {
        let stars = stars()
        stars.activate()
        async let begun: Void = stars.load()
        await responses.waitForRequests(1)
        stars.end()
        // The response arrives although its session has ended.
        responses.answer(0, with: .success([repo(1).id]))
        await begun
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.failure == nil)
    }

    @Test func `writes a change although the waiting task was canceled`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let tap = tap(1, on: stars)
        await responses.waitForRequests(2)
        tap.cancel()
        await #expect(throws: BrowseError.cancelled) { try await tap.value }
        #expect(responses.answer(1, with: .success([])))
        await clock.waitForSleepers(1)
        #expect(stars.isStarred(repo(1).id))
    }

    @Test func `pauses between writes across sessions`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let first = tap(1, on: stars)
        await responses.waitForRequests(2)
        responses.answer(1, with: .success([]))
        _ = try await first.value
        stars.end()
        await begin(stars, with: [])
        _ = tap(2, on: stars)
        await clock.waitForSleepers(1)
        #expect(responses.requests.count == 3)
        await clock.advance(by: .seconds(1))
        await responses.waitForRequests(4)
        #expect(responses.requests[3] == .set(true, repo(2).id))
    }

    @Test func `undoes all unsent changes on a rate limit`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        var changes = stars.changes.makeAsyncIterator()
        let taps = (1...4).map { tap($0, on: stars) }
        // Each tap reports a change before it suspends.
        for _ in taps { _ = await changes.next() }
        #expect(stars.pendingCount == 4)
        await responses.waitForRequests(2)
        let limit = BrowseError.RateLimit(kind: .secondary, retryAt: .distantFuture, isServerTime: true)
        let error = BrowseError.rateLimited(limit, BrowseError.RequestInfo(endpoint: "x", status: 403))
        responses.answer(1, with: .failure(error))
        for tap in taps { await #expect(throws: error) { try await tap.value } }
        #expect(stars.pendingCount == 0)
        #expect(!(1...4).contains { stars.isStarred(repo($0).id) })
        #expect(responses.requests.count == 2)
    }

    @Test func `shows a star added elsewhere after a local unstar, once a newer list is read`()
        async throws
    {
        let stars = stars()
        await begin(stars, with: [1])
        let write = try #require(stars.setStarred(false, for: repo(1)))
        await responses.waitForRequests(2)
        let early = stars.beginRead()
        responses.answer(1, with: .success([]))
        _ = await write.outcome
        // Read before the write, and after it.
        stars.merge([repo(1).id], readAt: early)
        #expect(!stars.isStarred(repo(1).id))
        stars.merge([repo(1).id], readAt: stars.beginRead())
        #expect(stars.isStarred(repo(1).id))
    }

    @Test func `never shows a negative count`() async {
        let stars = stars()
        await begin(stars, with: [1])
        let repo = GitHub.Repo(id: .init(rawValue: 1), name: "r1", fullName: "o/r1", starCount: 0)
        _ = stars.setStarred(false, for: repo)
        #expect(stars.starState(of: repo, readAt: 0) == (false, 0))
    }

    private static let lost = BrowseError.unreachable(
        .connectionLost,
        BrowseError.RequestInfo(endpoint: "PUT /user/starred/{}/{}")
    )

    @Test(arguments: [true, false])
    func `takes GitHub's value when the response to a write is lost`(isApplied: Bool) async throws {
        let stars = stars()
        await begin(stars, with: [])
        let write = try #require(stars.setStarred(true, for: repo(1)))
        await responses.waitForRequests(2)
        responses.answer(1, with: .failure(Self.lost))
        await responses.waitForRequests(3)
        #expect(responses.requests[2] == .isStarred(repo(1).id))
        #expect(stars.isStarred(repo(1).id))
        responses.answer(2, with: .success(isApplied ? [repo(1).id] : []))
        #expect(await write.outcome == (isApplied ? .stored : .undone(Self.lost)))
        #expect(stars.starState(of: repo(1), readAt: 0) == (isApplied, isApplied ? 11 : 10))
        #expect(!stars.needsReload)
    }

    @Test func `shows a change with an unknown outcome until the list is read again`() async throws {
        for isApplied in [true, false] {
            let stars = stars()
            await begin(stars, with: [2])
            let count = responses.requests.count
            let write = try #require(stars.setStarred(true, for: repo(1)))
            await responses.waitForRequests(count + 1)
            responses.answer(count, with: .failure(Self.lost))
            await responses.waitForRequests(count + 2)
            responses.answer(count + 1, with: .failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET"))))
            #expect(await write.outcome == .unconfirmed(Self.lost))
            #expect(stars.starState(of: repo(1), readAt: 0) == (true, 11))
            #expect(stars.needsReload && stars.pendingCount == 0)

            async let loaded: Void = stars.load()
            await responses.waitForRequests(count + 3)
            responses.answer(count + 2, with: .success(isApplied ? [repo(1).id, repo(2).id] : [repo(2).id]))
            await loaded
            #expect(stars.starState(of: repo(1), readAt: 0) == (isApplied, isApplied ? 11 : 10))
            #expect(!stars.needsReload)
        }
    }

    @Test func `writes a second change after an unknown outcome`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        _ = stars.setStarred(true, for: repo(1))
        await responses.waitForRequests(2)
        responses.answer(1, with: .failure(Self.lost))
        await responses.waitForRequests(3)
        responses.answer(2, with: .failure(Self.lost))
        await clock.waitForSleepers(1)
        let write = try #require(stars.setStarred(false, for: repo(1)))
        await clock.advance(by: .seconds(1))
        await responses.waitForRequests(4)
        #expect(responses.requests[3] == .set(false, repo(1).id))
        responses.answer(3, with: .success([]))
        #expect(await write.outcome == .stored)
        #expect(stars.starState(of: repo(1), readAt: 0) == (false, 10))
        #expect(!stars.needsReload)
    }

    @Test func `unsets a star removed elsewhere when the list is read again`() async {
        let stars = stars()
        await begin(stars, with: [1, 2])
        await begin(stars, with: [2])
        #expect(!stars.isStarred(repo(1).id) && stars.isStarred(repo(2).id))
    }

    @Test func `preserves writes made while the list is read`() async throws {
        let stars = stars()
        await begin(stars, with: [1])
        async let loaded: Void = stars.load()
        await responses.waitForRequests(2)
        let removed = try #require(stars.setStarred(false, for: repo(1)))
        await responses.waitForRequests(3)
        let added = try #require(stars.setStarred(true, for: repo(2)))
        responses.answer(2, with: .success([]))
        #expect(await removed.outcome == .stored)
        // The response was created before either write.
        responses.answer(1, with: .success([repo(1).id]))
        await loaded
        #expect(!stars.isStarred(repo(1).id) && stars.isStarred(repo(2).id))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        await responses.waitForRequests(4)
        responses.answer(3, with: .success([]))
        #expect(await added.outcome == .stored)
        #expect(!stars.isStarred(repo(1).id) && stars.isStarred(repo(2).id))
    }

    @Test func `reads all stars although some are removed elsewhere during the read`() async {
        let list = MovingStarList(count: 450, removals: 1)
        let stars = GitHub.StarStore(repository: list, clock: clock)
        stars.activate()
        await stars.load()
        for id in 0..<450 { #expect(stars.isStarred(.init(rawValue: Int64(id))) == list.ids.contains(id), "\(id)") }
        // If nothing has changed, one read is enough.
        let count = list.readCount
        await stars.load()
        #expect(list.readCount == count + 1)
    }

    @Test func `limits the reads of a list that keeps changing`() async {
        let list = MovingStarList(count: 450, removals: .max)
        let stars = GitHub.StarStore(repository: list, clock: clock)
        stars.activate()
        await stars.load()
        #expect(list.readCount == GitHub.StarStore.readLimit)
        #expect(stars.failure == nil)
    }
}

/// A starred list that loses ten stars between the first and second page of a read.
private final class MovingStarList: GitHub.StarRepository {
    private struct State {
        var ids: [Int]
        var removals: Int
        var readCount = 0
    }

    private let state: Mutex<State>

    init(count: Int, removals: Int) {
        state = Mutex(State(ids: Array(0..<count), removals: removals))
    }

    var ids: Set<Int> { state.withLock { Set($0.ids) } }
    var readCount: Int { state.withLock { $0.readCount } }

    func starred(receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void) async throws(BrowseError) {
        state.withLock { $0.readCount += 1 }
        var start = 0
        while true {
            let (page, count) = state.withLock { state in (state.ids.dropFirst(start).prefix(100), state.ids.count) }
            try await receive(Page(items: page.map { .init(rawValue: Int64($0)) }))
            state.withLock { state in
                guard start == 0, state.removals > 0 else { return }
                state.removals -= 1
                state.ids.removeFirst(10)
            }
            start += 100
            if start >= count { return }
        }
    }

    func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {}
    func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool { ids.contains(Int(repo.id.rawValue)) }
}

extension GitHub.StarStore {
    /// Sets a star, and waits for the outcome of the write; `false` if no user is signed in.
    @discardableResult
    fileprivate func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) -> Bool {
        guard let write = setStarred(isStarred, for: repo) else { return false }
        switch await write.outcome {
        case .stored: return true
        case .undone(let error), .unconfirmed(let error): throw error
        case .cancelled: throw .cancelled
        }
    }
}
