import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// Messages about refusals, as a person reads them on a screen.
@MainActor @Suite(.bounded)
struct `A refusal of GitHub` {
    private static let own: HTTPHeaders = ["Content-Type": "application/json", "X-GitHub-Request-Id": "ABCD:1"]

    private func container(_ server: ScriptedServer, locale: String = "en_US", signedIn: Bool = false) -> Container {
        var configuration = Configuration().with { $0.locale = Locale(identifier: locale) }
        configuration.retries = .never
        if signedIn { configuration.gitHub.token = try? Secret("gho_offline_octocat_token") }
        return Container.production(on: server.transport(), configuration: configuration)
    }

    private func response(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> ScriptedServer.Response {
        var fields = Self.own
        for (name, value) in headers { fields[name] = value }
        return .json(body, status: status, headers: fields)
    }

    /// The message of a profile that is refused.
    private func message(_ response: ScriptedServer.Response, locale: String = "en_US") async -> Message? {
        let server = ScriptedServer()
        server.on(.get("/users/octocat"), response: response)
        let profile = container(server, locale: locale).userProfileViewModel()
        await profile.show(GitHub.Login("octocat"))
        if case .failed(let message) = profile.state.content.status { return message }
        return nil
    }

    @Test(
        arguments: [
            (#"{"message":"Although you appear to have the correct authorization, your IP is not permitted."}"#, "IP"),
            (#"{"message":"Sorry. Your account was suspended."}"#, "suspended"),
            (#"{"message":"The org has enabled OAuth App access restrictions."}"#, "restrictions"),
        ]
    )
    func `has GitHub's own sentence, and its error`(body: String, word: String) async throws {
        for locale in ["en_US", "ko_KR"] {
            let message = try #require(await message(response(403, body), locale: locale))
            #expect(message.text.contains(word))
            #expect(message.action == nil)
            #expect(message.error?.request?.requestID == "ABCD:1")
        }
    }

    @Test(arguments: [
        ("https://github.com/orgs/acme/sso?authorization_request=A1", true), ("https://evil.example/sso", false),
        ("http://github.com/orgs/acme/sso", false), ("https://user@github.com/sso", false), ("nonsense", false),
    ])
    func `by single sign-on opens GitHub's page, and no other`(page: String, isOpened: Bool) async throws {
        let body = #"{"message":"Resource protected by organization SAML enforcement."}"#
        let refusal = response(403, body, ["X-GitHub-SSO": "required; url=\(page)"])
        let message = try #require(await message(refusal))
        #expect(message.text.contains("single sign-on"))
        #expect(message.action == (isOpened ? .open(WebAddress(rawValue: page)) : nil))
        #expect(try #require(await self.message(refusal, locale: "ko_KR")).text.contains("싱글 사인온"))
    }

    /// RFC 9110, sections 5.6.3 and 11.2: white space can surround the equals sign.
    @Test(arguments: ["=", " = ", " =", "= "])
    func `by a challenge in its name asks to sign in`(sign: String) async {
        let fields: HTTPHeaders = ["Content-Type": "text/html", "WWW-Authenticate": "Basic realm\(sign)\"GitHub\""]
        let page = ScriptedServer.Response.body(Data("<html>".utf8), status: 401, headers: fields).ofProxy()
        #expect(await message(page)?.action == .signIn)
    }

    @Test func `of something that is gone offers no editing where nothing was typed`() async throws {
        let body = #"{"message":"Not Found"}"#
        let onProfile = try #require(await message(response(404, body)))
        #expect(onProfile.text.contains("anymore") && onProfile.action == nil)
        let server = ScriptedServer()
        server.on(.get("/users/octocat/followers"), response: response(404, body))
        let followers = container(server).followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        guard case .failed(let typed) = followers.state.content.status else { Issue.record("no failure"); return }
        #expect(typed.text.contains("spelling") && typed.action == .changeInput)
    }

    /// GitHub names the scopes that a private repository would need with each 404.
    @Test(arguments: ["", "public_repo"])
    func `of something that doesn't exist names no permission`(scopes: String) async throws {
        let fields = ["X-OAuth-Scopes": scopes, "X-Accepted-OAuth-Scopes": "repo"]
        let message = try #require(await message(response(404, #"{"message":"Not Found"}"#, fields)))
        #expect(message.kind == .notFound && message.action == nil)
    }

    /// Shows a repository and taps its star, to which GitHub responds.
    private func star(_ response: ScriptedServer.Response) async throws -> (notice: Message?, isStarred: Bool) {
        let gitHub = OfflineGitHub().transport()
        let server = ScriptedServer()
        server.on(.matching("a star") { $0.method != .get }, response: response)
        server.on(
            .matching("GitHub") { $0.method == .get },
            response: .computed { request in
                guard let good = try? await gitHub.send(request) else { return .status(500) }
                return .body(good.body, status: good.status, headers: good.headers)
            }
        )
        let container = container(server, signedIn: true)
        await container.gitHubSession().start()
        let repos = container.repoListViewModel()
        await repos.show(.publicRepos(of: GitHub.Login("octocat")))
        let row = try #require(repos.state.content.rows.first)
        _ = await repos.setStar(row.id, to: !row.isStarred)
        let after = try #require(repos.state.content.rows.first)
        return (repos.state.notice, after.isStarred != row.isStarred)
    }

    @Test func `of a star of a deleted repository says that it's gone`() async throws {
        let (notice, isChanged) = try await star(
            response(404, #"{"message":"Not Found"}"#, ["X-OAuth-Scopes": "repo", "X-Accepted-OAuth-Scopes": "repo"])
        )
        #expect(!isChanged)
        #expect(notice?.text.contains("anymore") == true)
        #expect(notice?.action == nil)
    }

    /// octokit/octokit.net#2274
    @Test(arguments: [#"[{"id":1,"login":"mona"}]"#, "[]"])
    func `to show some organizations is the status of the list, also without rows`(body: String) async throws {
        let server = ScriptedServer()
        let fields = ["X-GitHub-SSO": "partial-results; organizations=1,2"]
        server.on(.get("/users/octocat/followers"), response: response(200, body, fields))
        let followers = container(server).followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        let content = followers.state.content
        #expect(content.rows.isEmpty == (body == "[]") && content.status != .ready)
        #expect(content.status.message?.text.contains("single sign-on") == true)
    }

    @Test(
        arguments: [
            #"{"total_count":0,"incomplete_results":true,"items":[]}"#,
            #"{"total_count":34,"incomplete_results":false,"items":[]}"#,
        ]
    )
    func `to finish a search isn't an empty result`(body: String) async throws {
        let server = ScriptedServer()
        let search = server.on(.get("/search/users"), response: response(200, body))
        let users = container(server).userSearchViewModel()
        users.query.text = "tea"
        await users.submit()
        let message = try #require(users.state.content.status.message)
        #expect(message.text == "GitHub stopped before it found everything. Try again.")
        #expect(message.action == .retry)
        await users.retry()
        #expect(search.requests.count == 2)
    }
}
