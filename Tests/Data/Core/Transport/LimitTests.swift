import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

import BrowseData

@Suite("The limits of an exchange", .bounded)
struct LimitTests {
    private let info = BrowseError.RequestInfo(endpoint: "GET /users/{}")
    private let login = GitHub.Login("octocat")

    private func client(
        of server: LoopbackServer,
        on transport: TestTransport,
        bytes: Int = 8 << 20,
        duration: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws -> HTTPClient {
        try .gitHub(
            at: server.origin,
            limits: HTTPLimits(bodyBytes: bytes, duration: duration),
            transport: transport.make(clock: clock)
        )
    }

    private func failure(of client: HTTPClient) async -> BrowseError? {
        await thrown { () async throws(BrowseError) in
            try await RemoteGitHubRepository(client: client).profile(of: login)
        }
    }

    private func expectNextRequestWorks(_ client: HTTPClient) async throws {
        #expect(try await RemoteGitHubRepository(client: client).profile(of: login).user.login == login)
    }

    @Test("reject an announced body over the limit before it arrives", arguments: TestTransport.allCases)
    func announced(on transport: TestTransport) async throws {
        let response = LoopbackResponse(steps: [LoopbackResponse.head("Content-Length: 10001"), .hold])
        let server = try LoopbackServer(first: response)
        let client = try client(of: server, on: transport, bytes: 10_000)
        #expect(await failure(of: client) == .unusableResponse(.tooLarge(limit: 10_000), info))
        await server.waitForDisconnect()
        try await expectNextRequestWorks(client)
    }

    @Test("reject a body that exceeds the limit, and close the connection", arguments: TestTransport.allCases)
    func growing(on transport: TestTransport) async throws {
        let chunk = "100000\r\n" + String(repeating: " ", count: 0x10_0000) + "\r\n"
        let chunked = LoopbackResponse(steps: [
            LoopbackResponse.head("Transfer-Encoding: chunked"), .repeated(Array(chunk.utf8), count: 3), .hold,
        ])
        let untilClose = LoopbackResponse(steps: [
            LoopbackResponse.head("Connection: close"), .repeated([32], count: 3 << 20), .hold,
        ])
        let server = try LoopbackServer(first: chunked, untilClose)
        let client = try client(of: server, on: transport, bytes: 1 << 20)
        for count in 1...2 {
            #expect(await failure(of: client) == .unusableResponse(.tooLarge(limit: 1 << 20), info))
            await server.waitForDisconnect(count)
        }
        try await expectNextRequestWorks(client)
    }

    @Test("return in time, even if a server sends very fast", arguments: TestTransport.robust)
    func flooded(on transport: TestTransport) async throws {
        let chunk = Array(("fa\r\n" + String(repeating: " ", count: 250) + "\r\n").utf8)
        let flood = LoopbackResponse(steps: [LoopbackResponse.head("Transfer-Encoding: chunked"), .endless(chunk)])
        let transport = transport.make()
        let servers = try (0..<2).map { _ in try LoopbackServer { _ in flood } }
        let limits = [HTTPLimits(bodyBytes: 1000), HTTPLimits(bodyBytes: .max, duration: .milliseconds(50))]
        let errors: [BrowseError] = [.unusableResponse(.tooLarge(limit: 1000), info), .timedOut(info)]
        for (server, (limits, error)) in zip(servers, zip(limits, errors)) {
            let client = try HTTPClient.gitHub(at: server.origin, limits: limits, transport: transport)
            #expect(await failure(of: client) == error)
            server.stop()
        }
        let good = try LoopbackServer { GitHubResponses.good(for: $0) }
        try await expectNextRequestWorks(.gitHub(at: good.origin, transport: transport))
    }

    @Test("accept a body of exactly the limit", arguments: TestTransport.allCases)
    func exact(on transport: TestTransport) async throws {
        let body = GitHubResponses.profile()
        let server = try LoopbackServer { _ in .json(body) }
        try await expectNextRequestWorks(client(of: server, on: transport, bytes: body.utf8.count))
        #expect(
            await failure(of: try client(of: server, on: transport, bytes: body.utf8.count - 1))
                == .unusableResponse(.tooLarge(limit: body.utf8.count - 1), info)
        )
    }

    #if os(Linux)
    // In a separate process, to measure its memory, which only Linux reports.
    @Test(
        "stop a body of 512 MB, compressed or not, without exceeding the limit in memory",
        arguments: TestTransport.robust
    )
    func memory(on transport: TestTransport) async throws {
        let flood = LoopbackResponse(steps: [
            LoopbackResponse.head("Connection: close"), .repeated(Array(repeating: 32, count: 1 << 20), count: 512),
            .close,
        ])
        for response in [LoopbackResponse.gzipBomb, flood] {
            let server = try LoopbackServer { _ in response }
            let lines = try await ChildProcess("transfer", "\(transport)", server.origin, "\(16 << 20)").finished()
            try #require(lines.count == 2)
            #expect(lines[0] == "too large")
            // In MiB. The limit is 16; the decompressed body has 512.
            #expect(try #require(Int(lines[1])) < 96, "\(lines[1]) MB more")
        }
    }
    #endif

    @Test("end the wait for a server that doesn't respond, and an endless body", arguments: TestTransport.allCases)
    func silence(on transport: TestTransport) async throws {
        for steps in [
            [.hold], [.text("HTTP/1.1 200 O"), .hold],
            [LoopbackResponse.head("Content-Length: 1000"), .text("{\"login\":"), .hold],
        ] as [[LoopbackResponse.Step]] {
            let server = try LoopbackServer(first: LoopbackResponse(steps: steps))
            let clock = TestClock()
            let client = try client(of: server, on: transport, duration: .seconds(30), clock: clock)
            async let failure = failure(of: client)
            await server.waitForRequests(1)
            await clock.waitForSleepersAndTimeLimits(1)
            await clock.advance(by: .seconds(29))
            await clock.advance(by: .seconds(1))
            #expect(await failure == .timedOut(info))
            await server.waitForDisconnect()
            try await expectNextRequestWorks(client)
        }
    }

    @Test("include redirects, which don't restart the time limit", arguments: TestTransport.allCases)
    func redirects(on transport: TestTransport) async throws {
        let gate = LoopbackGate()
        let first = LoopbackResponse(steps: [.holdUntil(gate)] + LoopbackResponse.redirect(to: "/next").steps)
        let server = try LoopbackServer(first: first, LoopbackResponse(steps: [.hold]))
        let clock = TestClock()
        let client = try client(of: server, on: transport, clock: clock)
        async let failure = failure(of: client)
        await server.waitForRequests(1)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .seconds(20))
        gate.open()
        await server.waitForRequests(2)
        await clock.advance(by: .seconds(10))
        #expect(await failure == .timedOut(info))
        try await expectNextRequestWorks(client)
    }

    @Test("apply with the system clock, even to fractions of a second", arguments: TestTransport.allCases)
    func realClock(on transport: TestTransport) async throws {
        let server = try LoopbackServer(first: LoopbackResponse(steps: [.hold]))
        let client = try client(of: server, on: transport, duration: .milliseconds(200))
        let start = ContinuousClock.now
        #expect(await failure(of: client) == .timedOut(info))
        #expect(ContinuousClock.now - start >= .milliseconds(200))
    }

    @Test("accept any duration", arguments: TestTransport.allCases)
    func unlimited(on transport: TestTransport) async throws {
        let server = try LoopbackServer { GitHubResponses.good(for: $0) }
        try await expectNextRequestWorks(client(of: server, on: transport, bytes: .max, duration: .seconds(Int64.max)))
    }
}
