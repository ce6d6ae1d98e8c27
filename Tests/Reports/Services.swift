import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// What is particular to GitHub's accounts, repositories, and servers, or to the App Store.
@MainActor
@Suite(.bounded)
struct `Reports about services` {
    private let server = ScriptedServer()

    private func container(at address: String? = nil, locale: String = "en_US", hasToken: Bool = false) -> Container {
        .reports(server, at: address, locale: locale, clock: ImmediateClock(), retries: .standard, hasToken: hasToken)
    }

    private func signedIn(locale: String = "en_US") async -> Container {
        server.onSession()
        return await container(locale: locale, hasToken: true).started()
    }

    private func user(_ id: Int, _ login: String, _ type: String = "User", _ more: String = "") -> String {
        #"{"id":\#(id),"login":"\#(login)","type":"\#(type)"\#(more)}"#
    }

    /// linuxfoundation/lfx-self-serve#1851, 24pullrequests/contribulator#70
    @Test func `a favorite that is gone isn't said to have no README`() async {
        server.onSession()
        server.on(.get, "/repositories/7", responses: [.json(.repo(), headers: .gitHub), .gitHubNotFound])
        let text = ScriptedServer.Response.body(Data("# Tea".utf8), status: 200, headers: .gitHub)
        server.on(.get, "/repositories/7/readme", responses: [text, .gitHubNotFound])
        let (container, id) = (container(), GitHub.Repo.ID(rawValue: 7))
        let before = container.repoDetailViewModel()
        await before.show(id)
        await before.setFavorite(to: true)
        let model = container.repoDetailViewModel()
        await model.show(id)
        #expect(model.state.content.isUnavailable && model.state.readme.status != .loaded(nil))
    }

    /// octokit/octokit.rb#1004, slapperwan/gh4a#1002
    @Test func `a bot is asked for by number or by its own login, encoded once`() async throws {
        let page = #","html_url":"https://github.com/apps/dependabot""#
        let row = user(49_699_333, "dependabot[bot]", "Bot", page)
        server.on(.get, "/users/octocat/followers", response: .json("[\(row)]"))
        server.on(.get, "/user/49699333", response: .json(row))
        let all = container()
        let list = await all.followers()
        let id = try #require(list.state.content.rows.first?.id)
        await list.toggleFavorite(id)
        #expect(list.select(id)?.path == "/github/accounts/49699333/dependabot%5Bbot%5D")
        let model = all.userProfileViewModel()
        await model.show(id)
        #expect(model.state.isFavorite && model.state.login == GitHub.Login("dependabot[bot]"))
        #expect(model.state.content.details?.profile.user.webPage?.rawValue == "https://github.com/apps/dependabot")
        #expect(try await all.favoriteRepository().ids().map(\.key) == ["49699333"])
        let login = server.on(.get, "/users/shopify-shipit[bot]", times: .any, response: .json(row))
        for _ in 0..<2 { await all.profile(of: "shopify-shipit[bot]").refresh() }
        #expect(server.requests.last?.url.path() == "/user/49699333")
        let paths = login.requests.map { $0.url.path(percentEncoded: true) }
        #expect(paths == Array(repeating: "/users/shopify-shipit%5Bbot%5D", count: 2))
    }

