import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData
@_spi(Services) @testable import BrowseDomain

/// A service with one valid token and refresh token per session, which records violations.
private final class ModelService: Sendable {
    private struct Session {
        var number = 0
        var isAlive = true
        /// The number of times that the token is refused yet, because it's new.
        var lag = 0
    }

    private struct State {
        var random = SeededGenerator(seed: 0)
        var sessions: [Session] = []
        /// The account of the requests of each session.
        var accounts: [Int: String] = [:]
        var spent: Set<Secret> = []
        var violations: [String] = []
        /// The sessions that a sign-in or sign-out has ended, by repository.
        var ended: [Int: Set<Int>] = [:]
        /// The tokens that were refused for good, by repository.
        var refused: [Int: Set<Secret>] = [:]
    }

    private let state = Mutex(State())
    let losesRefreshes = Monitor(true)
    let now = Monitor(testNow)

    func seed(with seed: UInt64) { state.withLock { $0.random = SeededGenerator(seed: seed) } }

    var violations: [String] { state.withLock(\.violations) }
    var ended: [Int: Set<Int>] { state.withLock(\.ended) }
    var refused: [Int: Set<Secret>] { state.withLock(\.refused) }

    func isAlive(_ session: Int) -> Bool { state.withLock { $0.sessions[session].isAlive } }
    func revoke(_ session: Int) { state.withLock { $0.sessions[session].isAlive = false } }

    func note(_ refused: AccessGrant?, in repository: Int) {
        guard let refused, refused.isSettled, !refused.isRefused else { return }
        state.withLock { _ = $0.refused[repository, default: []].insert(refused.token) }
    }

    func end(_ session: Int?, in repository: Int) {
        if let session { state.withLock { _ = $0.ended[repository, default: []].insert(session) } }
    }

    func signIn() throws -> Credentials {
        try state.withLock { state in
            state.sessions.append(Session())
            var credentials = try credentials(state.sessions.count - 1, &state)
            if Int.random(in: 0..<4, using: &state.random) == 0 { credentials.refreshToken = nil }
            return credentials
        }
    }

    private func credentials(_ session: Int, _ state: inout State) throws -> Credentials {
        let number = state.sessions[session].number
        let lifetime: TimeInterval? = [nil, 30, 120, 3600].randomElement(using: &state.random) ?? nil
        var credentials = Credentials(
            token: try Secret("\(session).\(number)"),
            expiresAt: lifetime.map { now.value + $0 },
            refreshToken: try Secret("\(session).\(number).refresh")
        )
        credentials.issuedAt = now.value
        return credentials
    }

    func refresh(_ token: Secret) throws(BrowseError) -> Credentials {
        let losesRefreshes = losesRefreshes.value
        return try state.withLock { state throws(BrowseError) in
            if losesRefreshes, Int.random(in: 0..<4, using: &state.random) == 0 {
                throw .unreachable(.offline, .init(endpoint: "refresh"))
            }
            if !state.spent.insert(token).inserted { state.violations.append("\(token.text) is sent twice") }
            let (session, number) = token.parts
            guard state.sessions[session].isAlive, state.sessions[session].number == number else {
                throw .signInFailed(.invalidCode)
            }
            state.sessions[session].number += 1
            state.sessions[session].lag = Int.random(in: 0...3, using: &state.random)
            guard let new = try? credentials(session, &state) else { throw .cancelled }
            return new
        }
    }

