import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let base = "https://rickandmortyapi.com/api/character?page="

private func users(_ ids: some Sequence<Int>) -> String {
    "[\(ids.map { #"{"id":\#($0),"login":"u\#($0)","type":"User"}"# }.joined(separator: ","))]"
}

private func characters(_ ids: some Sequence<Int>, next: String?, count: Int = 826) -> ScriptedServer.Response {
    let rows = ids.map { #"{"id":\#($0),"name":"n","status":"Alive","episode":[]}"# }.joined(separator: ",")
    let next = next.map { "\"\($0)\"" } ?? "null"
    return .json(#"{"info":{"count":\#(count),"pages":42,"next":\#(next),"prev":null},"results":[\#(rows)]}"#)
}

extension HTTPClient.Request {
    fileprivate var page: Int {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.last { $0.name == "page" }?.value
            .flatMap { Int($0) } ?? 1
    }
}

/// Sources: octokit/plugin-paginate-rest.js#158, afuh/rick-and-morty-api#117.
@MainActor
@Suite(.bounded)
struct `Reports about lists` {
    private let server = ScriptedServer()

    private func container(_ locale: String = "en_US") -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: locale)
            $0.timeZone = .gmt
        }
        (configuration.clock, configuration.retries) = (ImmediateClock(), .never)
        return .production(on: server.transport(), configuration: configuration)
    }

    @Test(arguments: ["itself", "earlier", "none", "404"], ["more en_US", "more ko_KR", "all en_US", "all ko_KR"])
    func `a list that ends before its total may be incomplete`(kind: String, call: String) async {
        let (how, locale) = (call.prefix { $0 != " " }, String(call.suffix(5)))
        server.on(
            .any,
            times: .any,
            response: .computed { request in
                let number = request.page
                let ids = (20 * number - 19)...(20 * number)
                switch (kind, number) {
                case ("itself", 2): return characters(ids, next: base + "2")
                case ("earlier", 3): return characters(ids, next: base + "2")
                case ("none", 2): return characters(ids, next: nil)
                case ("404", 3): return .json(#"{"error":"There is nothing here"}"#, status: 404)
                default: return characters(ids, next: base + "\(number + 1)")
                }
            }
        )
        let list = container(locale).characterListViewModel()
        await list.show()
        for _ in 0..<5 { if how == "all" { await list.loadAll() } else { await list.loadMore() } }
        guard case .incomplete(let message) = list.state.content.status else {
            Issue.record("\(list.state.content.status)")
            return
        }
        #expect(message.action == .retry && list.state.totalCount == 826 && !list.state.content.hasMore)
        #expect(message.text.contains(locale == "ko_KR" ? "불완전할 수 있습니다" : "The list may be incomplete"))
        #expect(list.state.content.layout.footer == .message(message))
    }

    @Test func `Try Again requests the last page again`() async {
        let fails = Monitor(true)
        let pages = Monitor<[Int]>([])
        server.on(
            .any,
            times: .any,
            response: .computed { request in
                let number = request.page
                pages.withLock { $0.append(number) }
                let ids = (20 * number - 19)...(20 * number)
                return characters(
                    ids,
                    next: number == 3 || (number == 2 && fails.value) ? nil : base + "\(number + 1)",
                    count: 60
                )
            }
        )
        let list = container().characterListViewModel()
        await list.show()
        await list.loadMore()
        #expect(list.state.content.rows.count == 40 && !list.state.content.hasMore)
        await list.loadMore()
        #expect(pages.value == [1, 2])
        fails.withLock { $0 = false }
        await list.retry()
        // The page has no new rows, and the person asked for more than that.
        #expect(pages.value == [1, 2, 2, 3])
        #expect(list.state.content.rows.count == 60 && list.state.content.status == .ready)
    }

    @Test(arguments: ["itself", "noLink", "unreadable", "null"])
    func `a list without a total is compared with its links`(kind: String) async {
        func link(_ number: Int) -> HTTPHeaders {
            let url = "https://api.github.com/user/1/followers?per_page=100&page="
            return ["Link": "<\(url)\(number)>; rel=\"next\", <\(url)9>; rel=\"last\""]
        }
        server.on(.get, "/users/octocat/followers", response: .json(users(1...100), headers: link(2)))
        let second: ScriptedServer.Response =
            switch kind {
            case "itself": .json(users(101...200), headers: link(2))
            case "noLink": .json(users(101...200))
            case "null": .json("[null,null]", headers: link(3))
            default: .json(#"[{"id":"x"}]"#, headers: link(3))
            }
        server.on(.get, "/user/1/followers", times: .any, response: second)
        let list = container().followerListViewModel()
        await list.show(.followers(of: octocat))
        await list.loadMore()
        guard case .incomplete = list.state.content.status else {
            Issue.record("\(list.state.content.status)")
            return
        }
        #expect(!list.state.content.hasMore)
    }

    @Test func `a list that is complete says so`() async {
        let url = "https://api.github.com/user/1/followers?per_page=100&page="
        let first: HTTPHeaders = ["Link": "<\(url)2>; rel=\"next\", <\(url)3>; rel=\"last\""]
        server.on(.get, "/users/octocat/followers", response: .json(users(1...100), headers: first))
        // The list became shorter, and a row is doubled, and one is null.
        let rows = users(99...101).dropLast() + ",null]"
        server.on(
            .get,
            "/user/1/followers",
            response: .json(String(rows), headers: ["Link": "<\(url)1>; rel=\"first\", <\(url)1>; rel=\"prev\""])
        )
        let list = container().followerListViewModel()
        await list.show(.followers(of: octocat))
        await list.loadMore()
        #expect(list.state.content.status == .ready && list.state.content.rows.count == 101)
        #expect(list.state.content.skippedCount == 1)
    }

    @Test(
        arguments: [
            "</api/v3/user/9/followers?page=2>", "<?page=2>", "<//ghe.example.com/api/v3/user/9/followers?page=2>",
            "<https://GHE.example.com:443/api/v3/organizations/9/followers?page=2>",
            "<https://ghe.example.com/api/v3/user/9/followers?q=c%2Bd e한%&page=2>",
        ]
    )
    func `a link is resolved, and only what is invalid is escaped`(link: String) async {
        server.on(
            .any,
            times: .any,
            response: .computed { request in
                request.page == 1
                    ? .json(users([1]), headers: ["Link": "\(link); rel=\"next\""]) : .json(users([2]))
            }
        )
        var configuration = Configuration().with { $0.locale = Locale(identifier: "en_US") }
        if let url = URL(string: "https://ghe.example.com") { configuration.gitHub = GitHubSettings(server: url) }
        let list = Container.production(on: server.transport(), configuration: configuration).followerListViewModel()
        await list.show(.followers(of: octocat))
        await list.loadMore()
        #expect(list.state.content.rows.count == 2)
        if link.contains("%2B") { #expect(server.requests.last?.url.query() == "q=c%2Bd%20e%ED%95%9C%25&page=2") }
    }

    @Test func `a link to another list isn't followed`() async {
        let link: HTTPHeaders = ["Link": "<https://api.github.com/users/octocat/following?page=2>; rel=\"next\""]
        server.on(.get, "/users/octocat/followers", response: .json(users([1]), headers: link))
        let list = container().followerListViewModel()
        await list.show(.followers(of: octocat))
        await list.loadMore()
        #expect(server.requests.count == 1 && list.state.content.status != .ready)
    }

    @Test func `the limit of a search isn't a contradiction`() async {
        let url = "https://api.github.com/search/users?q=x&per_page=100&page="
        server.on(
            .get,
            "/search/users",
            times: .any,
            response: .computed { request in
                let number = request.page
                let rows = users((100 * number - 99)...(100 * number))
                return .json(
                    #"{"total_count":5000,"incomplete_results":false,"items":\#(rows)}"#,
                    headers: number < 10 ? ["Link": "<\(url)\(number + 1)>; rel=\"next\""] : [:]
                )
            }
        )
        let search = container().userSearchViewModel()
        search.query.text = "x"
        await search.submit()
        await search.loadAll()
        #expect(search.state.content.rows.count == 1000 && search.state.content.status == .ready)
    }
}
