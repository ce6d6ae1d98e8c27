import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("Canceling the caller", .bounded)
struct CancellationTests {
    /// Requests a profile in a new task, and returns its outcome.
    private func startRequest(
        _ users: RemoteGitHubRepository,
        for login: String = "octocat"
    ) -> Task<BrowseError?, Never> {
        Task { await thrown { () async throws(BrowseError) in try await users.profile(of: .init(login)) } }
    }

    private static let stalls: [LoopbackResponse] = [
        LoopbackResponse(steps: [.hold]), LoopbackResponse(steps: [.text("HTTP/1.1 200"), .hold]),
        LoopbackResponse(steps: [LoopbackResponse.head("Content-Length: 100"), .hold]),
        LoopbackResponse(steps: [LoopbackResponse.head("Content-Length: 100"), .text("{"), .hold]),
        LoopbackResponse(steps: [LoopbackResponse.head("Transfer-Encoding: chunked"), .text("1\r\n{\r\n"), .hold]),
    ]

    @Test(
        "cancels the request, closes the connection, and doesn't affect the next request",
        arguments: TestTransport.allCases,
        stalls.indices
    )
    func cancel(on transport: TestTransport, stall: Int) async throws {
        let server = try LoopbackServer(first: Self.stalls[stall])
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin, transport: transport.make()))
        let task = startRequest(users)
        await server.waitForRequests(1)
        task.cancel()
        #expect(await task.value == .cancelled)
        await server.waitForDisconnect()
        #expect(try await users.profile(of: .init("octocat")).user.id.rawValue == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `before sending sends nothing`(on transport: TestTransport) async throws {
        let server = try LoopbackServer { GitHubResponses.good(for: $0) }
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin, transport: transport.make()))
        for _ in 1...20 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await thrown { () async throws(BrowseError) in try await users.profile(of: .init("octocat")) }
            }
            #expect(await task.value == .cancelled)
        }
        #expect(server.requests.isEmpty)
        #expect(try await users.profile(of: .init("octocat")).user.id.rawValue == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `doesn't affect other requests`(on transport: TestTransport) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { request in
            LoopbackResponse(steps: [.holdUntil(gate)] + GitHubResponses.good(for: request).steps)
        }
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin, transport: transport.make()))
        let tasks = (0..<6).map { startRequest(users, for: "user-\($0)") }
        await server.waitForRequests(6)
        for index in [1, 4] { tasks[index].cancel() }
        #expect(await tasks[1].value == .cancelled)
        #expect(await tasks[4].value == .cancelled)
        await server.waitForDisconnect(2)
        gate.open()
        for index in [0, 2, 3, 5] { #expect(await tasks[index].value == nil) }
    }

    @Test(arguments: TestTransport.robust)
    func `during a redirect cancels the request`(on transport: TestTransport) async throws {
        let server = try LoopbackServer(first: .redirect(to: "/b"), LoopbackResponse(steps: [.hold]))
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin, transport: transport.make()))
        let task = startRequest(users)
        await server.waitForRequests(2)
        task.cancel()
        #expect(await task.value == .cancelled)
        await server.waitForDisconnect()
    }

    @Test("at any time returns a response or throws .cancelled, and no other error", arguments: TestTransport.robust)
    func anyMoment(on transport: TestTransport) async throws {
        let server = try LoopbackServer { GitHubResponses.good(for: $0) }
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin, transport: transport.make()))
        for round in 0..<100 {
            let task = startRequest(users)
            // Cancels at a different point of each exchange; any number of yields is valid.
            for _ in 0..<(round * 3) { await Task.yield() }
            task.cancel()
            let error = await task.value
            #expect(error == nil || error == .cancelled)
        }
        #expect(try await users.profile(of: .init("octocat")).user.id.rawValue == 1)
    }

    @Test(arguments: TestTransport.robust)
    func `and releasing the transport at the same time is safe`(on transport: TestTransport) async throws {
        let server = try LoopbackServer { GitHubResponses.good(for: $0) }
        for round in 0..<60 {
            let task = startRequest(
                RemoteGitHubRepository(client: try .gitHub(at: server.origin, transport: transport.make()))
            )
            // Cancels at a different point of each exchange; any number of yields is valid.
            for _ in 0..<(round % 20) { await Task.yield() }
            task.cancel()
            let error = await task.value
            #expect(error == nil || error == .cancelled)
        }
    }
}