    /// octokit/octokit.net#3081, holman/ama#558
    @Test func `a list shows accounts of unknown types, and ends although a count says more`() async {
        let rows = [user(1, "a"), user(2, "b", "enterprise"), user(3, "c", "Mannequin"), #"{"id":4,"login":"d"}"#]
        server.on(.get, "/users/octocat/followers", response: .json("[\(rows.joined(separator: ","))]"))
        server.on(.get, "/users/octocat", response: .json(user(9, "octocat", "User", #","followers":6"#)))
        let all = container()
        let model = await all.profile()
        let list = await all.followers()
        #expect(model.state.content.details?["followers"]?.value == "6")
        #expect(list.state.content.rows.map(\.kind.rawValue) == ["User", "enterprise", "Mannequin", "User"])
        #expect(list.state.content.skippedCount == 0 && list.state.content.status == .ready)
        #expect(!list.state.content.hasMore && server.requests.count == 2)
    }

    /// yanyongyu/githubkit#215, github/innovationgraph#2, nilbuild/gitkot#8
    @Test(arguments: [
        (#"{"key":"other","name":"Other","spdx_id":"NOASSERTION","url":null}"#, "Other"), ("null", "None"),
    ])
    func `a repository without an owner, or with any license, is shown`(license: String, text: String) async throws {
        let counts = #""stargazers_count":92500,"watchers_count":92500,"watchers":92500,"subscribers_count":1752"#
        let row = #"{"id":7,"name":"y","full_name":"/y","owner":null,"license":\#(license),\#(counts)}"#
        let found = #"{"total_count":1,"incomplete_results":false,"items":[\#(row)]}"#
        server.on(.get, "/search/repositories", response: .json(found))
        server.on(.get, "/repositories/7", response: .json(row))
        server.on(.get, "/repositories/7/readme", response: .status(404, headers: .gitHub))
        let all = await signedIn()
        let search = await all.repos(for: "y")
        let id = try #require(search.state.content.rows.first?.id)
        _ = await search.setStar(id, to: true)
        #expect(search.state.content.rows.first?.isStarred == false && search.state.notice != nil)
        #expect(!server.requests.contains { $0.method == .put })
        let model = all.repoDetailViewModel()
        await model.show(id)
        let details = try #require(model.state.content.details)
        #expect(details["owner"]?.isMissing == true && details["owner"]?.route == nil)
        #expect(details["license"]?.value == text && details["stars"]?.value == "92,500")
        #expect(details.facts.count { $0.value.contains("92,500") } == 1)
    }

    /// desktop/desktop#10475
    @Test func `a repository that was taken down links to the notice, and stays in the list`() async throws {
        server.on(.get, "/user/repos", times: .any, response: .repos(of: "octocat"))
        let notice = "https://github.com/github/dmca/blob/master/2020/a.md"
        let body = #"{"message":"Repository access blocked","block":{"reason":"dmca","html_url":"\#(notice)"}}"#
        let blocked = ScriptedServer.Response.json(body, status: 451, headers: .gitHub)
        let requests = server.on(.get, "/repositories/7", times: .any, response: blocked)
        let all = await signedIn()
        let list = await all.repos(.own)
        let model = all.repoDetailViewModel()
        await model.show(try #require(list.state.content.rows.first?.id))
        #expect(model.state.content.status.message?.action == .open(WebAddress(rawValue: notice)))
        #expect(requests.requests.count == 1 && all.gitHubSession().current.user != nil)
        await list.refresh()
        #expect(list.state.content.rows.count == 1)
    }

    /// softprops/hubcaps#246, kubernetes-sigs/prow#754, PyGithub/PyGithub#287
    @Test(arguments: ["organizations/7/repos", "user/42/repos"], ["https", "http"])
    func `the next page of an Enterprise Server is asked for at its link`(path: String, scheme: String) async {
        let root = "https://ghe.example.com/api/v3"
        let (first, list) = ("\(root)/users/old/repos", "\(root)/\(path)")
        let link = "<\(scheme)\(list.dropFirst(5))?page=2>; rel=\"next\""
        let page = ScriptedServer.Response.repos([1], headers: ["Link": link])
        let isMoved = path.hasPrefix("user/")
        if isMoved { server.on(.get, first, response: .redirect(to: "/api/v3/user/42/repos", status: 301)) }
        server.on(.get, isMoved ? list : first, responses: [page])
        server.onSession(at: root)
        let second = server.on(.get, list, query: ["page": "2"], response: .repos([2]))
        let all = container(at: "https://ghe.example.com", hasToken: true)
        let model = await all.repos(.publicRepos(of: GitHub.Login("old")))
        await model.loadMore()
        #expect(model.state.content.rows.map(\.name) == ["r1", "r2"] && model.state.content.status == .ready)
        #expect(second.requests.first?.headers["Authorization"] != nil)
    }

    /// PyGithub/PyGithub#2762, github/github-mcp-server#135
    @Test(arguments: [
        "The listed users cannot be searched either because the users do not exist or you do not have permission.",
        "None of the search qualifiers apply to this search type.",
    ])
    func `a search that GitHub rejects has GitHub's reason, and keeps its text`(reason: String) async {
        let found = #"{"total_count":1,"incomplete_results":false,"items":[\#(user(1, "a"))]}"#
        let errors = #"[{"message":"\#(reason)","resource":"Search","field":"q","code":"invalid"}]"#
        let body = #"{"message":"Validation Failed","errors":\#(errors)}"#
        let rejection = ScriptedServer.Response.json(body, status: 422, headers: .gitHub)
        let searches = server.on(.get, "/search/users", responses: [.json(found), rejection])
        let search = await container().users(for: "a")
        search.query.text = "user:TheEndizen"
        await search.submit()
        let message = search.state.content.status.message
        #expect(message?.text.contains(reason.prefix(40)) == true, "\(message?.text ?? "")")
        #expect(message?.action == .changeInput && message?.text.contains("1,000") == false)
        #expect(searches.requests.count == 2 && search.query.text == "user:TheEndizen")
        #expect(search.state.content.rows.isEmpty && search.state.summary == nil)
    }

    /// PPHubApp/PPHub-Feedback#136
    @Test func `followers that an organization doesn't show aren't a misspelled name only`() async {
        server.on(.get, "/users/Microsoft", response: .json(user(6, "Microsoft", "Organization", #","followers":12"#)))
        server.on(.get, "/users/Microsoft/followers", response: .gitHubNotFound)
        let all = container()
        let route = await all.profile(of: "Microsoft").showFollowers()
        #expect(route == .gitHub(.followList(.followers(of: GitHub.Login("Microsoft")))))
        let message = await all.followers(of: "Microsoft").state.content.status.message
        #expect(message?.kind == .notFound && message?.text.contains("doesn’t show this list") == true)
    }

    /// star-history/star-history#539
    @Test(arguments: [("en_US", "metadata=read or contents=write."), ("ko_KR", "metadata=read 또는 contents=write")])
    func `alternative permissions are named as alternatives`(locale: String, text: String) async {
        let headers = HTTPHeaders.gitHub(["X-Accepted-GitHub-Permissions": "metadata=read; contents=write"])
        let body = #"{"message":"Resource not accessible by personal access token"}"#
        server.on(.get, "/users/octocat/repos", response: .json(body, status: 403, headers: headers))
        let all = await signedIn(locale: locale)
        #expect(await all.repos().state.content.status.message?.text.hasSuffix(text) == true)
        #expect(all.gitHubSession().current.user != nil)
    }

    /// peetzweg/commit-history#152, c2siorg/Webiu#283
    @Test(arguments: ["ageesen", "Ageesen"])
    func `a stranger who took a name isn't the favorite that had it`(typed: String) async throws {
        let (login, list) = ("ageesen", GitHub.RepoList.publicRepos(of: GitHub.Login("ageesen")))
        server.on(.get, "/users/\(typed)", responses: [.json(user(5, login)), .json(user(9, login))])
        server.on(.get, "/users/\(login)/followers", responses: [.json("[\(user(6, "friend"))]"), .offline])
        server.on(.get, "/users/\(login)/repos", responses: [.repos(of: login), .offline])
        let all = container()
        _ = await all.followers(of: login)
        _ = await all.repos(list)
        await all.profile(of: typed).toggleFavorite()
        let other = await all.profile(of: typed)
        #expect(other.state.content.details?.profile.user.id.rawValue == 9 && !other.state.isFavorite)
        #expect(await all.favorites().state.content.rows.map(\.favorite.id.key) == ["5"])
        #expect(await all.followers(of: login).state.content.rows.isEmpty)
        #expect(await all.repos(list).state.content.rows.isEmpty)
    }

    /// gitpod-io/gitpod#20461
    @Test func `an avatar whose address is signed for minutes has its lasting one`() async throws {
        let rows = ["a", "b"].map { jwt in
            let address = "https://private-avatars.githubusercontent.com/u/5?jwt=\(jwt)&v=4"
            return ScriptedServer.Response.json("[\(user(5, "mona", "User", #","avatar_url":"\#(address)""#))]")
        }
        server.on(.get, "/users/octocat/followers", responses: rows)
        let all = container()
        let list = await all.followers()
        let row = try #require(list.state.content.rows.first)
        await list.toggleFavorite(row.id)
        await list.refresh()
        #expect(list.state.content.rows.first?.user == row.user)
        let favorite = await all.favorites().state.content.rows.first?.favorite
        #expect(favorite?.image?.rawValue == "https://avatars.githubusercontent.com/u/5?v=4")
    }

    /// dobbelina/repository.dobbelina#136
    @Test func `a favorite whose account is away for a day stays, once`() async throws {
        let row = user(12, "12asdfg12")
        server.on(.get, "/users/octocat/followers", response: .json("[\(row)]"))
        server.on(.get, "/user/12", responses: [.gitHubNotFound, .json(row)])
        let all = container()
        let list = await all.followers()
        let id = try #require(list.state.content.rows.first?.id)
        await list.toggleFavorite(id)
        let model = all.userProfileViewModel()
        await model.show(id, label: GitHub.Login("12asdfg12"))
        let message = model.state.content.status.message
        #expect(message?.kind == .notFound && message?.text.contains("anymore") == true)
        #expect(model.state.title == "12asdfg12")
        await model.retry()
        #expect(model.state.content.details != nil && model.state.isFavorite)
        #expect(try await all.favoriteRepository().ids().map(\.key) == ["12"])
    }

    /// mangerlahn/Latest#113, lionheart/openradar-mirror#3198, AppsAgg/AppAgg#23
    @Test func `an app names its system, is one row, and is free only if the store says so`() async {
        let more = #""minimumOsVersion":"9.0","releaseDate":"2027-03-01T08:00:00Z""#
        server.on(.any, response: .apps(more, more + #","screenshotUrls":["https://i.example/1.png"]"#))
        let all = Container.reports(server, clock: TestClock()) { $0.appStore.platform = .mac }
        #expect(await all.apps(for: "tea").state.content.rows.count == 1)
        let details = await all.app().state.content.details
        #expect(details?["minimumOS"]?.value.contains("iOS") == true && details?["price"]?.isMissing == true)
        #expect(details?.facts.contains { $0.value.contains("Free") || $0.value.contains("0.00") } == false)
    }

    /// mas-cli/mas#561
    @Test(arguments: [true, false])
    func `the Mac's version of an app is shown, or else that for another system`(isForMac: Bool) async {
        let (version, other) = (#""minimumOsVersion":"13.0""#, #""minimumOsVersion":"16.0""#)
        let isOnline = Monitor(true)
        server.compute { request in
            guard isOnline.value else { return .offline }
            if request.item("entity") == nil { return .apps(other) }
            return isForMac && request.item("entity") == "desktopSoftware" ? .apps(version) : .apps()
        }
        // Waits for the disk have no limit, however busy the machine is.
        let all = Container.reports(server, clock: ImmediateClock()) { $0.appStore.platform = .mac }
        let minimum = await all.app().state.content.details?["minimumOS"]?.value
        #expect(minimum?.contains(isForMac ? "13.0" : "16.0") == true)
        #expect(server.requests.count == (isForMac ? 1 : 2))
        #expect(await all.apps(for: "tea").state.content.rows.count == (isForMac ? 1 : 0))
        isOnline.withLock { $0 = false }
        let saved = await all.app().state.content
        #expect(saved.details?["minimumOS"]?.value == minimum)
        if case .offline = saved.provenance {} else { Issue.record("\(saved.status)") }
    }

    /// mpalazzolo/apple-music-python#25
    @Test(arguments: [
        ("카카오 톡", "카카오 톡", "%EC%B9%B4%EC%B9%B4%EC%98%A4%20%ED%86%A1"),
        ("C++ 배우기".decomposedStringWithCanonicalMapping, "C++ 배우기", "C%2B%2B%20%EB%B0%B0%EC%9A%B0%EA%B8%B0"),
    ])
    func `a term is encoded once, in composed form`(typed: String, sent: String, encoded: String) async {
        server.on(.any, response: .apps())
        _ = await Container.reports(server, clock: ImmediateClock()).apps(for: typed)
        let request = server.requests.first
        #expect(request?.item("term").map { Array($0.utf8) } == Array(sent.utf8))
        #expect(request?.url.query(percentEncoded: true)?.hasPrefix("term=\(encoded)&") == true)
    }

    /// lionheart/openradar-mirror#14568, majd/ipatool#534
    @Test(arguments: ["AppleTV4-AppleTV4": false, "RealityDevice-RealityDevice": false, "all": true])
    func `an app without a version for iPhone or iPad doesn't need iOS`(device: String, needsIOS: Bool) async {
        let devices = #""supportedDevices":["Watch4-Watch4","\#(device)"]"#
        server.on(.any, response: .apps(#""minimumOsVersion":"1.0","# + devices))
        let minimum = await Container.reports(server).app().state.content.details?["minimumOS"]?.value
        #expect(minimum == (needsIOS ? "iOS 1.0 or later" : "1.0 or later"))
    }

    /// octokit/handbook#4
    @Test(arguments: [204, 409])
    func `an empty repository is no damaged response of an endpoint of one's own`(status: Int) async throws {
        let body = #"{"message":"Git Repository is empty.","documentation_url":"https://docs.github.com/rest"}"#
        let empty = ScriptedServer.Response.json(body, status: 409, headers: .gitHub)
        let requests = server.on(.get, "/repos/o/r/commits", response: status == 204 ? .status(204) : empty)
        let endpoint = Endpoint<[String]>(.path("/repos/o/r/commits")) { response in
            response.status == 204 ? [] : try response.json([String].self)
        }
        let all = container()
        do throws(BrowseError) {
            #expect(try await all.gitHubClient().send(endpoint) == [] && status == 204)
        } catch {
            let message = all.texts().about(.gitHub).message(for: error)
            #expect(status == 409 && message.text.contains("Git Repository is empty."), "\(error)")
        }
        #expect(requests.requests.count == 1)
    }

    /// pockethub/PocketHub#57, ansible/ansibullbot#845
    @Test(arguments: ["Issues are disabled for this repo", "This issue was deleted"])
    func `a part of a repository that is gone doesn't mean that the app is too old`(words: String) async {
        let json = #"{"message":"\#(words)","documentation_url":"https://docs.github.com/rest/issues/issues"}"#
        server.on(.get, "/repos/o/r/issues", response: .json(json, status: 410, headers: .gitHub))
        let all = container()
        let endpoint = Endpoint<Int>(.path("/repos/o/r/issues")) { $0.status }
        do throws(BrowseError) {
            _ = try await all.gitHubClient().send(endpoint)
            Issue.record("It succeeded.")
        } catch {
            let message = all.texts().about(.gitHub).message(for: error)
            #expect(message.kind == .notFound && !message.text.contains("too old"), "\(error)")
        }
    }

    // Sources of the tests below: octokit/rest.js#2200, cli/cli#8911, desktop/desktop#18300.

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
        let container = container(locale: locale, hasToken: true)
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

    @Test(arguments: [400, 405, 406, 415, 421, 426], ["en_US", "ko_KR"])
    func `a status that isn't about the query doesn't ask to edit it`(status: Int, locale: String) async {
        let body = #"{"message":"Not Acceptable"}"#
        server.on(.get, "/search/repositories", times: .any, response: .json(body, status: status, headers: .gitHub))
        let message = await container(locale: locale, hasToken: true).repos(for: "swift").state.content.status.message
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
        let container = container(locale: locale, hasToken: true)
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
            ("`acme` forbids classic tokens. Use one with fine-grained permissions.", "contents=read", false),
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
            let message = await container(locale: locale, hasToken: true).repos().state.content.status.message
            #expect((message?.action == .signIn) == reason.isPermission)
            #expect(message?.text.contains(reason.isPermission ? reason.field : reason.sentence) == true)
        }
    }
}
