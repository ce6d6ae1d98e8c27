@testable import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct TestClockTimeLimitTests {
    let clock = TestClock()

    @Test func `A test that waits for a retry does not meet the time limit of the request instead`() async throws {
        let server = ScriptedServer(clock: clock)
        server.on(
            .get,
            "/users/octocat",
            responses: [
                .computed { [clock] _ in
                    // The time limit surely sleeps when the retry begins to wait.
                    await clock.waitForSleepersAndTimeLimits(1)
                    return .status(503)
                },
                .fixture("user-octocat", in: .gitHub),
            ]
        )
        let retry = Retry(clock: clock, random: { 1 })
        let client = try HTTPClient.gitHub(on: server.transport(clock: clock), middleware: [retry])
        let users = RemoteGitHubRepository(client: client)
        let profile = Task { try await users.profile(of: GitHub.Login("octocat")) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(500))
        #expect(try await profile.value.followerCount == 257)
        try server.verify()
    }

    @Test
    func `A request that is moved past its time limit ends, without a wait for the limit to sleep`() async throws {
        let server = ScriptedServer(clock: clock)
        server.on(.get, "/users/octocat", response: .status(204).held())
        let transport = server.transport(clock: clock)
        let failure = Task { await transport.failure("/users/octocat") }
        await server.waitForRequests(1)
        await clock.advance(by: HTTPLimits().duration)
        #expect(await failure.value?.hasPrefix("timedOut") == true)
    }

    @Test func `A redirect has only the time that is left, however the time limit's task is scheduled`() async throws {
        let url = try #require(URL(string: "https://host.test/a"))
        for _ in 1...50 {
            let clock = TestClock()
            let transport = InProcessTransport(clock: clock) { request in
                await clock.advance(by: HTTPLimits().duration / 2)
                var response = HTTPClient.Response(status: 200, body: Data(), url: request.url)
                if request.url.path() == "/a" { (response.status, response.headers["Location"]) = (302, "/b") }
                return .success(response)
            }
            await #expect(throws: BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "TEST"))) {
                try await transport.send(HTTPClient.Request(url: url, endpoint: "TEST"))
            }
        }
    }

    @Test func `Time limits do not count as sleepers, and expire in their turn`() async throws {
        let log = Log()
        let sooner = clock.startTimeLimit(of: .seconds(1)) { log.add("1 s") }
        let never = clock.startTimeLimit(of: .seconds(1)) { log.add("canceled") }
        let later = clock.startTimeLimit(of: .seconds(3)) { log.add("3 s") }
        await clock.waitForSleepersAndTimeLimits(3)
        #expect(clock.sleeperCount == 0)
        let work = Task { [clock] in
            try await clock.sleep(for: .seconds(2))
            log.add("2 s")
        }
        await clock.waitForSleepers(1)
        #expect(clock.sleeperCount == 1)
        never.cancel()
        for _ in 1...3 {
            await clock.advance(by: .seconds(1))
            if clock.now.offset == .seconds(1) { await sooner.value }
            if clock.now.offset == .seconds(2) { try await work.value }
            if clock.now.offset == .seconds(3) { await later.value }
        }
        await never.value
        #expect(log.entries == ["1 s", "2 s", "3 s"])
    }

    @Test func `A time limit of any length is one that the system's clocks can sleep for`() async {
        let clock: any Clock<Duration> = ContinuousClock()
        let limit = clock.startTimeLimit(of: .seconds(Int64.max)) { Issue.record("expired") }
        limit.cancel()
        await limit.value
    }
}
