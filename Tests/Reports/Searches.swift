import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about searches and filters` {
    private func favorites(_ names: String...) async throws -> FavoriteListViewModel {
        let characters = names.enumerated().map {
            RickAndMorty.Character(id: .init(rawValue: Int64($0.offset + 1)), name: $0.element)
        }
        let all = Container.offline()
        for character in characters { _ = try await all.favoriteRepository().add(Favorite(character)) }
        return all.favoriteListViewModel()
    }

    @Test(
        arguments: [
            ("1️⃣ Focus", "1️⃣"), ("❤️ Tea", "❤"), ("❤ Tea", "❤️"), ("© Tea", "©️"), ("☕️ Tea", "☕"), ("Tea—Time", "tea-time"),
            ("Tea‑Time", "tea-time"), ("Tea--Time", "tea-time"), ("Tea-Time", "tea—time"), ("Tea\u{AD}Time", "teatime"),
            ("Tea\u{2060}Time", "teatime"), ("Tea\u{200B}Time", "teatime"), ("Tea\u{A0}Time", "tea time"),
            ("Tea  Time", "tea time"), ("\u{200E}Tea", "tea"),
        ],
        [FavoriteQuery.Order.added, .name]
    )
    func `a filter finds what a person sees`(pair: (name: String, typed: String), order: FavoriteQuery.Order)
        async throws
    {
        let list = try await favorites(pair.name, "Coffee")
        list.query = FavoriteQuery(filter: pair.typed, order: order)
        await list.show()
        #expect(list.state.content.rows.map(\.favorite.title) == [pair.name])
    }

    @Test func `names are sorted and grouped by what a person sees`() async throws {
        let list = try await favorites("\u{200E}Banana", "Cherry", "\u{AD}Apple", "A\u{200B}corn")
        await list.show()
        #expect(list.state.sections.map(\.title) == ["A", "B", "C"])
        #expect(
            list.state.content.rows.map { $0.favorite.title.filter(\.isASCII).trimmingPrefix(" ") }
                == ["Acorn", "Apple", "Banana", "Cherry"]
        )
    }

    @Test(arguments: ["1️⃣", "#️⃣", "©️", "®️", "❤️", "👩‍👩‍👧", "می‌خواهم"])
    func `emoji stay as they were typed`(text: String) {
        #expect(TypedText(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    private func search(_ text: String, _ count: Int) async -> (AppSearchViewModel, ScriptedServer) {
        let server = ScriptedServer()
        let rows = (0..<count).map { #"{"wrapperType":"software","trackId":\#($0 / 2 * 2 + 1),"trackName":"Tea"}"# }
        server.on(
            .any,
            times: .any,
            response: .json(#"{"resultCount":\#(count),"results":[\#(rows.joined(separator: ","))]}"#)
        )
        let search = Container.reports(server).appSearchViewModel()
        search.query.text = text
        await search.submit()
        return (search, server)
    }

    @Test(arguments: ["a", "한"])
    func `a search for apps has a limit of length`(letter: String) async {
        let (search, server) = await search(String(repeating: letter, count: 20_000), 0)
        #expect(server.requests.isEmpty && search.state.hint?.contains("19,744") == true)
    }

    @Test(arguments: [(3, "2 results"), (50, nil)])
    func `the number of results is that of the rows, and not a limit`(count: Int, summary: String?) async {
        let (search, _) = await search("tea", count)
        #expect(search.state.summary == summary)
    }
}

/// Searches of GitHub, on a server whose responses can be held back.
@MainActor
@Suite(.bounded)
struct `Reports about searches as a person types` {
    private let server = ScriptedServer()
    private let clock = TestClock()
    private let isHeld = Monitor(false)

    private struct Search: Equatable {
        var text: String?
        var sort: String?
        var page = "1"

        init(_ text: String?, sort: String? = nil, page: String = "1") {
            (self.text, self.sort, self.page) = (text, sort, page)
        }

        init(_ request: HTTPClient.Request) {
            let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
            self.init(value("q"), sort: value("sort"), page: value("page") ?? "1")
        }
    }

    private var searches: [Search] { server.requests.map { Search($0) } }

    /// Each search has three pages of two rows, but for `foo`.
    private func container(page: Int = 2) -> Container {
        server.on(
            .any,
            times: .any,
            response: .computed { [isHeld] request in
                await isHeld.wait { !$0 }
                let search = Search(request)
                guard let text = search.text, let number = Int(search.page), text != "foo" else {
                    return .json(#"{"total_count":0,"items":[]}"#, headers: .gitHub)
                }
                let start = (text.unicodeScalars.first.map { Int($0.value) } ?? 0) * 100 + number * 10
                let rows = (start...(start + 1)).map { id in
                    #"{"id":\#(id),"name":"r","full_name":"o/r\#(id)","login":"u\#(id)"}"#
                }
                let url = request.url.absoluteString.replacing("&page=\(number)", with: "")
                let next = number < 3 ? "<\(url)&page=\(number + 1)>; rel=\"next\"" : "<\(url)>; rel=\"first\""
                return .json(
                    #"{"total_count":6,"items":[\#(rows.joined(separator: ","))]}"#,
                    headers: ["X-GitHub-Request-Id": "A:1", "Link": next]
                )
            }
        )
        return Container.reports(server) {
            $0.clock = clock
            $0.gitHub.pageSize = page
        }
    }

    private func pause(_ sleepers: Int = 1) async {
        await clock.waitForSleepers(sleepers)
        await clock.advance(by: .milliseconds(300))
    }

    /// futurice/freesound-android#82, harvard-lil/capstone#1706
    @Test func `nothing is claimed about a text before its response, and a blank one clears at once`() async throws {
        let search = container().repoSearchViewModel()
        search.query.text = "foo"
        await search.submit()
        guard case .empty(let message) = search.state.content.status else {
            Issue.record("\(search.state.content.status)")
            return
        }
        #expect(message.text.contains("foo"))
        isHeld.withLock { $0 = true }
        search.query.text = "tetris"
        #expect(search.state.content.status.message?.text.contains("tetris") != true)
        await pause()
        _ = await server.waitForRequests(2)
        #expect(search.state.content.status.message?.text.contains("tetris") != true)
        isHeld.withLock { $0 = false }
        try await waitUntil { search.state.content.rows.count == 2 }
        search.query.text = ""
        #expect(search.state.content.rows.isEmpty && search.state.content.status == .idle && !search.state.isWaiting)
        #expect(server.requests.count == 2)
    }

    /// sjacorg/bayanat#387
    @Test func `each search has its own pause`() async throws {
        let all = container()
        let (users, repos) = (all.userSearchViewModel(), all.repoSearchViewModel())
        users.query.text = "swift"
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(200))
        repos.query.text = "rust"
        await pause(2)
        try await waitUntil { users.state.content.rows.count == 2 && repos.state.content.rows.count == 2 }
        #expect(Set(searches.map(\.text)) == ["swift", "rust"] && server.requests.count == 2)
    }

    /// microsoft-search/pnp-modern-search#884, pockethub/PocketHub#1219
    @Test func `the next page is that of the present search, and a stale row loads none`() async {
        let search = container().repoSearchViewModel()
        search.query.text = "swift"
        await search.submit()
        await search.loadMore()
        let old = search.state.content.rows
        #expect(old.count == 4)
        search.query.text = "rust"
        await search.submit()
        #expect(search.state.content.rows.change(since: old) == .reset)
        for row in old { await search.rowAppeared(row.id) }
        #expect(server.requests.count == 3)
        await search.loadMore()
        search.query.sort = .stars
        await search.submit()
        await search.loadMore()
        #expect(
            searches == [
                Search("swift"), Search("swift", page: "2"), Search("rust"), Search("rust", page: "2"),
                Search("rust", sort: "stars"), Search("rust", sort: "stars", page: "2"),
            ]
        )
        #expect(search.state.content.rows.map(\.id.rawValue) == [11_410, 11_411, 11_420, 11_421])
    }

    /// discourse/discourse#14786, GoogleChrome/browser-bug-search#3, moezbhatti/qksms#1667
    @Test func `Enter during the pause, or while the response is awaited, sends one request`() async {
        let search = container().repoSearchViewModel()
        isHeld.withLock { $0 = true }
        search.query.text = "swift"
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(100))
        let first = Task { await search.submit() }
        _ = await server.waitForRequests(1)
        let second = Task { await search.submit() }
        await clock.advance(by: .milliseconds(300))
        isHeld.withLock { $0 = false }
        await first.value
        await second.value
        search.query.text = "swift "
        #expect(!search.state.isWaiting && search.state.content.rows.count == 2 && server.requests.count == 1)
    }

    /// elastic/search-ui#904
    @Test func `a screen that was left during the pause sends nothing`() async {
        let all = container()
        var left: RepoSearchViewModel? = all.repoSearchViewModel()
        left?.query.text = "swift"
        await clock.waitForSleepers(1)
        left = nil
        await clock.advance(by: .seconds(1))
        let search = all.repoSearchViewModel()
        search.query.text = "rust"
        await search.submit()
        #expect(searches == [Search("rust")])
    }

    /// zulip/zulip-mobile#2315
    @Test func `a search without a connection ends, and Try Again searches for the same text`() async {
        server.on(.any, times: 1, response: .failure(.notConnectedToInternet))
        let search = container().repoSearchViewModel()
        search.query.text = "swift"
        await search.submit()
        guard case .failed(let message) = search.state.content.status, let action = message.action else {
            Issue.record("\(search.state.content.status)")
            return
        }
        #expect(message.kind == .offline && action == .retry)
        await search.perform(action)
        #expect(searches == [Search("swift"), Search("swift")])
        #expect(search.state.content.rows.count == 2, "\(search.state.content.status)")
    }

    /// libris/librisxl#1833, k0shk0sh/FastHub#992, bestofjs/bestofjs#69, dotnet/runtime#83589
    @Test(arguments: [
        ("tetris\u{A0}language:swift", "tetris language:swift"),
        ("stars:>10\u{A0}NOT archived:true", "stars:>10 NOT archived:true"), ("swift\u{202F}ui", "swift ui"),
        ("swift\u{3000}ui", "swift ui"), ("译", "译"), ("字体", "字体"), ("봇", "봇"), ("C", "C"), ("[", "["), ("\\", "\\"),
        ("(", "("), ("*", "*"), (".*", ".*"), ("a|b", "a|b"),
    ])
    func `any text is sent, with spaces between its words`(typed: String, sent: String) async throws {
        let search = container().repoSearchViewModel()
        search.query.text = typed
        await pause()
        try await waitUntil { search.state.content.rows.count == 2 }
        #expect(searches == [Search(sent)])
    }

    /// release-it/release-it#1147, Renset/macai#96
    @Test func `a text that is too long isn't sent, and says so`() async {
        let all = container()
        let search = all.userSearchViewModel()
        for count in [257, 1 << 20] {
            search.query.text = String(repeating: "a", count: count)
            await search.submit()
            #expect(search.state.hint?.contains("256") == true && server.requests.isEmpty)
        }
        search.query.text = String(repeating: "a", count: 256)
        await search.submit()
        #expect(server.requests.count == 1 && search.state.hint == nil)
        let field = all.followerSearchViewModel()
        field.query = String(repeating: "a", count: 1 << 20)
        #expect(field.submit() == nil && field.state.hint?.contains("39") == true)
    }

    /// WikiEducationFoundation/WikiEduDashboard#1271
    @Test(arguments: ["\u{200E}octocat", "octocat\u{200F}", "\u{2066}octocat\u{2069}"])
    func `a name pasted with marks of direction is that name`(text: String) {
        let field = container().followerSearchViewModel()
        field.query = text
        #expect(field.submit()?.path == "/github/users/octocat/followers" && field.state.hint == nil)
    }
}
