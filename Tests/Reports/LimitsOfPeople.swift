import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let profile = #"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#
private let start = Limited.start

/// Whose limit it is, and what a person reads about it.
@MainActor
@Suite(.bounded)
struct `Reports about limits of people` {
    private let server: ScriptedServer
    private let clock = TestClock()

    init() { server = ScriptedServer(clock: clock) }

    private func container(
        ahead: TimeInterval = 0,
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> Container {
        .reports(server) {
            ($0.clock, $0.now, $0.retries) = (clock, clock.now(from: start + ahead), .standard)
            change(&$0)
        }
    }

    /// nusmodifications/nusmods#171
    @Test(arguments: ["en_US", "ko_KR"]) func `the limit of an address isn't blamed on the person, who can sign in`(
        locale: String
    ) async {
        server.on(.get, "/users/octocat", response: Limited.refusal(Limited.counts("0")))
        let container = container { $0.locale = Locale(identifier: locale) }
        for _ in 0..<2 {
            let model = container.userProfileViewModel()
            await model.show(octocat)
            let message = model.state.content.status.message
            #expect(message?.kind == .rateLimited(until: start + 3600))
            #expect(message?.text.contains(locale == "ko_KR" ? "로그인" : "Sign in") == true)
            #expect(message?.text.contains(locale == "ko_KR" ? "네트워크" : "network") == true)
        }
        #expect(server.requests.count == 1)
    }

    /// itsoltech/canopy-desktop#344, sourcegraph/sourcegraph-public-snapshot#2781
    @Test func `a limit is its account's, and another token of the account asks once`() async throws {
        @Sendable func user(_ id: Int) -> ScriptedServer.Response {
            .json(#"{"id":\#(id),"login":"u\#(id)","type":"User"}"#)
        }
        let isLimited = Monitor(false)
        server.on(
            .get,
            "/user",
            times: .any,
            response: .computed { request in
                let isB = request.headers["Authorization"]?.contains("ghp_b") == true
                return isLimited.value && !isB ? Limited.refusal(Limited.counts("0")) : user(isB ? 2 : 1)
            }
        )
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        server.on(.get, "/users/octocat", responses: [Limited.refusal(Limited.counts("0")), .json(profile)])
        let container = container()
        let session = container.gitHubSession()
        try await session.signIn(with: Credentials(token: Secret("ghp_a1_1234567890")))
        #expect(await Limited.end(container) == 3600)
        isLimited.withLock { $0 = true }
        try await session.signOut()
        try await session.signIn(with: Credentials(token: Secret("ghp_b_1234567890")))
        #expect(await Limited.end(container) == nil)
        let count = server.requests.count
        let model = container.gitHubSignInViewModel()
        await model.signIn(withToken: "ghp_a2_1234567890")
        #expect(model.state.message?.kind == .rateLimited(until: start + 3600), "\(model.state)")
        #expect(server.requests.count == count + 1 && session.current.user?.login == GitHub.Login("u2"))
    }

    /// microsoft/vscode#42545
    @Test func `a limited search says so, sends nothing, and then searches for the last text`() async {
        let refusal = Limited.refusal(Limited.counts("0", after: 40, ["X-RateLimit-Resource": "search"]))
        let found = ScriptedServer.Response.json(#"{"total_count":1,"incomplete_results":false,"items":[]}"#)
        let searches = server.on(.get, "/search/users", responses: [refusal, found])
        server.on(.get, "/rate_limit", times: .any, response: .status(404, headers: .gitHub))
        let search = container().userSearchViewModel()
        search.query.text = "hidden"
        await search.submit()
        for text in ["hidden b", "hidden brook"] {
            search.query.text = text
            await clock.run { await search.submit() }
            #expect(search.state.content.status.message?.kind == .rateLimited(until: start + 40))
        }
        #expect(searches.requests.count == 1)
        await clock.advance(by: .seconds(40))
        await search.retry()
        let query = searches.requests.last.flatMap {
            URLComponents(url: $0.url, resolvingAgainstBaseURL: true)?.queryItems
        }
        #expect(searches.requests.count == 2 && query?.first { $0.name == "q" }?.value == "hidden brook")
    }

    /// rai-project/rai#35
    @Test func `what was stored or noted by a clock that was ahead has no age below zero`() async {
        let folder = FileManager.default.temporaryDirectory.appending(path: "limits-\(UUID())")
        let page = ScriptedServer.Response.json(profile, headers: ["ETag": "\"a\""])
        server.on(.get, "/users/octocat", responses: [page, .failure(.notConnectedToInternet)])
        await container(ahead: 31_536_000) { $0.cacheFolder = folder }.userProfileViewModel().show(octocat)
        let model = container { $0.cacheFolder = folder }.userProfileViewModel()
        await model.show(octocat)
        #expect(server.requests.count == 2 && model.state.content.details?.name == "Octo")
        #expect(model.state.content.age?.contains("2028") == false, "\(model.state.content.age ?? "")")
        #expect(model.state.content.provenance?.date.map { $0 <= start } == true)
    }

    /// cli/go-gh#216
    @Test func `the count of a stored page is history`() async {
        let page = ScriptedServer.Response.json(profile, headers: Limited.counts("0", after: 60))
        server.on(
            .get,
            "/users/octocat",
            responses: [page, .json(profile, headers: Limited.counts("59", after: 99_999))]
        )
        let folder = FileManager.default.temporaryDirectory.appending(path: "limits-\(UUID())")
        await container { $0.cacheFolder = folder }.userProfileViewModel().show(octocat)
        let later = container(ahead: 18_000) { $0.cacheFolder = folder }
        await later.userProfileViewModel().show(octocat)
        #expect(server.requests.count == 2)
        #expect(await later.gitHubRateLimits().statuses.map(\.remaining) == [59])
    }
}
