import BrowseMocks
import Foundation
import Synchronization
import Testing

@testable import BrowseDomain

@Suite(.timeLimit(.minutes(5)))
struct `Stars` {
    private let held = ControlledResponses<StarRepositoryDouble.Request, [GitHub.Repo.ID]>()
    private let clock = TestClock()

    private func stars(repos: any GitHub.RepoRepository = InMemoryRepoRepository()) -> GitHub.StarStore {
        GitHub.StarStore(repository: StarRepositoryDouble.held(held), repos: repos, clock: clock)
    }

    private func begin(_ stars: GitHub.StarStore, with ids: [Int]) async {
        let number = held.requests.count
        stars.activate()
        async let begun: Void = stars.load()
        await held.waitForRequests(number + 1)
        held.answer(number, with: .success(ids.map { .init(rawValue: Int64($0)) }))
        await begun
    }

    private func repo(_ id: Int) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)", starCount: 10)
    }

    /// Taps a star that is not set.
    private func tap(_ id: Int, on stars: GitHub.StarStore) -> Task<Bool, any Error> {
        let repo = repo(id)
        return Task { try await stars.toggle(repo, shownAs: false) }
    }

    @Test func `show at once what is asked for, before GitHub has heard of it`() async throws {
        let stars = stars()
        await begin(stars, with: [2])
        var changes = stars.changes.makeAsyncIterator()
        _ = stars.setStarred(true, for: repo(1))
        _ = stars.setStarred(false, for: repo(2))
        #expect(stars.isStarred(repo(1).id) && !stars.isStarred(repo(2).id))
        #expect(stars.starState(of: repo(1), readDuring: .earliest) == (true, 11))
        #expect(stars.starState(of: repo(2), readDuring: .earliest) == (false, 9))
        #expect(stars.unsentCount == 2)
        #expect(await changes.next() == .repos([repo(1).id]))
        #expect(await changes.next() == .repos([repo(2).id]))
    }

    @Test func `tell GitHub one after the other, with a second in between`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let first = tap(1, on: stars)
        await held.waitForRequests(2)
        let second = tap(2, on: stars)
        let third = tap(3, on: stars)
        held.answer(1, with: .success([]))
        #expect(try await first.value)
        for number in 2...3 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(999))
            #expect(held.requests.count == number)
            await clock.advance(by: .milliseconds(1))
            await held.waitForRequests(number + 1)
            held.answer(number, with: .success([]))
        }
        #expect(try await second.value)
        #expect(try await third.value)
        #expect(
            Set(held.requests.dropFirst()) == [.set(true, repo(1).id), .set(true, repo(2).id), .set(true, repo(3).id)]
        )
    }

    @Test func `go back when GitHub refuses, and say why`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let tap = tap(1, on: stars)
        await held.waitForRequests(2)
        let error = BrowseError.forbidden(BrowseError.RequestInfo(endpoint: "PUT /user/starred/{}/{}", status: 403))
        held.answer(1, with: .failure(error))
        await #expect(throws: error) { try await tap.value }
        #expect(stars.starState(of: repo(1), readDuring: .earliest) == (false, 10))
        #expect(stars.unsentCount == 0)
    }

    @Test func `tell GitHub of the last of many taps only, and of none that change nothing`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let first = tap(1, on: stars)
        await held.waitForRequests(2)
        // While the first is on its way: taken back, given, taken back.
        for shown in [true, false, true] { _ = stars.setStarred(!shown, for: repo(1)) }
        #expect(!stars.isStarred(repo(1).id))
        held.answer(1, with: .success([]))
        await clock.waitForSleepers(1)
        #expect(stars.starState(of: repo(1), readDuring: .earliest) == (false, 10))
        // Taken back once more and given again, which is what GitHub has now.
        _ = stars.setStarred(true, for: repo(1))
        #expect(try await first.value)
        #expect(stars.unsentCount == 0)
        await clock.advance(by: .seconds(1))
        // Had there been anything to tell, it would be told before this.
        let last = tap(2, on: stars)
        await held.waitForRequests(3)
        #expect(held.requests[2] == .set(true, repo(2).id))
        held.answer(2, with: .success([]))
        _ = try await last.value
    }

    @Test func `that were taken back when GitHub refused to give them are as they were asked for`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let first = tap(1, on: stars)
        await held.waitForRequests(2)
        guard case .accepted(let second) = stars.setStarred(false, for: repo(1)) else { throw BrowseError.cancelled }
        held.answer(1, with: .failure(.notFound(BrowseError.RequestInfo(endpoint: "x"))))
        _ = try await first.value
        #expect(await second.result == .stored)
        #expect(!stars.isStarred(repo(1).id))
        #expect(held.requests.count == 2)
    }

    @Test func `wait to be written until it is known what is starred`() async throws {
        let stars = stars()
        stars.activate()
        async let begun: Void = stars.load()
        await held.waitForRequests(1)
        guard case .accepted(let given) = stars.setStarred(true, for: repo(1)) else { throw BrowseError.cancelled }
        guard case .accepted(let other) = stars.setStarred(true, for: repo(2)) else { throw BrowseError.cancelled }
        #expect(stars.isStarred(repo(1).id))
        held.answer(0, with: .success([repo(1).id]))
        await begun
        // It was starred all the time: nothing to tell, and its count has this star already.
        #expect(await given.result == .stored)
        #expect(stars.starState(of: repo(1), readDuring: .earliest) == (true, 10))
        await held.waitForRequests(2)
        #expect(held.requests[1] == .set(true, repo(2).id))
        held.answer(1, with: .success([]))
        #expect(await other.result == .stored)
    }

    @Test func `are written also when it cannot be known what is starred`() async throws {
        let stars = stars()
        stars.activate()
        async let begun: Void = stars.load()
        await held.waitForRequests(1)
        let error = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "x"))
        held.answer(0, with: .failure(error))
        await begun
        #expect(stars.failure == error)
        let tap = tap(1, on: stars)
        await held.waitForRequests(2)
        held.answer(1, with: .success([]))
        #expect(try await tap.value)
    }

    @Test func `that were asked for while nobody was signed in are given to whoever signs in`() async throws {
        let stars = stars()
        guard case .signInRequired = stars.setStarred(true, for: repo(1)) else { throw BrowseError.cancelled }
        guard case .signInRequired = stars.setStarred(true, for: repo(2)) else { throw BrowseError.cancelled }
        #expect(try await !stars.toggle(repo(3), shownAs: false))
        #expect(!stars.isStarred(repo(1).id))
        await begin(stars, with: [2])
        #expect(stars.isStarred(repo(1).id) && stars.isStarred(repo(2).id) && stars.isStarred(repo(3).id))
        await held.waitForRequests(2)
        #expect(held.requests[1] == .set(true, repo(1).id))
        #expect(stars.unsentCount == 2)
    }

    @Test func `that were asked for while nobody was signed in are forgotten when told so`() async throws {
        let stars = stars()
        _ = stars.setStarred(true, for: repo(1))
        stars.discardPendingStars()
        await begin(stars, with: [])
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.unsentCount == 0)
    }

    @Test func `that were asked for while nobody was signed in are not given when they are taken back`() async throws {
        let stars = stars()
        _ = stars.setStarred(true, for: repo(1))
        _ = stars.setStarred(false, for: repo(1))
        await begin(stars, with: [])
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.unsentCount == 0)
    }

    @Test func `that were asked for before somebody signs out are not given to whoever comes next`() async throws {
        let stars = stars()
        _ = stars.setStarred(true, for: repo(1))
        stars.end()
        await begin(stars, with: [])
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.unsentCount == 0)
    }

    @Test func `that GitHub takes after somebody signed out still count for rows that were read before`() async throws {
        let stubborn = StarRepositoryDouble(
            onStarred: { () throws(BrowseError) in [] },
            onSet: { [held] isStarred, repo throws(BrowseError) in
                // Cancelling the one who waits does not reach this task.
                await Task { _ = try? await held.response(to: .set(isStarred, repo.id)) }.value
            }
        )
        let stars = GitHub.StarStore(repository: stubborn, repos: InMemoryRepoRepository(), clock: clock)
        stars.activate()
        await stars.load()
        let before = stars.endRead(from: stars.beginRead())
        _ = stars.setStarred(true, for: repo(1))
        await held.waitForRequests(1)
        stars.end()
        var changes = stars.changes.makeAsyncIterator()
        #expect(held.answer(0, with: .success([])))
        #expect(await changes.next() == .repos([repo(1).id]))
        #expect(stars.starState(of: repo(1), readDuring: before) == (false, 11))
        let after = stars.endRead(from: stars.beginRead())
        #expect(stars.starState(of: repo(1), readDuring: after) == (false, 10))
    }

    @Test func `of somebody who signs out are forgotten, with what was on its way for them`() async throws {
        let stars = stars()
        await begin(stars, with: [1])
        let tap = tap(2, on: stars)
        await held.waitForRequests(2)
        stars.end()
        await #expect(throws: BrowseError.cancelled) { try await tap.value }
        #expect(!stars.isStarred(repo(1).id) && !stars.isStarred(repo(2).id))
        // Its task was canceled, so that nothing goes out with the token of whoever comes next.
        #expect(!held.answer(1, with: .success([])))
        await begin(stars, with: [3])
        #expect(stars.isStarred(repo(3).id) && !stars.isStarred(repo(1).id) && !stars.isStarred(repo(2).id))
    }

    @Test func `drop a page that comes for somebody who has signed out`() async throws {
        let stars = stars()
        stars.activate()
        async let begun: Void = stars.load()
        await held.waitForRequests(1)
        stars.end()
        // The response was under way, and comes although nobody waits for it in the name of this session.
        held.answer(0, with: .success([repo(1).id]))
        await begun
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.failure == nil)
    }

    @Test func `end a wait with the task that waits, and are written all the same`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let tap = tap(1, on: stars)
        await held.waitForRequests(2)
        tap.cancel()
        await #expect(throws: BrowseError.cancelled) { try await tap.value }
        #expect(held.answer(1, with: .success([])))
        await clock.waitForSleepers(1)
        #expect(stars.isStarred(repo(1).id))
    }

    @Test func `are written a second apart also when somebody else has signed in between`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        let first = tap(1, on: stars)
        await held.waitForRequests(2)
        held.answer(1, with: .success([]))
        _ = try await first.value
        stars.end()
        await begin(stars, with: [])
        _ = tap(2, on: stars)
        await clock.waitForSleepers(1)
        #expect(held.requests.count == 3)
        await clock.advance(by: .seconds(1))
        await held.waitForRequests(4)
        #expect(held.requests[3] == .set(true, repo(2).id))
    }

    @Test func `that GitHub asks to wait with are all undone, instead of being refused one by one`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        var changes = stars.changes.makeAsyncIterator()
        let taps = (1...4).map { tap($0, on: stars) }
        // Each tap reports a change before it suspends.
        for _ in taps { _ = await changes.next() }
        #expect(stars.unsentCount == 4)
        await held.waitForRequests(2)
        let limit = BrowseError.RateLimit(kind: .secondary, retryAt: .distantFuture, isServerTime: true)
        let error = BrowseError.rateLimited(limit, BrowseError.RequestInfo(endpoint: "x", status: 403))
        held.answer(1, with: .failure(error))
        for tap in taps { await #expect(throws: error) { try await tap.value } }
        #expect(stars.unsentCount == 0)
        #expect(!(1...4).contains { stars.isStarred(repo($0).id) })
        #expect(held.requests.count == 2)
    }

    @Test func `that were given elsewhere after they were taken back here show when the list is read again`()
        async throws
    {
        let stars = stars()
        await begin(stars, with: [1])
        guard case .accepted(let settlement) = stars.setStarred(false, for: repo(1)) else {
            throw BrowseError.cancelled
        }
        await held.waitForRequests(2)
        let early = stars.endRead(from: stars.beginRead())
        held.answer(1, with: .success([]))
        _ = await settlement.result
        // Read before GitHub had heard of it, and after.
        stars.recordStarred([repo(1).id], readDuring: early)
        #expect(!stars.isStarred(repo(1).id))
        stars.recordStarred([repo(1).id], readDuring: stars.endRead(from: stars.beginRead()))
        #expect(stars.isStarred(repo(1).id))
    }

    @Test func `are never fewer than none`() async {
        let stars = stars()
        await begin(stars, with: [1])
        let repo = GitHub.Repo(id: .init(rawValue: 1), name: "r1", fullName: "o/r1", starCount: 0)
        _ = stars.setStarred(false, for: repo)
        #expect(stars.starState(of: repo, readDuring: .earliest) == (false, 0))
    }

    @Test func `are not those of another repository that has taken the name`() async {
        let other = GitHub.Repo(id: .init(rawValue: 2), name: "r1", fullName: "o/r1", starCount: 20)
        #expect(await stars(repos: InMemoryRepoRepository(repos: [other])).reload(repo(1)) == nil)
    }

    @Test func `are read again where a row was read while its star was being written`() async throws {
        let newer = GitHub.Repo(id: repo(1).id, name: "r1", fullName: "o/r1", starCount: 20)
        let stars = stars(repos: InMemoryRepoRepository(repos: [newer]))
        await begin(stars, with: [])
        let start = stars.beginRead()
        let tap = tap(1, on: stars)
        await held.waitForRequests(2)
        let interval = stars.endRead(from: start)
        guard case .writeInFlight = stars.countAccuracy(of: repo(1).id, readDuring: interval) else {
            throw BrowseError.cancelled
        }
        held.answer(1, with: .success([]))
        _ = try await tap.value
        guard case .outdated = stars.countAccuracy(of: repo(1).id, readDuring: interval) else {
            throw BrowseError.cancelled
        }
        let again = await stars.reload(repo(1))
        let (read, when) = try #require(again)
        #expect(stars.starState(of: read, readDuring: when) == (true, 20))
        guard case .exact = stars.countAccuracy(of: repo(1).id, readDuring: when) else { throw BrowseError.cancelled }
    }

    private static let lost = BrowseError.unreachable(
        .connectionLost,
        BrowseError.RequestInfo(endpoint: "PUT /user/starred/{}/{}")
    )

    @Test(arguments: [true, false])
    func `are what GitHub says when the response to a write is lost`(isApplied: Bool) async throws {
        let stars = stars()
        await begin(stars, with: [])
        guard case .accepted(let settlement) = stars.setStarred(true, for: repo(1)) else { throw BrowseError.cancelled }
        await held.waitForRequests(2)
        held.answer(1, with: .failure(Self.lost))
        await held.waitForRequests(3)
        #expect(held.requests[2] == .isStarred(repo(1).id))
        #expect(stars.isStarred(repo(1).id))
        held.answer(2, with: .success(isApplied ? [repo(1).id] : []))
        #expect(await settlement.result == (isApplied ? .stored : .undone(Self.lost)))
        #expect(stars.starState(of: repo(1), readDuring: .earliest) == (isApplied, isApplied ? 11 : 10))
        #expect(!stars.needsReload)
    }

    @Test func `stay as intended when GitHub can't be asked either, until the list is read again`() async throws {
        for isApplied in [true, false] {
            let stars = stars()
            await begin(stars, with: [2])
            let count = held.requests.count
            guard case .accepted(let settlement) = stars.setStarred(true, for: repo(1)) else {
                throw BrowseError.cancelled
            }
            await held.waitForRequests(count + 1)
            held.answer(count, with: .failure(Self.lost))
            await held.waitForRequests(count + 2)
            held.answer(count + 1, with: .failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET"))))
            #expect(await settlement.result == .unconfirmed(Self.lost))
            #expect(stars.starState(of: repo(1), readDuring: .earliest) == (true, 11))
            #expect(stars.needsReload && stars.unsentCount == 0)

            async let loaded: Void = stars.load()
            await held.waitForRequests(count + 3)
            held.answer(count + 2, with: .success(isApplied ? [repo(1).id, repo(2).id] : [repo(2).id]))
            await loaded
            #expect(stars.starState(of: repo(1), readDuring: .earliest) == (isApplied, isApplied ? 11 : 10))
            #expect(!stars.needsReload)
        }
    }

    @Test func `are written again when the user decides again after an unknown outcome`() async throws {
        let stars = stars()
        await begin(stars, with: [])
        _ = stars.setStarred(true, for: repo(1))
        await held.waitForRequests(2)
        held.answer(1, with: .failure(Self.lost))
        await held.waitForRequests(3)
        held.answer(2, with: .failure(Self.lost))
        await clock.waitForSleepers(1)
        guard case .accepted(let settlement) = stars.setStarred(false, for: repo(1)) else {
            throw BrowseError.cancelled
        }
        await clock.advance(by: .seconds(1))
        await held.waitForRequests(4)
        #expect(held.requests[3] == .set(false, repo(1).id))
        held.answer(3, with: .success([]))
        #expect(await settlement.result == .stored)
        #expect(stars.starState(of: repo(1), readDuring: .earliest) == (false, 10))
        #expect(!stars.needsReload)
    }

    @Test func `that were removed elsewhere are unset when the list is read again`() async {
        let stars = stars()
        await begin(stars, with: [1, 2])
        await begin(stars, with: [2])
        #expect(!stars.isStarred(repo(1).id) && stars.isStarred(repo(2).id))
    }

    @Test func `that are written while the list is read survive it`() async throws {
        let stars = stars()
        await begin(stars, with: [1])
        async let loaded: Void = stars.load()
        await held.waitForRequests(2)
        guard case .accepted(let removed) = stars.setStarred(false, for: repo(1)) else { throw BrowseError.cancelled }
        await held.waitForRequests(3)
        guard case .accepted(let added) = stars.setStarred(true, for: repo(2)) else { throw BrowseError.cancelled }
        held.answer(2, with: .success([]))
        #expect(await removed.result == .stored)
        // The response was made before either of them.
        held.answer(1, with: .success([repo(1).id]))
        await loaded
        #expect(!stars.isStarred(repo(1).id) && stars.isStarred(repo(2).id))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        await held.waitForRequests(4)
        held.answer(3, with: .success([]))
        #expect(await added.result == .stored)
        #expect(!stars.isStarred(repo(1).id) && stars.isStarred(repo(2).id))
    }

    @Test func `are complete also when stars are removed elsewhere while the list is read`() async {
        let list = MovingStarList(count: 450, removals: 1)
        let stars = GitHub.StarStore(repository: list, repos: InMemoryRepoRepository(), clock: clock)
        stars.activate()
        await stars.load()
        for id in 0..<450 { #expect(stars.isStarred(.init(rawValue: Int64(id))) == list.ids.contains(id), "\(id)") }
        // Reading what is known already takes one read.
        let count = list.readCount
        await stars.load()
        #expect(list.readCount == count + 1)
    }

    @Test func `are read a bounded number of times when the list never stops changing`() async {
        let list = MovingStarList(count: 450, removals: .max)
        let stars = GitHub.StarStore(repository: list, repos: InMemoryRepoRepository(), clock: clock)
        stars.activate()
        await stars.load()
        #expect(list.readCount == GitHub.StarStore.readLimit)
        #expect(stars.failure == nil)
    }
}

/// A starred list from which another device removes ten stars between the first and the second page of a read.
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