    /// - Parameters:
    ///   - ended: The sessions that had ended in the repository when the request began.
    ///   - refused: The tokens that the repository's requests had been refused with.
    func respond(to request: HTTPClient.Request, ended: Set<Int>, refused: Set<Secret>) -> HTTPClient.Response {
        let isAccepted = state.withLock { state in
            guard let text = request.headers["Authorization"]?.dropFirst("Bearer ".count),
                let token = try? Secret(String(text))
            else { return true }
            let (session, number) = token.parts
            if ended.contains(session) { state.violations.append("\(text) is sent after its session has ended") }
            let account = state.accounts[session] ?? request.account ?? ""
            let isOther = request.account != account || state.accounts.contains { $0 != session && $1 == account }
            state.accounts[session] = account
            if isOther { state.violations.append("\(text) is sent for another account") }
            guard state.sessions[session].isAlive, state.sessions[session].number == number else {
                if refused.contains(token) { state.violations.append("\(text) is sent again after its refusal") }
                return false
            }
            guard state.sessions[session].lag > 0 else { return true }
            state.sessions[session].lag -= 1
            return false
        }
        return HTTPClient.Response(status: isAccepted ? 200 : 401, url: request.url)
    }
}

extension Secret {
    fileprivate var parts: (session: Int, number: Int) {
        let parts = text.split(separator: ".").compactMap { Int($0) }
        return (parts.first ?? -1, parts.last ?? -1)
    }
}

/// Random calls of repositories that share a store, as processes do, with a model of the service.
@Suite(.bounded)
struct `The token repositories of a store` {
    private enum Operation: CaseIterable {
        case send, cancel, identify, signIn, signOut, revoke
    }

    /// What the store does for a while.
    private enum Trouble: CaseIterable {
        case none, failing, locked
    }

    private let service = ModelService()
    private let store = TestTokenStore()
    private let clock = RecordingClock()
    private let isLocked = Monitor(false)
    private let repositories: [StoredTokenRepository]
    private let authorizations: [Authorization]

    init() {
        // Reads and updates overlap in any way.
        store.beforeUpdate = { [isLocked] in await isLocked.wait { !$0 } }
        store.delay = { for _ in 0..<Int.random(in: 0...3) { await Task.yield() } }
        let authorization = InMemoryAuthorizationRepository { [service] call throws(BrowseError) in
            guard case .refresh(let token) = call else { return nil }
            for _ in 0..<Int.random(in: 0...9) { await Task.yield() }
            return .credentials(try service.refresh(token))
        }
        repositories = (0..<3).map { [authorization, service, store, clock] _ in
            StoredTokenRepository(store: store, authorization: authorization, clock: clock, now: { service.now.value })
        }
        authorizations = repositories.map { Authorization(tokens: $0) }
    }

    private func send(by index: Int) async -> Int? {
        let (request, tokens) = (HTTPClient.Request.sample(), repositories[index])
        return try? await RequestAccount(for: request.url, tokens: tokens).send(request) {
            request throws(BrowseError) in
            // As if the request had waited until now.
            let (ended, refused) = (service.ended[index] ?? [], service.refused[index] ?? [])
            let authorization = authorizations[index]
            return try await TokenRenewal(for: authorization).send(request) { request throws(BrowseError) in
                let response = try await authorization.send(request) {
                    service.respond(to: $0, ended: ended, refused: refused)
                }
                service.note(response.refusedGrant, in: index)
                return response
            }
        }
        .status
    }

    private func perform(_ operation: Operation, by index: Int) async throws {
        let tokens = repositories[index]
        let isRequest = operation == .send || operation == .cancel
        let grant = isRequest ? nil : try await tokens.current()
        let session = grant?.credentials.token.parts.session
        switch operation {
        case .send, .cancel:
            await withTaskGroup { group in
                for _ in 0..<5 { group.addTask { _ = await send(by: index) } }
                guard operation == .cancel else { return }
                // At a random place, which is what the test is about.
                for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                group.cancelAll()
            }
        case .identify: if let grant { await tokens.identify(grant.id, as: StoredUser(accountID: "1", data: Data())) }
        case .signIn, .signOut:
            if operation == .signIn {
                _ = try await tokens.begin(with: service.signIn())
            } else {
                try await tokens.end()
            }
            service.end(session, in: index)
        case .revoke: if let session { service.revoke(session) }
        }
    }

