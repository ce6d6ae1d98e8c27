import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Sources: gitify-app/gitify#2867, octokit/plugin-throttling.js#462, cli/cli#6205.
@MainActor
@Suite(.bounded)
struct `Reports about limits` {
    private let server = ScriptedServer()
    private let clock = TestClock()
    private let limited = Limited.refusal(Limited.counts("0"))

    private func container() -> Container { .reports(server, clock: clock, isCaching: false) }

    private func report(_ remaining: Int, status: Int = 200) -> ScriptedServer.Response {
        let json = #"{"resources":{"core":{"limit":60,"remaining":\#(remaining),"reset":1800003600}}}"#
        return .json(json, status: status, headers: .gitHub)
    }

    @Test(arguments: [200, 404], ["retry", "refresh"])
    func `Try Again asks first on another network, once in ten seconds`(status: Int, how: String) async {
        let profiles = server.on(.get, "/users/octocat", responses: [limited, .octocat])
        let reports = server.on(.get, "/rate_limit", responses: [report(0), report(59, status: status)])
        let model = await container().profile()
        func again() async { if how == "retry" { await model.retry() } else { await model.refresh() } }
        await again()
        await again()
        #expect(reports.requests.count == 1 && profiles.requests.count == 1)
        await clock.advance(by: .seconds(10))
        await again()
        #expect(model.state.content.details?.name == "Octo" && profiles.requests.count == 2)
    }

    @Test func `the count of a shared cache's copy isn't learned, and its wait is shorter`() async {
        let old = Limited.counts("0", after: -30, ["Age": "3600", "Date": "Fri, 15 Jan 2027 07:00:00 GMT"])
        let counts = Limited.counts("9", after: 60, ["Age": "50", "Retry-After": "60"])
        let refusal = ScriptedServer.Response.json("{}", status: 429, headers: counts)
        server.on(.get, "/users/octocat", responses: [.octocat(old), refusal, .octocat])
        let container = container()
        #expect(await Limited.end(container) == nil)
        #expect(await Limited.end(container) != nil)
        await clock.advance(by: .seconds(10))
        #expect(await Limited.end(container) == nil)
    }

