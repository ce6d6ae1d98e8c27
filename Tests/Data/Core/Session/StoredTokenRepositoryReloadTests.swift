import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData

/// Reads of a store that another process has changed, which overlap a sign-in or sign-out here.
@Suite(.bounded)
struct `A read of a changed token store` {
    private let store: TestTokenStore
    private let tokens: StoredTokenRepository
    private let executor = FIFOExecutor()

    init() throws {
        store = TestTokenStore(try Self.credentials("a"))
        tokens = StoredTokenRepository(store: store)
    }

    private static func credentials(_ text: String) throws -> Credentials {
        Credentials(token: try Secret(text))
    }

    /// Checks that there were no events until now, which must be the end of the test.
    private func expectNone(of events: AsyncStream<TokenEvent>) async throws {
        let last = try await tokens.begin(with: Self.credentials("last"))
        try await store.delete()
        #expect(try await tokens.current() == nil)
        #expect(await events.first { _ in true } == .ended(last.id, .requested))
    }

    @Test(arguments: [nil, "b"])
    func `is repeated if the user signs out or in meanwhile`(text: String?) async throws {
        _ = try await tokens.current()
        let events = tokens.events
        (store.holdsReads, store.holdsUpdates) = (true, true)
        let reading = Task(executorPreference: executor) { _ = try? await tokens.current() }
        // The read finds the credentials, which are deleted or replaced after it.
        await store.held.waitForRequests(1)
        let change = Task(executorPreference: executor) { () async throws -> TokenGrant? in
            if let text { return try await tokens.begin(with: Self.credentials(text)) }
            try await tokens.end()
            return nil
        }
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        store.release()
        await reading.value
        let grant = try await change.value
        #expect(try await tokens.current() == grant)
        #expect(try grant?.credentials.token == text.map { try Secret($0) })
        #expect(store.stored?.token == grant?.credentials.token)
        // The session that ended isn't restored in between.
        try await expectNone(of: events)
    }

    @Test(arguments: [false, true])
    func `finds the previous session after a sign-in has failed, even if that is stored late`(
        isLate: Bool
    ) async throws {
        let grant = try #require(try await tokens.current())
        let events = tokens.events
        (store.holdsReads, store.holdsUpdates) = (true, true)
        let beginning = Task(executorPreference: executor) { try await tokens.begin(with: Self.credentials("b")) }
        await store.held.waitForRequests(1)
        let reading = Task(executorPreference: executor) { _ = try? await tokens.current() }
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        let full = TestTokenStore.failure(.full)
        store.held.answer(0, with: .failure(full))
        await store.held.waitForRequests(2)
        if isLate { store.stored = try Self.credentials("b") }
        store.release()
        await reading.value
        await #expect(throws: full) { try await beginning.value }
        #expect(try await tokens.current() == grant)
        #expect(store.stored == grant.credentials)
        try await expectNone(of: events)
    }
}