    @Test(arguments: 0..<30)
    func `end a session only by the service's word or a sign-out, and leave nothing of it`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        service.seed(with: seed)
        for step in 0..<60 {
            let before = try await store.load()?.token.parts.session
            let trouble = Trouble.allCases.randomElement(using: &random) ?? .none
            // Saves fail, or a suspended process holds the lock. Then only requests, which all return.
            let possible = trouble == .none ? Operation.allCases + [.send, .send, .send] : [.send, .cancel, .cancel]
            let operations = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                trouble == .locked ? .cancel : possible.randomElement(using: &random) ?? .send
            }
            store.writeFailure = trouble == .failing ? TestTokenStore.failure(.full) : nil
            isLocked.withLock { $0 = trouble == .locked }
            try await withThrowingTaskGroup { group in
                for operation in operations {
                    let index = Int.random(in: 0..<repositories.count, using: &random)
                    group.addTask { try await perform(operation, by: index) }
                }
                try await group.waitForAll()
            }
            isLocked.withLock { $0 = false }
            store.writeFailure = nil
            // Waits for the saves in progress.
            for tokens in repositories { _ = try await tokens.current() }
            let after = try await store.load()?.token.parts.session
            #expect(service.violations == [], "step \(step): \(operations)")
            #expect(!service.ended.values.contains { $0.contains(after ?? -1) }, "step \(step): \(operations)")
            if after == nil, !operations.contains(.signOut), !operations.contains(.revoke) {
                let isEnded = before.map { !service.isAlive($0) } ?? true
                #expect(isEnded && !operations.contains(.signIn), "step \(step): \(operations)")
            }
            clock.advance(by: .seconds(Int.random(in: 0...30, using: &random)))
            service.now.withLock { $0 += [0, 0, 5, -100, 70, 200].randomElement(using: &random) ?? 0 }
        }
        // A session that the service still has can be used by all.
        service.losesRefreshes.withLock { $0 = false }
        // One that couldn't be saved is saved first.
        for index in repositories.indices { _ = await send(by: index) }
        for (index, tokens) in repositories.enumerated() {
            clock.advance(by: .seconds(60))
            let session = try await tokens.current()?.credentials.token.parts.session
            #expect(try await store.load()?.token.parts.session == session)
            let status = await send(by: index)
            #expect((status == 200) == (session.map(service.isAlive) ?? true))
            if status != 200 { #expect(try await store.load() == nil) }
        }
        #expect(service.violations == [])
    }
}

/// Random steps of one repository, with a model of what each step causes.
///
/// Steps don't overlap, so that an access too many, or a request that should have ended, is noticed in its step.
@Suite(.bounded(minutes: 1))
struct `A token that can't be stored` {
    /// The numbers of updates of the store, refreshes, and requests that ended.
    private let events = Monitor(["update": 0, "refresh": 0, "end": 0])
    private let store = TestTokenStore()
    private let clock = TestClock()
    private let now = Monitor(testNow)
    private let updates = ControlledResponses<Int, Void>()
    private let refreshes = ControlledResponses<Secret, Credentials>()
    private let executor = FIFOExecutor()

    private func token(_ number: Int) throws -> Credentials {
        modified(try credentials("\(number)")) { ($0.expiresAt, $0.signInID) = (now.value + 100, "one") }
    }

