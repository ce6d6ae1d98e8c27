import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let profile = #"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#

/// Sources: gitify-app/gitify#2867, octokit/plugin-throttling.js#462, cli/cli#6205.
@MainActor
@Suite(.bounded)
struct `Reports about limits` {
    private let server = ScriptedServer()
    private let clock = TestClock()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func container(_ locale: String = "en_US") -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: locale)
            $0.timeZone = .gmt
        }
        (configuration.clock, configuration.now, configuration.retries) = (clock, clock.now(from: start), .never)
        return .production(on: server.transport(), configuration: configuration)
    }

    private func headers(_ remaining: Int, after seconds: Int = 3600, _ more: HTTPHeaders = [:]) -> HTTPHeaders {
        var headers = more
        headers["X-GitHub-Media-Type"] = "github.v3"
        (headers["X-RateLimit-Limit"], headers["X-RateLimit-Remaining"]) = ("60", "\(remaining)")
        headers["X-RateLimit-Reset"] = "\(Int(start.timeIntervalSince1970) + seconds)"
        return headers
    }

    private var limited: ScriptedServer.Response {
        .json(#"{"message":"API rate limit exceeded for 198.51.100.7."}"#, status: 403, headers: headers(0))
    }

    private func report(_ remaining: Int, status: Int = 200) -> ScriptedServer.Response {
        let reset = Int(start.timeIntervalSince1970) + 3600
        return .json(
            #"{"resources":{"core":{"limit":60,"remaining":\#(remaining),"reset":\#(reset)}}}"#,
            status: status,
            headers: .gitHub
        )
    }

    @Test func `a report that requests remain ends the pause`() async throws {
        server.on(.get, "/users/octocat", responses: [limited, .json(profile)])
        server.on(.get, "/rate_limit", response: report(49))
        let container = container()
        let users = container.userRepository()
        await #expect(throws: BrowseError.self) { try await users.profile(of: octocat) }
        await #expect(throws: BrowseError.self) { try await users.profile(of: octocat) }
        _ = try await container.gitHubRateLimits().refresh()
        _ = try await users.profile(of: octocat)
    }

    @Test(arguments: [200, 404], ["retry", "refresh"])
    func `Try Again asks first on another network, once in ten seconds`(status: Int, how: String) async {
        let profiles = server.on(.get, "/users/octocat", responses: [limited, .json(profile)])
        let reports = server.on(.get, "/rate_limit", responses: [report(0), report(59, status: status)])
        let model = container().userProfileViewModel()
        await model.show(octocat)
        func again() async { if how == "retry" { await model.retry() } else { await model.refresh() } }
        await again()
        await again()
        #expect(reports.requests.count == 1 && profiles.requests.count == 1)
        await clock.advance(by: .seconds(10))
        await again()
        #expect(model.state.content.details?.name == "Octo" && profiles.requests.count == 2)
    }

    @Test func `a repetition by the app doesn't ask`() async {
        server.on(.get, "/users/octocat", response: limited)
        let users = container().userRepository()
        for _ in 0..<3 { await #expect(throws: BrowseError.self) { try await users.profile(of: octocat) } }
        #expect(server.requests.count == 1)
    }

    @Test func `the count of a shared cache's copy isn't learned, and its wait is shorter`() async throws {
        let old = headers(0, after: -30, ["Age": "3600", "Date": "Fri, 15 Jan 2027 07:00:00 GMT"])
        let refusal = ScriptedServer.Response.json(
            "{}",
            status: 429,
            headers: headers(9, after: 60, ["Age": "50", "Retry-After": "60"])
        )
        server.on(.get, "/users/octocat", responses: [.json(profile, headers: old), refusal, .json(profile)])
        let users = container().userRepository()
        _ = try await users.profile(of: octocat)
        await #expect(throws: BrowseError.self) { try await users.profile(of: octocat) }
        await clock.advance(by: .seconds(10))
        _ = try await users.profile(of: octocat)
    }

    @Test func `Retry-After of a 503 is obeyed for images`() async {
        let image = DrawnImage.png(for: "a")
        let images = server.on(
            .get,
            "https://images.example/a.png",
            responses: [.status(503, headers: ["Retry-After": "120"]), .body(image)]
        )
        let repository = container().imageRepository()
        let request = ImageRequest(WebAddress("https://images.example/a.png"))
        #expect((try? await repository.image(for: request)) == nil)
        #expect((try? await repository.image(for: request)) == nil)
        #expect(images.requests.count == 1)
        await clock.advance(by: .seconds(120))
        #expect((try? await repository.image(for: request)) != nil)
    }

    @Test(arguments: [1_800_003_600_000, 4_102_444_800])
    func `a wrong far reset is replaced by the next count`(reset: Int) async throws {
        var wrong = headers(59)
        wrong["X-RateLimit-Reset"] = "\(reset)"
        let right = headers(0, after: 60)
        server.on(
            .get,
            "/users/octocat",
            responses: [.json(profile, headers: wrong), .json(profile, headers: right), .json(profile)]
        )
        let users = container().userRepository()
        for _ in 0..<2 { _ = try await users.profile(of: octocat) }
        await #expect(throws: BrowseError.self) { try await users.profile(of: octocat) }
        await clock.advance(by: .seconds(60))
        _ = try await users.profile(of: octocat)
    }
}

/// Sources: octokit/rest.js#2200, cli/cli#8911, desktop/desktop#18300.
@MainActor
@Suite(.bounded)
struct `Reports about statuses` {
    private let server = ScriptedServer()

    private func container(_ locale: String, _ change: (inout Configuration) -> Void = { _ in }) -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: locale)
            $0.timeZone = .gmt
        }
        (configuration.clock, configuration.retries) = (ImmediateClock(), .never)
        configuration.gitHub.token = try? Secret("ghp_1234567890")
        change(&configuration)
        return .production(on: server.transport(), configuration: configuration)
    }

    @Test(arguments: [410, 400], ["en_US", "ko_KR"])
    func `a closed version of the API says that the app is too old, and erases nothing`(status: Int, locale: String)
        async throws
    {
        let closed = ScriptedServer.Response.json(
            #"{"message":"\"2022-11-28\" is not a supported version","documentation_url":"https://docs.github.com/rest"}"#,
            status: status
        )
        server.on(.get, "/users/octocat", responses: [.json(profile), closed, .failure(.notConnectedToInternet)])
        // A refresh requests the account by its number.
        server.on(.get, "/user/1", response: closed)
        server.on(.get, "/search/repositories", response: closed)
        server.on(.get, "/user/starred/octocat/hello", response: closed)
        let folder = FileManager.default.temporaryDirectory.appending(path: "statuses-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = container(locale) { $0.cacheFolder = folder }
        let search = container.repoSearchViewModel()
        search.query.text = "swift"
        await search.submit()
        let message = search.state.content.status.message
        let text = locale == "ko_KR" ? "앱을 업데이트하십시오" : "This app is too old for GitHub. Update the app."
        #expect(message?.text.contains(text) == true && message?.action == nil)
        let model = container.userProfileViewModel()
        await model.show(octocat)
        await model.refresh()
        #expect(model.state.content.details?.name == "Octo" && model.state.notice?.text == message?.text)
        let cached = container.userProfileViewModel()
        await cached.show(octocat)
        #expect(cached.state.content.details?.name == "Octo" && cached.state.notice?.text == message?.text)
        let offline = container.userProfileViewModel()
        await offline.show(octocat)
        #expect(offline.state.content.details?.name == "Octo" && offline.state.content.age != nil)
        let repo = GitHub.Repo(id: .init(rawValue: 7), name: "hello", fullName: "octocat/hello")
        await #expect(throws: BrowseError.self) { try await container.starRepository().isStarred(repo) }
    }

    @Test(arguments: [400, 405, 406, 408, 415, 421, 426], ["en_US", "ko_KR"])
    func `a status that isn't about the query doesn't ask to edit it`(status: Int, locale: String) async {
        let body = #"{"message":"Not Acceptable"}"#
        server.on(.get, "/search/repositories", times: .any, response: .json(body, status: status, headers: .gitHub))
        let search = container(locale).repoSearchViewModel()
        search.query.text = "swift"
        await search.submit()
        let message = search.state.content.status.message
        #expect(message?.action != .changeInput && message?.text.contains("Not Acceptable") == true)
    }

    @Test(arguments: ["search", "followers"], ["en_US", "ko_KR"])
    func `a limit of pages ends the list with GitHub's sentence, without a button`(kind: String, locale: String) async {
        let sentence = "In order to keep the API fast for everyone, pagination is limited for this resource."
        let limit = ScriptedServer.Response.json(#"{"message":"\#(sentence)"}"#, status: 422, headers: .gitHub)
        let rows = #"[{"id":1,"login":"a","type":"User"}]"#
        let container = container(locale)
        var message: Message?
        if kind == "search" {
            let link: HTTPHeaders = ["Link": #"<https://api.github.com/search/users?q=x&page=2>; rel="next""#]
            let body = #"{"total_count":900,"incomplete_results":false,"items":\#(rows)}"#
            server.on(.get, "/search/users", responses: [.json(body, headers: link), limit])
            let search = container.userSearchViewModel()
            search.query.text = "x"
            await search.submit()
            await search.loadMore()
            message = search.state.content.status.message
            #expect(!search.state.content.hasMore)
        } else {
            let link: HTTPHeaders = ["Link": #"<https://api.github.com/user/1/followers?page=2>; rel="next""#]
            server.on(.get, "/users/octocat/followers", response: .json(rows, headers: link))
            server.on(.get, "/user/1/followers", response: limit)
            let list = container.followerListViewModel()
            await list.show(.followers(of: octocat))
            await list.loadMore()
            message = list.state.content.status.message
            #expect(!list.state.content.hasMore)
        }
        #expect(message?.text.contains("pagination is limited") == true && message?.action == nil)
    }

    @Test(
        arguments: [
            ("the `acme` organization has an IP allow list enabled", "starring=write", false),
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
        var headers = HTTPHeaders.gitHub
        headers["X-Accepted-GitHub-Permissions"] = reason.field
        server.on(
            .get,
            "/users/octocat/repos",
            response: .json(#"{"message":"\#(reason.sentence)"}"#, status: 403, headers: headers)
        )
        let list = container(locale).repoListViewModel()
        await list.show(.publicRepos(of: octocat))
        let message = list.state.content.status.message
        #expect((message?.action == .signIn) == reason.isPermission)
        #expect(message?.text.contains(reason.isPermission ? reason.field : reason.sentence) == true)
    }
}
