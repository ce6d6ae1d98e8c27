import BrowseCore
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct ScriptTests {
    let server = ScriptedServer(clock: TestClock())

    @Test(
        arguments: [
            (CallCount.exactly(2), 1, "exactly 2 times"), (2, 3, nil), (.never, 0, ""), (.never, 1, nil),
            (.any, 0, ""), (.any, 3, ""), (.atLeast(2), 1, "at least 2 times"), (.atLeast(2), 5, ""),
            (.atMost(1), 0, ""), (.atMost(1), 2, nil),
        ] as [(CallCount, Int, String?)]
    )
    func `Counts are verified`(count: CallCount, requests: Int, missing: String?) async throws {
        server.on(.get("/a"), times: count, response: .json("1"))
        let transport = server.transport()
        for _ in 0..<requests { _ = try await transport.get("/a") }
        switch missing {
        case "": try server.verify()
        case let missing?:
            let error = #expect(throws: ScriptedServer.Mismatch.self) { try server.verify() }
            #expect(error?.missing == ["GET /a: expected \(missing), received once"])
        case nil:
            let error = #expect(throws: ScriptedServer.Mismatch.self) { try server.verify() }
            #expect(error?.unexpected == ["GET /a"])
        }
    }

    @Test func `A stub that expects no request takes precedence over a general one`() async throws {
        server.on(.any, times: .any, response: .json("1"))
        server.on(.delete("/user"), times: .never, response: .status(204))
        #expect(try await server.transport().get("/user").text == "1")
        #expect(await server.transport().report("/user", method: .delete).hasSuffix("but expects it never."))
    }

    @Test func `A request before its predecessors is unexpected`() async throws {
        let token = server.on(.post, "/token", response: .json("{}"))
        let user = server.on(.get, "/user", response: .json("{}"))
        server.expectOrder(token, user)
        let transport = server.transport()
        #expect(await transport.report("/user") == "Request out of order: GET /user came before POST /token")
        #expect(try await transport.get("/token", method: .post).status == 200)
        #expect(try await transport.get("/user").status == 200)
        #expect(throws: ScriptedServer.Mismatch(unexpected: ["GET /user came before POST /token"])) {
            try server.verify()
        }
        #expect(token.requests.map(\.method) == [.post])
        #expect(user.requests.count == 1)
    }

    @Test func `A request that needn't come is unexpected after what it precedes`() async throws {
        let limits = server.on(.get, "/limits", times: .any, response: .json("{}"))
        let user = server.on(.get, "/user", response: .json("{}"))
        server.expectOrder(limits, user)
        let transport = server.transport()
        #expect(try await transport.get("/user").status == 200)
        #expect(await transport.report("/limits") == "Request out of order: GET /limits came after GET /user")
        #expect(throws: ScriptedServer.Mismatch(unexpected: ["GET /limits came after GET /user"])) {
            try server.verify()
        }
    }

    @Test func `A truncated body is a lost connection`() async throws {
        server.on(.get, "/a", response: .json("[1,2,3]").truncated(after: 3))
        server.on(.get, "/b", response: .json("[1,2,3]").truncated(after: 7))
        let transport = server.transport()
        #expect(
            await failure { () throws(BrowseError) in try await transport.get("/a") }
                == .unreachable(.connectionLost, BrowseError.RequestInfo(endpoint: "TEST"))
        )
        #expect(try await transport.get("/b").text == "[1,2,3]")
    }

    @Test func `A throttled body takes its size divided by the rate`() async throws {
        let clock = TestClock()
        let server = ScriptedServer(clock: clock)
        server.on(.get, "/a", response: .json("0123456789").throttled(bytesPerSecond: 5))
        let transport = server.transport()
        async let text = transport.get("/a").text
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(2) - .nanoseconds(1))
        #expect(clock.sleeperCount == 1)
        await clock.advance(by: .nanoseconds(1))
        #expect(try await text == "0123456789")
    }

    @Test func `Failures have the form of each service`() async throws {
        let now = Date(timeIntervalSince1970: 1_750_000_000)
        server.on(.get, "/users/a", response: .gitHubNotFound)
        server.on(.get, "/users/b", response: .gitHubRateLimited(until: now + 90))
        let users = RemoteGitHubRepository(client: try .gitHub(on: server.transport(), now: { now }))
        let missing = await failure { () throws(BrowseError) in try await users.profile(of: GitHub.Login("a")) }
        #expect(missing?.isNotFound == true)
        let limited = await failure { () throws(BrowseError) in try await users.profile(of: GitHub.Login("b")) }
        guard case .rateLimited(let limit, _) = limited else {
            Issue.record("\(String(describing: limited))")
            return
        }
        #expect(limit.retryAt == now + 90)

        server.on(.get, "/c", responses: [.rateLimited(until: now + 5, now: now), .rickAndMortyNotFound])
        let transport = server.transport()
        #expect(try await transport.get("/c").headers["Retry-After"] == "5")
        #expect(try await transport.get("/c").text.contains("There is nothing here"))
        server.on(.get, "/d", responses: [.appStoreNotFound, .appStoreRateLimited])
        #expect(try await transport.get("/d").status == 200)
        #expect(try await transport.get("/d").status == 403)
    }

    @Test(arguments: [false, true])
    func `A rate limit is until its date by the container's time`(isOffline: Bool) async throws {
        let clock = TestClock()
        let now = clock.now(from: Date(timeIntervalSince1970: 1_000_000_000))
        let configuration = Configuration().with { ($0.clock, $0.now) = (clock, now) }
        let services = OfflineServices()
        let server = isOffline ? services.rickAndMorty.script : server
        let container =
            isOffline
            ? Container.offline(services, configuration: configuration)
            : Container.production(on: server.transport(), configuration: configuration)
        server.on(.any, response: .rateLimited(until: now() + 90))
        await clock.advance(by: .seconds(30))
        let url = try #require(URL(string: "https://rickandmortyapi.com/api/character/1"))
        let response = try await container.transport().send(HTTPClient.Request(url: url, endpoint: "TEST"))
        #expect(response.headers["Retry-After"] == "60")
    }

    @Test func `A fixture comes from a bundle of the app`() async throws {
        server.on(.get, "/a", response: .fixture("note", in: Fixtures(in: .module)))
        server.on(.get, "/b", response: .fixture("nothing", in: Fixtures(in: .module)))
        #expect(try await server.transport().get("/a").text == "{\"note\":\"from the app's bundle\"}\n")
        #expect(
            await server.transport().report("/b").hasPrefix(
                "There is no fixture \"nothing\". There are: note. Searched: "
            )
        )
    }
}
