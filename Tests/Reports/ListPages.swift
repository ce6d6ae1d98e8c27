import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

extension FollowerListViewModel {
    fileprivate var footer: Message? {
        if case .message(let message) = state.content.layout.footer { message } else { nil }
    }
}

private func users(_ ids: some Sequence<Int>) -> String {
    "[\(ids.map { #"{"id":\#($0),"login":"u\#($0)","type":"User"}"# }.joined(separator: ","))]"
}

@MainActor
@Suite(.bounded)
struct `Reports about the pages of lists` {
    private let server = ScriptedServer()

    /// EdsonBueno/infinite_scroll_pagination#148, EdsonBueno/infinite_scroll_pagination#221
    @Test func `views of one list request each page once, see the same, and leave nothing behind`() async {
        let service = RowService(Array(1...150))
        let list = await service.followers()
        let views = [0, 1].map { _ in
            Task { @MainActor in
                var seen: [Int] = []
                for await state in list.states.every {
                    seen.append(state.content.rows.count)
                    if seen.last == 150 { break }
                }
                return seen
            }
        }
        let appearances = views.map { _ in
            Task {
                await list.showIfNeeded(.followers(of: .octocat))
                await list.appear(100)
            }
        }
        for appearance in appearances { await appearance.value }
        #expect(await views[0].value == views[1].value && service.sent == ["GET 1", "GET 2"])
        for _ in 0..<5 {
            let reader = Task { for await _ in list.states {} }
            await list.showIfNeeded(.followers(of: .octocat))
            reader.cancel()
            await reader.value
        }
        await list.refresh()
        #expect(service.sent == ["GET 1", "GET 2", "GET 1"])
    }

    /// EdsonBueno/infinite_scroll_pagination#172
    @Test func `of three searches whose replies come in another order, the last one is shown from its first row`() async
    {
        let service = RowService(Array(1...120), of: "one")
        service.state.withLock { ($0.lists["two"], $0.lists["three"]) = (Array(201...320), Array(401...520)) }
        let search = service.container().userSearchViewModel()
        service.hold(0, 1, 2)
        var taps: [Task<Void, Never>] = []
        for (number, text) in ["one", "two", "three"].enumerated() {
            search.query.text = text
            taps.append(Task { await search.submit() })
            await service.waitForRequests(number + 1)
        }
        for number in [2, 0, 1] { service.release(number) }
        for tap in taps { await tap.value }
        #expect(search.ids == Array(401...500) && service.sent.count == 3)
    }

    /// petyosi/react-virtuoso#928
    @Test func `a screen that isn't filled goes on by the rows that appear, and then offers more`() async {
        let service = RowService(Array(1...9), pageSize: 2)
        let list = await service.followers()
        var seen: Set<Int> = []
        func fill() async {
            while let id = list.ids.prefix(20).first(where: { seen.insert($0).inserted }) { await list.appear(id) }
        }
        list.filter = "u1"
        await fill()
        #expect(list.ids == [1] && list.state.content.hasMore && list.footer?.action == .loadAll)
        list.filter = ""
        await fill()
        #expect(list.ids == Array(1...9) && service.sent == (1...5).map { "GET \($0)" })
    }

    /// react/react-native#20033
    @Test func `a filter without matches offers the pages that weren't searched`() async throws {
        let service = RowService(Array(1...300))
        service.state.withLock { $0.names[250] = "Zed" }
        let list = await service.followers()
        list.filter = "zed"
        let message = try #require(list.state.content.status.message)
        #expect(list.state.content.status == .noMatches(message) && message.text.contains("100"))
        await list.perform(try #require(message.action))
        #expect(list.ids == [250])
    }

    /// react/react-native#15148, apify/apify-client-js#1032
    @Test(arguments: [true, false]) func `a page without new rows is passed`(isEmpty: Bool) async {
        let service = RowService(Array(1...200) + Array(101...200) + Array(201...240))
        let list = await service.followers()
        await list.appear(95)
        let link = "<https://api.github.com\(RowService.followers)?per_page=100&page=4>; rel=\"next\""
        if isEmpty { service.answer("GET 3", with: .json("[]", headers: ["Link": link])) }
        await list.appear(195)
        #expect(list.ids == Array(1...240) && service.sent == (1...4).map { "GET \($0)" })
        #expect(!list.state.content.hasMore && list.state.content.status == .ready)
    }

    /// taiyme/misskey#229
    @Test func `a cursor that counts rows counts those that the server gave`() async {
        let asked = Monitor<[Int]>([])
        let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)
        let list = PagedListViewModel<Int, Number>(options: ScreenOptions(texts: texts)) {
            "\($0)"
        } empty: { _ in
            Message(kind: .empty, title: "", text: "")
        } page: { _, cursor in
            let start = cursor.flatMap { Int($0.rawValue) } ?? 0
            asked.withLock { $0.append(start) }
            let rows = Array(start..<start + 20).map { $0 % 20 == 0 ? 0 : $0 }
            return Page(items: rows, next: start < 60 ? PageCursor(rawValue: "\(start + 20)") : nil)
        } row: {
            Number(id: $0)
        }
        await list.show(1)
        for _ in 0..<3 {
            for row in Array(list.state.content.rows) + list.state.content.rows.reversed() {
                await list.rowAppeared(row.id)
            }
        }
        #expect(asked.value == [0, 20, 40, 60] && list.state.content.rows.count == 77)
    }

    /// sc2-pulse/sc2-pulse#365
    @Test func `a page that fails isn't requested by redrawing`() async {
        let service = RowService(Array(1...100), pageSize: 5)
        let list = await service.followers(in: service.container { $0.retries = .standard })
        service.answer("GET 2", with: .status(500, headers: .gitHub))
        for _ in 0..<600 { await list.appear(5) }
        #expect((1...5).contains(service.sent.count { $0 == "GET 2" }) && list.ids == Array(1...5))
    }

    /// bluesky-social/social-app#375, metafizzy/infinite-scroll#781, ampproject/amphtml#20647
    @Test func `a page that fails is tried again from the end of the list, and a complete list asks nothing`()
        async throws
    {
        let service = RowService(Array(1...250))
        let list = await service.followers()
        await list.loadMore()
        service.answer("GET 3", with: .offline)
        await list.appear(200)
        await list.appear(200)
        let message = try #require(list.footer)
        #expect(list.ids == Array(1...200) && message.kind == .offline && service.sent.count == 3)
        service.answer("GET 3", with: nil)
        await list.perform(try #require(message.action))
        #expect(list.ids == Array(1...250) && list.state.content.layout.footer == nil)
        for _ in 0..<20 { await list.appear(250) }
        #expect(service.sent == ["GET 1", "GET 2", "GET 3", "GET 3"])
    }

    // Sources of the tests below: octokit/plugin-paginate-rest.js#158, afuh/rick-and-morty-api#117.

    /// A page of 20 characters, of which there are more than three.
    private nonisolated static func page(_ number: Int, next: Int?) -> ScriptedServer.Response {
        let ids = (20 * number - 19)...(20 * number)
        let rows = ids.map { #"{"id":\#($0),"name":"n","status":"Alive","episode":[]}"# }.joined(separator: ",")
        let link = next.map { #""https://rickandmortyapi.com/api/character?page=\#($0)""# } ?? "null"
        return .json(#"{"info":{"count":826,"pages":42,"next":\#(link),"prev":null},"results":[\#(rows)]}"#)
    }

    @Test(arguments: ["itself", "earlier", "none", "404"], ["more en_US", "more ko_KR", "all en_US", "all ko_KR"])
    func `a list that ends before its total may be incomplete`(kind: String, call: String) async throws {
        let (how, locale) = (call.prefix { $0 != " " }, String(call.suffix(5)))
        server.compute { request in
            switch (kind, request.page) {
            case ("itself", 2): Self.page(2, next: 2)
            case ("earlier", 3): Self.page(3, next: 2)
            case ("none", 2): Self.page(2, next: nil)
            case ("404", 3): .json(#"{"error":"There is nothing here"}"#, status: 404)
            case (_, let number): Self.page(number, next: number + 1)
            }
        }
        let list = await Container.reports(server, locale: locale, clock: ImmediateClock(), isCaching: false)
            .characters()
        for _ in 0..<5 { if how == "all" { await list.loadAll() } else { await list.loadMore() } }
        let message = try #require(list.state.content.status.message)
        #expect(list.state.content.status == .incomplete(message) && message.action == .retry)
        #expect(list.state.totalCount == 826 && !list.state.content.hasMore)
        #expect(message.text.contains(locale == "ko_KR" ? "불완전할 수 있습니다" : "The list may be incomplete"))
        #expect(list.state.content.layout.footer == .message(message))
    }

    @Test(arguments: ["itself", "noLink", "last", "unreadable", "null", "404"])
    func `a list without a total is compared with its links`(kind: String) async throws {
        let service = RowService(Array(1...900))
        func link(_ number: Int) -> HTTPHeaders {
            let url = "https://api.github.com\(RowService.followers)?per_page=100&page="
            return ["Link": "<\(url)\(number)>; rel=\"next\", <\(url)9>; rel=\"last\""]
        }
        let second: ScriptedServer.Response =
            switch kind {
            case "itself": .json(users(101...200), headers: link(2))
            case "noLink": .json(users(101...200))
            case "last": .json(users(101...200), headers: ["Link": "<?page=5>; rel=\"last\""])
            case "404": .gitHubNotFound
            case "null": .json("[null,null]", headers: link(3))
            default: .json(#"[{"id":"x"}]"#, headers: link(3))
            }
        for page in 2...3 { service.answer("GET \(page)", with: second) }
        let list = await service.followers()
        await list.loadMore()
        let message = try #require(list.state.content.status.message)
        #expect(list.state.content.status == .incomplete(message) && !list.state.content.hasMore)
        for page in 2...3 { service.answer("GET \(page)", with: nil) }
        await list.perform(try #require(message.action))
        #expect(service.sent.prefix(3) == ["GET 1", "GET 2", "GET 2"] && list.state.content.status == .ready)
    }

    @Test(arguments: ["more", "all"], ["0 en_US", "0 ko_KR", "1 en_US", "1 ko_KR"])
    func `a search that ends before its total isn't called complete`(how: String, page: String) async throws {
        let (service, locale) = (RowService(Array(1...134), of: "x"), String(page.suffix(5)))
        let empty = #"{"total_count":134,"incomplete_results":false,"items":[]}"#
        service.answer("GET 2", with: page.hasPrefix("0") ? .json(empty, headers: .gitHub) : .gitHubNotFound)
        let search = await service.container { $0.locale = Locale(identifier: locale) }.users(for: "x")
        #expect(search.state.content.status == .ready && search.state.content.hasMore)
        if how == "all" { await search.loadAll() } else { await search.loadMore() }
        let message = try #require(search.state.content.status.message)
        #expect(search.state.content.status == .incomplete(message) && message.action == .retry)
        #expect(message.text.contains(locale == "ko_KR" ? "불완전할 수 있습니다" : "The list may be incomplete"))
        #expect(search.state.totalCount == 134 && search.ids == Array(1...100) && !search.state.content.hasMore)
        service.answer("GET 2", with: nil)
        await search.retry()
        #expect(search.state.content.status == .ready && search.ids == Array(1...134))
        #expect(service.sent == ["GET 1", "GET 2", "GET 2"])
    }

    @Test(arguments: [100, 101])
    func `a page that isn't found is missing unless the total says otherwise`(total: Int) async {
        let service = RowService(Array(1...101), of: "x")
        service.state.withLock { $0.total = total }
        service.answer("GET 2", with: .gitHubNotFound)
        let search = await service.container().repos(for: "x")
        await search.loadMore()
        #expect((search.state.content.status == .ready) == (total == 100) && !search.state.content.hasMore)
    }

    /// GitHub returns up to 1,000 results, and a page may have fewer rows than it counts.
    @Test(arguments: [(950, 20, false), (920, 20, true), (5000, 0, false), (5000, 60, true), (5000, 100, true)])
    func `the tenth page ends a search only with the rows that GitHub has`(total: Int, last: Int, isReady: Bool) async {
        let service = RowService(Array(1...(900 + max(last, 1))), of: "x")
        service.state.withLock { $0.total = total }
        let empty = #"{"total_count":5000,"incomplete_results":false,"items":[]}"#
        if last == 0 { service.answer("GET 10", with: .json(empty, headers: .gitHub)) }
        let search = await service.container().repos(for: "x")
        await search.loadAll()
        let text = search.state.content.status.message?.text
        #expect(text == (isReady ? nil : "The list may be incomplete. Try again.") && service.sent.last == "GET 10")
        #expect((search.state.content.status == .ready) == isReady && search.ids.count == 900 + last)
    }

    /// jasiek/webchirp#140, aws-samples/sample-voice-of-customer-datalake#373, BoundaryML/baml#4590
    @Test(arguments: [("en_US", "1 item can’t be shown."), ("ko_KR", "항목 1개를 표시할 수 없습니다.")])
    func `rows that can't be read are missed below the last one`(locale: String, text: String) async {
        let service = RowService(Array(1...150))
        service.answer("GET 2", with: .json(users(101...150).dropLast() + ",null]"))
        let list = await Container.reports(service.server, locale: locale).followers()
        #expect(list.footer == nil && list.state.content.layout.footer == .more)
        await list.loadMore()
        #expect(list.footer?.text == text && list.footer?.action == nil && list.state.content.status == .ready)
        service.answer("GET 2", with: nil)
        await list.refresh()
        await list.loadMore()
        #expect(list.ids.count == 150 && list.state.content.layout.footer == nil)
    }

    @Test(arguments: ["1>; rel=\"first\"", "2>; rel=\"last\""])
    func `a list that is complete says so`(link: String) async {
        let service = RowService(Array(1...300))
        let last: HTTPHeaders = ["Link": "<https://api.github.com\(RowService.followers)?page=\(link)"]
        // The list became shorter, and a row is doubled, and one is null.
        service.answer("GET 2", with: .json(users(99...101).dropLast() + ",null]", headers: last))
        let list = await service.followers()
        await list.loadMore()
        #expect(list.state.content.status == .ready && list.state.content.rows.count == 101)
        #expect(list.state.content.skippedCount == 1)
    }

    @Test(arguments: [
        "</api/v3/user/9/followers?page=2>", "<?page=2>", "<//ghe.example.com/api/v3/user/9/followers?page=2>",
        "<https://GHE.example.com:443/api/v3/organizations/9/followers?page=2>",
        "<https://ghe.example.com/api/v3/user/9/followers?q=c%2Bd e한%&page=2>",
        "<https://api.github.com/users/octocat/following?page=2>",
    ])
    func `a link is resolved, only what is invalid is escaped, and another list isn't followed`(link: String) async {
        server.compute { request in
            let next: HTTPHeaders = ["Link": "\(link); rel=\"next\""]
            return request.page == 1 ? .json(users([1]), headers: next) : .json(users([2]))
        }
        let isOther = link.contains("following")
        let list = await Container.reports(server, at: isOther ? nil : "https://ghe.example.com").followers()
        await list.loadMore()
        #expect(list.state.content.rows.count == (isOther ? 1 : 2) && server.requests.count == (isOther ? 1 : 2))
        if isOther { #expect(list.state.content.status != .ready) }
        if link.contains("%2B") { #expect(server.requests.last?.url.query() == "q=c%2Bd%20e%ED%95%9C%25&page=2") }
    }
}