    private func start(_ request: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) { [events] in
            _ = try? await request()
            events.count("end")
        }
    }

    /// Waits until a step has caused its events, or one too many; returns whether there are just these.
    private func reach(_ expected: [String: Int], isCancellation: Bool) async -> Bool {
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        // A canceled request doesn't wait for anything.
        guard !isCancellation || events.value == expected else { return false }
        await events.wait { events in
            events.allSatisfy { $1 >= expected[$0, default: 0] } || events.contains { $1 > expected[$0, default: 0] }
        }
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        return events.value == expected
    }

    @Test(arguments: 0..<40)
    func `is saved once for all requests, delays them by ten seconds at most, and never replaces a newer one`(
        seed: UInt64
    ) async throws {
        store.beforeUpdate = { [events, updates] in
            events.count("update")
            _ = try? await updates.response(to: 0)
        }
        let authorization = InMemoryAuthorizationRepository { [events, refreshes] call throws(BrowseError) in
            guard case .refresh(let token) = call else { return nil }
            events.count("refresh")
            return .credentials(try await refreshes.response(to: token))
        }
        let tokens = StoredTokenRepository(store: store, authorization: authorization, clock: clock) { [now] in
            now.value
        }
        store.stored = try token(0)
        _ = try await tokens.current()
        var random = SeededGenerator(seed: seed)
        var expected = events.value
        // The tokens in use and in the store, and the state of the former.
        var (number, stored, isExpired, isRefreshing) = (0, 0, false, false)
        // The update in progress, and the one that waits for it: of a request, or of a refresh.
        var accesses: [String] = []
        var requests: [Task<Void, Never>] = []
        // The requests that wait for the update, and for the refresh.
        var (saving, refreshing): ([Int], [Int]) = ([], [])
        func leaveSave(_ leaving: [Int]) {
            saving.removeAll(where: leaving.contains)
            guard isExpired, !leaving.isEmpty else { return expected["end", default: 0] += leaving.count }
            refreshing += leaving
            if !isRefreshing { expected["refresh", default: 0] += 1 }
            isRefreshing = true
        }
        for step in 0..<150 {
            var isCancellation = false
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                requests.append(start { _ = try await tokens.currentGrant() })
                guard number != stored else { leaveSave([requests.count - 1]); break }
                saving.append(requests.count - 1)
                if accesses.isEmpty { expected["update", default: 0] += 1 }
                if !accesses.contains("request") { accesses.append("request") }
            case 3:
                // One waiter of a refresh stays, so that its end can be awaited.
                let others = refreshing.dropLast() + (isExpired ? [] : saving)
                guard let request = others.randomElement(using: &random) else { break }
                requests[request].cancel()
                isCancellation = saving.contains(request)
                (saving, refreshing) = (saving.filter { $0 != request }, refreshing.filter { $0 != request })
                expected["end", default: 0] += 1
            case 4, 5:
                guard !isExpired else { break }
                now.withLock { $0 += 200 }
                isExpired = true
            case 6, 7:
                guard isRefreshing, accesses.isEmpty else { break }
                refreshes.answer(expected["refresh", default: 0] - 1, with: .success(try token(number + 1)))
                accesses.append("refresh")
                expected["update", default: 0] += 1
            default:
                guard !accesses.isEmpty else { break }
                // A suspended process holds the store's lock for as long as a request waits.
                let reason: StorageFailure.Reason? = [nil, .full, .busy].randomElement(using: &random) ?? nil
                store.updateFailure = reason.map(TestTokenStore.failure)
                if reason == .busy {
                    await clock.advance(by: .seconds(10))
                    leaveSave(saving)
                    // Longer, for some requests.
                    if !isExpired, Bool.random(using: &random) { break }
                }
                updates.answer(expected["update", default: 0] - 1, with: .success(()))
                if accesses.removeFirst() == "refresh" {
                    (number, isExpired, isRefreshing) = (number + 1, false, false)
                    expected["end", default: 0] += refreshing.count
                    refreshing = []
                }
                if reason == nil { (stored, accesses) = (number, []) }
                if accesses.isEmpty { leaveSave(saving) } else { expected["update", default: 0] += 1 }
            }
            if accesses.isEmpty {
                // Waits for the end of a save whose waiters have left.
                _ = start { await tokens.share {} }
                expected["end", default: 0] += 1
            }
            guard await reach(expected, isCancellation: isCancellation) else {
                Issue.record("step \(step) at \(clock.now): \(events.value) instead of \(expected)")
                break
            }
        }
        store.updateFailure = nil
        for index in 0..<200 { updates.answer(index, with: .success(())) }
        _ = try await tokens.current()
        #expect(store.stored.flatMap { Int($0.token.text) } ?? 0 >= stored)
    }
}

extension Monitor<[String: Int]> {
    fileprivate func count(_ event: String) { withLock { $0[event, default: 0] += 1 } }
}
