import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseDomain
@testable import BrowseGitHubDomain

@Suite(.bounded)
struct `Star store` {
    private let responses = ControlledResponses<InMemoryStarRepository.Call, [GitHub.Repo.ID]>()
    private let clock = TestClock()

    private func stars() -> GitHub.StarStore {
        GitHub.StarStore(repository: InMemoryStarRepository(onCall: responses.response), clock: clock)
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
        GitHub.Repo(id: .init(rawValue: Int64(id)), name: "r\(id)", fullName: "o/r\(id)") { $0.starCount = 10 }
    }

    /// Stars a repository that isn't shown as starred.
    private func tap(_ id: Int, on stars: GitHub.StarStore) -> Task<Bool, any Error> {
        let repo = repo(id)
        return Task { try await stars.set(true, for: repo) }
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

    @Test func `needs another load if one was canceled after a failure`() async {
        let stars = stars()
        await begin(stars, with: [])
        for result in [.failure(.serverFailure(.init(endpoint: "x"))), .failure(.cancelled)]
            as [Result<[GitHub.Repo.ID], BrowseError>]
        {
            let number = responses.requests.count
            async let load: Void = stars.load()
            await responses.waitForRequests(number + 1)
            responses.answer(number, with: result)
            await load
            #expect(stars.needsReload)
        }
    }

    @Test func `needs no other load if one fails after a later one succeeded during a removal`() async throws {
        let stars = stars()
        await begin(stars, with: [1])
        async let first: Void = stars.load()
        await responses.waitForRequests(2)
        async let second: Void = stars.load()
        await responses.waitForRequests(3)
        let write = try #require(stars.setStarred(false, for: repo(1)))
        await responses.waitForRequests(4)
        responses.answer(3, with: .success([]))
        #expect(await write.outcome == .stored)
        responses.answer(2, with: .success([]))
        await second
        responses.answer(1, with: .failure(.serverFailure(.init(endpoint: "x"))))
        await first
        #expect(!stars.needsReload)
    }

    @Test func `drops a star set and unset while signed out`() async throws {
        let stars = stars()
        _ = stars.setStarred(true, for: repo(1))
        _ = stars.setStarred(false, for: repo(1))
        await begin(stars, with: [])
        #expect(!stars.isStarred(repo(1).id))
        #expect(stars.pendingCount == 0)
    }

    @Test(arguments: [(1, "new"), (3, "newer")])
    func `writes a star that is set again after the sign-in by its latest name`(
        readAt: Int,
        name: String
    ) async throws {
        let list = StarPages(count: 0)
        let stars = GitHub.StarStore(repository: list, clock: clock)
        let names = ["old", "new", "newer"].map { GitHub.Repo(id: repo(2).id, name: $0, fullName: "o/\($0)") }
        _ = stars.setStarred(true, for: repo(1), readAt: 0)
        _ = stars.setStarred(true, for: names[1], readAt: 2)
        stars.activate()
        let again = names[readAt == 1 ? 0 : 2]
        let write = try #require(stars.setStarred(true, for: again, readAt: readAt).0)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        #expect(await write.outcome == .stored && list.names.value == ["o/r1", "o/\(name)"])
    }

    @Test func `undoes a star whose repository can't be read, without writing it`() async throws {
        let list = StarPages(count: 0)
        let stars = GitHub.StarStore(repository: list, clock: clock)
        let failure = BrowseError.serverFailure(BrowseError.RequestInfo(endpoint: "x"))
        list.failure.withLock { $0 = failure }
        let write = try #require(stars.setStarred(true, for: repo(1), readAt: 0).0)
        stars.activate()
        #expect(await write.outcome == .undone(failure) && list.names.value == [])
        #expect(!stars.isStarred(repo(1).id))
    }

    @Test func `counts from the read of a stored repository before its write`() async throws {
        let list = StarPages(count: 0)
        let stars = GitHub.StarStore(repository: list, clock: clock)
        stars.activate()
        await stars.load()
        let first = try #require(stars.setStarred(true, for: repo(1), readAt: stars.beginRead()).0)
        #expect(await first.outcome == .stored)
        #expect(stars.starState(of: repo(1), readAt: 0) == (true, 11))
        // Others have starred it since, as a young response from the cache knows.
        let later = GitHub.Repo(id: repo(1).id, name: "r1", fullName: "o/r1") { $0.starCount = 15 }
        let readAt = stars.beginRead()
        list.present.withLock { $0 = later }
        let second = try #require(stars.setStarred(false, for: later, readAt: 0).0)
        #expect(stars.starState(of: later, readAt: readAt) == (false, 14))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        #expect(await second.outcome == .stored)
        #expect(stars.starState(of: later, readAt: readAt) == (false, 14))
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

    @Test(arguments: [(true, 0), (false, Int.max), (true, Int.min)])
    func `never shows a negative count, whatever the server's is`(wasStarred: Bool, count: Int) async throws {
        let stars = stars()
        await begin(stars, with: wasStarred ? [1] : [])
        let repo = GitHub.Repo(id: .init(rawValue: 1), name: "r1", fullName: "o/r1") { $0.starCount = count }
        let write = try #require(stars.setStarred(!wasStarred, for: repo))
        #expect(try #require(stars.starState(of: repo, readAt: 0).starCount) >= 0)
        await responses.waitForRequests(2)
        responses.answer(1, with: .success([]))
        #expect(await write.outcome == .stored)
        #expect(try #require(stars.starState(of: repo, readAt: 0).starCount) >= 0)
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

    @Test func `reads a list of several pages once`() async {
        let list = StarPages(count: 450)
        let stars = GitHub.StarStore(repository: list, clock: clock)
        stars.activate()
        await stars.load()
        #expect((0..<450).allSatisfy { stars.isStarred(.init(rawValue: Int64($0))) })
        #expect(list.readCount == 1)
    }

    @Test func `doesn't lose a removal that waits while another one moves the rows of a read`() async throws {
        let list = StarPages(count: 150)
        let stars = GitHub.StarStore(repository: list, clock: clock)
        stars.activate()
        await stars.load()
        let (first, second) = (repo(0), repo(100))
        list.afterFirstPage.withLock { action in
            action = {
                // The first row of the second page moves to the first page, and is in neither.
                let write = stars.setStarred(false, for: first)
                stars.setStarred(false, for: second)
                _ = await write?.outcome
            }
        }
        await stars.load()
        #expect(stars.pendingCount == 1 && !stars.isStarred(repo(100).id) && stars.isStarred(repo(101).id))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        await list.removed.wait { $0 == [0, 100] }
    }
}

/// A starred list in pages of 100, which counts its reads.
private final class StarPages: GitHub.StarRepository {
    /// Runs once, between the first and the second page of a read.
    let afterFirstPage = Mutex<(@Sendable () async -> Void)?>(nil)
    let removed = Monitor<Set<Int>>([])
    /// The failure to read a repository.
    let failure = Mutex<BrowseError?>(nil)
    /// The repository as it is now, if it's known.
    let present = Mutex<GitHub.Repo?>(nil)
    /// The repositories that were written, by name.
    let names = Monitor<[String]>([])
    private let count: Int
    private let reads = Mutex(0)

    init(count: Int) { self.count = count }

    var readCount: Int { reads.withLock { $0 } }
    private var ids: [Int] { (0..<count).filter { !removed.value.contains($0) } }

    func starred(receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void) async throws(BrowseError) {
        reads.withLock { $0 += 1 }
        var start = 0
        repeat {
            try await receive(Page(items: ids.dropFirst(start).prefix(100).map { .init(rawValue: Int64($0)) }))
            start += 100
            await afterFirstPage.withLock { action in
                defer { action = nil }
                return action
            }?()
        } while start < ids.count
    }

    func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        removed.withLock { _ = $0.insert(Int(repo.id.rawValue)) }
        names.withLock { $0.append(repo.fullName) }
    }

    func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool { true }

    func current(_ repo: GitHub.Repo) async throws(BrowseError) -> GitHub.Repo? {
        if let failure = failure.withLock(\.self) { throw failure }
        return present.withLock(\.self)
    }
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