    @Test func `Retry-After of a 503 is obeyed for images`() async {
        let busy = ScriptedServer.Response.status(503, headers: ["Retry-After": "120"])
        let image = ScriptedServer.Response.body(DrawnImage.png(for: "a"))
        let images = server.on(.get, "https://images.example/a.png", responses: [busy, image])
        let repository = container().imageRepository()
        let request = ImageRequest(WebAddress("https://images.example/a.png"))
        for _ in 0..<2 { #expect((try? await repository.image(for: request)) == nil) }
        #expect(images.requests.count == 1)
        await clock.advance(by: .seconds(120))
        #expect((try? await repository.image(for: request)) != nil)
    }

    @Test(arguments: [1_800_003_600_000, 4_102_444_800])
    func `a wrong far reset is replaced by the next count`(reset: Int) async {
        let wrong = Limited.counts("59", after: reset - 1_800_000_000)
        let right = Limited.counts("0", after: 60)
        server.on(.get, "/users/octocat", responses: [.octocat(wrong), .octocat(right), .octocat])
        let container = container()
        for _ in 0..<2 { #expect(await Limited.end(container) == nil) }
        #expect(await Limited.end(container) == 60)
        await clock.advance(by: .seconds(60))
        #expect(await Limited.end(container) == nil)
    }
}

/// Sources: octokit/rest.js#2200, cli/cli#8911, desktop/desktop#18300.
@MainActor
@Suite(.bounded)
struct `Reports about statuses` {
    private let server = ScriptedServer()

    private func container(_ locale: String, isCaching: Bool = false) -> Container {
        .reports(server, locale: locale, clock: ImmediateClock(), isCaching: isCaching, hasToken: true)
    }

    @Test(arguments: [410, 400], ["en_US", "ko_KR"])
    func `a closed version of the API says that the app is too old, and erases nothing`(
        status: Int,
        locale: String
    ) async {
        let words = #"\"2022-11-28\" is not a supported version"#
        let json = #"{"message":"\#(words)","documentation_url":"https://docs.github.com/rest"}"#
        let closed = ScriptedServer.Response.json(json, status: status)
        server.on(.get, "/users/octocat", responses: [.octocat, closed, .offline])
        // A refresh requests the account by its number.
        for path in ["/user/1", "/search/repositories", "/user/starred/octocat/hello"] {
            server.on(.get, path, response: closed)
        }
        let container = container(locale, isCaching: true)
        let message = await container.repos(for: "swift").state.content.status.message
        let text = locale == "ko_KR" ? "앱을 업데이트하십시오" : "This app is too old for GitHub. Update the app."
        #expect(message?.text.contains(text) == true && message?.action == nil)
        let model = await container.profile()
        await model.refresh()
        #expect(model.state.content.details?.name == "Octo" && model.state.notice?.text == message?.text)
        let cached = await container.profile()
        #expect(cached.state.content.details?.name == "Octo" && cached.state.notice?.text == message?.text)
        let offline = await container.profile()
        #expect(offline.state.content.details?.name == "Octo" && offline.state.content.age != nil)
        let repo = GitHub.Repo(id: .init(rawValue: 7), name: "hello", fullName: "octocat/hello")
        await #expect(throws: BrowseError.self) { try await container.starRepository().isStarred(repo) }
    }

    @Test(arguments: [400, 405, 406, 408, 415, 421, 426], ["en_US", "ko_KR"])
    func `a status that isn't about the query doesn't ask to edit it`(status: Int, locale: String) async {
        let body = #"{"message":"Not Acceptable"}"#
        server.on(.get, "/search/repositories", times: .any, response: .json(body, status: status, headers: .gitHub))
        let message = await container(locale).repos(for: "swift").state.content.status.message
        #expect(message?.action != .changeInput && message?.text.contains("Not Acceptable") == true)
    }

    @Test(arguments: ["search", "followers"], ["en_US", "ko_KR"])
    func `a limit of pages ends the list with GitHub's sentence, without a button`(kind: String, locale: String) async {
        func link(_ path: String) -> HTTPHeaders { ["Link": #"<https://api.github.com/\#(path)>; rel="next""#] }
        func checkEnd(of list: some ListViewModel) async {
            await list.loadMore()
            let message = list.state.content.status.message
            #expect(!list.state.content.hasMore)
            #expect(message?.text.contains("pagination is limited") == true && message?.action == nil)
        }
        let sentence = "In order to keep the API fast for everyone, pagination is limited for this resource."
        let limit = ScriptedServer.Response.json(#"{"message":"\#(sentence)"}"#, status: 422, headers: .gitHub)
        let rows = #"[{"id":1,"login":"a","type":"User"}]"#
        let container = container(locale)
        if kind == "search" {
            let json = #"{"total_count":900,"incomplete_results":false,"items":\#(rows)}"#
            server.on(.get, "/search/users", responses: [.json(json, headers: link("search/users?q=x&page=2")), limit])
            await checkEnd(of: container.users(for: "x"))
        } else {
            let page = ScriptedServer.Response.json(rows, headers: link("user/1/followers?page=2"))
            server.on(.get, "/users/octocat/followers", response: page)
            server.on(.get, "/user/1/followers", response: limit)
            await checkEnd(of: container.followers())
        }
    }

    @Test(
        arguments: [
            ("the `acme` organization has an IP allow list enabled", "starring=write", false),
            ("The `acme` organization forbids a token of such a lifetime.", "contents=read", false),
            ("At least one email address must be verified to do that.", "starring=write", false),
            ("Sorry. Your account was suspended", "allows_permissionless_access=true", false),
            ("Resource not accessible by personal access token", "starring=write", true),
        ],
        ["en_US", "ko_KR"]
    )
    func `a 403 is about a permission only if its sentence is`(
        reason: (sentence: String, field: String, isPermission: Bool),
        locale: String
    ) async {
        let scopes: HTTPHeaders = ["X-Accepted-OAuth-Scopes": reason.field, "X-OAuth-Scopes": "gist"]
        let permissions: HTTPHeaders = ["X-Accepted-GitHub-Permissions": reason.field]
        for headers in [permissions, scopes] {
            let json = #"{"message":"\#(reason.sentence)"}"#
            let refusal = ScriptedServer.Response.json(json, status: 403, headers: .gitHub(headers))
            server.on(.get, "/users/octocat/repos", times: 1, response: refusal)
            let message = await container(locale).repos().state.content.status.message
            #expect((message?.action == .signIn) == reason.isPermission)
            #expect(message?.text.contains(reason.isPermission ? reason.field : reason.sentence) == true)
        }
    }
}
