import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `A rate limit, all layers` {
    private let clock = TestClock()
    private let server = ControlledResponses<HTTPClient.Request, HTTPClient.Response>()
    private let start = Date(timeIntervalSince1970: 1_795_258_800)

    private func container(requestConcurrency: Int = 8) -> Container {
        let configuration = Configuration.localized().with {
            $0.clock = clock
            $0.now = { [clock, start] in start + clock.now.offset / .seconds(1) }
            $0.requestConcurrency = requestConcurrency
        }
        return Container.production(on: StubTransport(server.response), configuration: configuration)
    }

    private func answer(_ index: Int, _ status: Int = 200, _ headers: HTTPHeaders = [:], user: Int = 1) {
        var headers = headers
        (headers["Content-Type"], headers["X-GitHub-Media-Type"]) = ("application/json", "github.v3")
        headers["Link"] = "<https://api.github.com/users/octocat/followers?page=\(index + 2)>; rel=\"next\""
        let body = """
            [{"login":"user-\(user)","id":\(user),"avatar_url":"https://avatars.example/1",
            "html_url":"https://github.com/user-\(user)","type":"User"}]
            """
        let url = server.requests[index].url
        server.answer(
            index,
            with: .success(HTTPClient.Response(status: status, headers: headers, body: Data(body.utf8), url: url))
        )
    }

    @Test func `stops a list, which shows the time, sends nothing until the person retries, and continues`()
        async throws
    {
        let model = container().followerListViewModel()
        let show = Task { await model.show(.followers(of: GitHub.Login("octocat"))) }
        await server.waitForRequests(1)
        let reset = "\(Int(start.timeIntervalSince1970) + 300)"
        answer(0, 200, ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset])
        await show.value
        await model.loadMore()
        let message = try #require(model.state.content.status.message)
        #expect(model.state.content.status == .failedMore(message))
        #expect(message.kind == .rateLimited(until: start + 300) && message.action == .retryLater(start + 300))
        for row in model.state.content.rows { await model.rowAppeared(row.id) }
        #expect(server.requests.count == 1)
        // The person asks, and the service has no report.
        let early = Task { await model.retry() }
        await server.waitForRequests(2)
        #expect(server.requests[1].url.path() == "/rate_limit")
        answer(1)
        await early.value
        #expect(model.state.content.status == .failedMore(message))
        #expect(server.requests.count == 2)

        await clock.advance(by: .seconds(300))
        let retry = Task { await model.retry() }
        await server.waitForRequests(3)
        answer(2, user: 2)
        await retry.value
        #expect(model.state.content.rows.map(\.login.rawValue) == ["user-1", "user-2"])
        #expect(model.state.content.status == .ready)
    }

    @Test func `fails requests that wait for a slot when it's reached, without sending them`() async throws {
        let container = container(requestConcurrency: 1)
        let profiles = ["a", "b", "c"].map { login in
            Task<Void, any Error> {
                _ = try await container.userRepository().profile(of: GitHub.Login(login))
            }
        }
        await server.waitForRequests(1)
        answer(0, 429, ["Retry-After": "60"])
        for profile in profiles {
            let error = await #expect(throws: BrowseError.self) { try await profile.value }
            guard case .rateLimited(let limit, _) = error else {
                Issue.record("It was sent.")
                continue
            }
            #expect(limit.retryAt == start + 60)
        }
        #expect(server.requests.count == 1)
    }
}
