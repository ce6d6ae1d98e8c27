import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about searches and filters` {
    private let server = ScriptedServer()
    private let clock = TestClock()
    private let isHeld = Monitor(false)

    /// In the order of the rows: as added, and by name.
    private func expect(
        _ sample: (typed: String, name: String, isFound: Bool),
        in locale: String = "en_US",
        besides others: String...
    ) async throws {
        let all = Container.offline(configuration: Configuration().with { $0.locale = Locale(identifier: locale) })
        for (id, name) in ([sample.name] + others).enumerated() { try await all.addFavorite(id + 1, named: name) }
        for order in [FavoriteQuery.Order.added, .name] {
            let list = all.favoriteListViewModel()
            list.query = FavoriteQuery(filter: sample.typed, order: order)
            await list.show()
            let found = list.state.content.rows.map(\.favorite.title)
            #expect(found == (sample.isFound ? [sample.name] : []), "\(locale), \(order)")
        }
    }

    @Test(arguments: [
        ("1️⃣", "1️⃣ Focus"), ("❤", "❤️ Tea"), ("❤️", "❤ Tea"), ("©️", "© Tea"), ("☕", "☕️ Tea"), ("tea-time", "Tea—Time"),
        ("tea-time", "Tea‑Time"), ("tea-time", "Tea--Time"), ("tea—time", "Tea-Time"), ("teatime", "Tea\u{AD}Time"),
        ("teatime", "Tea\u{2060}Time"), ("teatime", "Tea\u{200B}Time"), ("tea time", "Tea\u{A0}Time"),
        ("tea time", "Tea  Time"), ("tea", "\u{200E}Tea"),
    ])
    func `a filter finds what a person sees`(typed: String, name: String) async throws {
        try await expect((typed, name, true), besides: "Coffee")
    }

    // Keypirinha/Keypirinha#566, toss/es-hangul#99, bluewings/korean-regexp#6,
    // eGovFramework/egovframe-runtime#446
    @Test(arguments: [
        ("ㅋㅋㅇㅌ", "카카오톡", true), ("ㅋㅇㅌ", "카카오톡", true), ("ㅌㅇ", "카카오톡", false), ("ㄻ", "라면", true), ("ㄹㅁ", "라면", true),
        ("ㄳ", "가수", true), ("ㅋㅋ", "ㅋㅋㅋ 짤방", true), ("ㅋㅋ", "쿠키", true), ("ㅠㅠ", "아 ㅠㅠ", true),
        ("aㄷ 101ㅎ", "A동 101호", true), ("삼성", "삼성전자", true), ("삼성", "사슴전자", false),
    ])
    func `Korean letters find what begins with them`(sample: (String, String, Bool)) async throws {
        try await expect(sample, in: "ko_KR")
    }

    // jrpie/launcher#95, meilisearch/charabia#186, ovalhub/pyicu#78, krisk/Fuse#701,
    // 4gray/iptvnator#1612, 4gray/iptvnator#609, oracle/opengrok#1768, dotnet/runtime#83589,
    // taginfo/taginfo#40, bestofjs/bestofjs#69, open-mercato/open-mercato#5666,
    // actualbudget/actual#3449, komoot/photon#944, ng-select/ng-select#2335, quran/quran-ios#1035,
    // meilisearch/charabia#382, kokabi1365/Vajehdan#19, marmelroy/PhoneNumberKit#332,
    // dj1yfk/lcwo#3, tateisu/SubwayTooter#103, annict/annict#3676, vgmdb/tracker#31,
    // urieli/jochre#70, renikud/renikud#10
    @Test(arguments: [
        ("resume", "Résumé", true), ("camara", "Cámara", true), ("résumé", "Résumé", true), ("محـــمد", "محمد", true),
        ("محمد", "محـــمد", true), ("ـ", "anything", true), ("السَّماء", "السماء والأرض", true),
        ("الارض", "السماء والأرض", true), ("ماء", "السماء والأرض", true), ("ماء", "ما", false),
        ("satış teklİflerİ", "Satış Teklifleri", true), ("SATIŞ TEKLİFLERİ", "Satış Teklifleri", true),
        ("satış tekli\u{307}fleri", "Satış Teklifleri", true), ("ışık", "Işık TV", true), ("ışık", "IŞIK", true),
        ("isik", "Işık TV", true), ("inş", "İnşaat", true), ("İNŞ", "İnşaat", true), ("ins", "İnşaat", true),
        ("unlu", "Ünlü", true), ("san", "Şan", true), ("TIME", "time-machine", true), ("title", "TITLE", true),
        ("MIKE", "mike", true), ("swift\u{202F}ui", "Swift UI", true), ("swift ui", "Swift\u{A0}UI", true),
        ("swift\u{3000}ui", "Swift UI", true), ("gudmundur", "Guðmundur", true),
        ("_", "monalisa", false), ("_", "mona_acme", true), ("a_a", "mona_acme", true), ("%", "100%", true),
        ("a_a", "monalisa", false), ("%", "monalisa", false), ("\\", "monalisa", false), ("\\", "a\\b", true),
        (".*", "monalisa", false), (".", "monalisa", false), ("[", "a[b", true), ("(", "a(b", true),
        ("*", "a*b", true), ("a|b", "a", false), ("lodz", "Łódź", true), ("łodz", "Lodz", true),
        ("soren", "Søren", true), ("dang", "Đặng", true), ("hal", "Ħal", true), ("tor", "ŧor", false),
        ("oeuvre", "Chef-d’œuvre", true), ("œuvre", "Oeuvre", true), ("aether", "Æther", true), ("oe", "o e", false),
        ("کتاب", "كتاب", true), ("براي", "برای", true), ("اللہ", "الله", true), ("رحمۃ", "رحمة", true),
        ("گ", "ك", false), ("٣", "App 3", true), ("3", "app ۳", true), ("३", "３", true), ("3", "三", false),
        ("さくら", "サクラ", true), ("ガンダム", "がんだむ", true), ("ｻｸﾗ", "さくら", true), ("や", "ゃ", false), ("か", "ガ", false),
        ("東京～大阪", "東京〜大阪", true), ("東京〜", "東京～大阪", true), ("～", "a-b", false),
        ("ٱلله", "الله", true), ("צה\"ל", "צה״ל", true), ("צ׳יפס", "צ'יפס", true),
    ])
    func `letters match in every language, others only themselves`(sample: (String, String, Bool)) async throws {
        for locale in ["en_US", "tr_TR"] { try await expect(sample, in: locale) }
    }

    /// cachly/issues-tracker#1563, moezbhatti/qksms#1667, Renset/macai#96
    @Test func `each filter starts from all rows, and spaces around it don't count`() async throws {
        let list = await Container.offline().followers()
        let everyone = list.state.content.rows.map(\.id)
        for text in ["a", "", "b", "", "ab", "", "a "] {
            list.filter = text
            if text.isEmpty { #expect(list.state.content.rows.map(\.id) == everyone) }
        }
        let found = list.state.content.rows.map(\.id)
        #expect(!found.isEmpty && found.count < everyone.count)
        for text in [" a", "a", "\ta\n"] {
            list.filter = text
            #expect(list.state.content.rows.map(\.id) == found)
        }
        for text in [String(repeating: "a", count: 1 << 20), String(repeating: "한\n", count: 100_000)] {
            list.filter = text
            #expect(list.state.content.rows.isEmpty)
        }
    }

    @Test func `names are sorted and grouped by what a person sees`() async throws {
        let all = Container.offline()
        for (id, name) in ["\u{200E}Banana", "Cherry", "\u{AD}Apple", "A\u{200B}corn"].enumerated() {
            try await all.addFavorite(id + 1, named: name)
        }
        let list = await all.favorites()
        #expect(list.state.sections.map(\.title) == ["A", "B", "C"])
        let names = list.state.content.rows.map { $0.favorite.title.filter(\.isASCII).trimmingPrefix(" ") }
        #expect(names == ["Acorn", "Apple", "Banana", "Cherry"])
    }

    @Test(arguments: ["a", "한", "🐙"])
    func `a search of other services has a limit of length, too`(letter: String) async {
        let all = Container.reports(server)
        let search = await all.apps(for: String(repeating: letter, count: 20_000))
        #expect(server.requests.isEmpty && search.state.hint?.contains("19,744") == true)
        let list = all.characterListViewModel()
        let name = String(repeating: letter, count: 150)
        await list.show(RickAndMorty.CharacterFilter { ($0.name, $0.type) = (name, "a") })
        #expect(server.requests.isEmpty && list.state.hint?.contains("Remove 1 character") == true)
        server.on(.get, "/api/character", response: .status(404))
        // A screen that appears again keeps the text.
        await list.showIfNeeded()
        #expect(server.requests.isEmpty && list.query.name == name)
        await list.show(RickAndMorty.CharacterFilter { $0.name = name })
        #expect(server.requests.count == 1 && server.requests.allSatisfy { $0.url.absoluteString.utf8.count < 2000 })
    }

    @Test(arguments: [(3, "2 results"), (50, nil)])
    func `the number of results is that of the rows, and not a limit`(count: Int, summary: String?) async {
        let rows = (0..<count).map { #"{"wrapperType":"software","trackId":\#($0 / 2 * 2 + 1),"trackName":"Tea"}"# }
        server.on(.any, response: .json(#"{"resultCount":\#(count),"results":[\#(rows.joined(separator: ","))]}"#))
        #expect(await Container.reports(server).apps(for: "tea").state.summary == summary)
    }

    // Searches of GitHub as a person types, on a server whose responses can be held back.

    /// The text, the page, and the order of each search.
    private var searches: [String] {
        server.requests.map { "\($0.item("q") ?? "") \($0.page) \($0.item("sort") ?? "match")" }
    }

    /// Each search has three pages of two rows, but for `foo`.
    private func container() -> Container {
        server.compute { [isHeld] request in
            await isHeld.wait { !$0 }
            let (text, number) = (request.item("q") ?? "", request.page)
            guard text != "foo" else { return .json(#"{"total_count":0,"items":[]}"#, headers: .gitHub) }
            let start = (text.unicodeScalars.first.map { Int($0.value) } ?? 0) * 100 + number * 10
            let rows = (start...(start + 1)).map { id in
                #"{"id":\#(id),"name":"r","full_name":"o/r\#(id)","login":"u\#(id)"}"#
            }
            let url = request.url.absoluteString.replacing("&page=\(number)", with: "")
            var headers = HTTPHeaders.gitHub
            headers["Link"] = number < 3 ? "<\(url)&page=\(number + 1)>; rel=\"next\"" : "<\(url)>; rel=\"first\""
            return .json(#"{"total_count":6,"items":[\#(rows.joined(separator: ","))]}"#, headers: headers)
        }
        return Container.reports(server, clock: clock) { $0.gitHub.pageSize = 2 }
    }

    private func pause(_ sleepers: Int = 1) async {
        await clock.waitForSleepers(sleepers)
        await clock.advance(by: .milliseconds(300))
    }

    /// futurice/freesound-android#82, harvard-lil/capstone#1706
    @Test func `nothing is claimed about a text before its response, and a blank one clears at once`() async throws {
        let search = await container().repos(for: "foo")
        let message = try #require(search.state.content.status.message)
        #expect(search.state.content.status == .empty(message) && message.text.contains("foo"))
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
        #expect(searches.sorted() == ["rust 1 match", "swift 1 match"])
    }

    /// microsoft-search/pnp-modern-search#884, pockethub/PocketHub#1219
    @Test func `the next page is that of the present search, and a stale row loads none`() async {
        let search = await container().repos(for: "swift")
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
        let sent = ["swift 1 match", "swift 2 match", "rust 1 match", "rust 2 match", "rust 1 stars", "rust 2 stars"]
        #expect(searches == sent)
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
        #expect(searches == ["\(sent) 1 match"])
    }

    /// release-it/release-it#1147, Renset/macai#96
    @Test func `a text that is too long isn't sent, and says so`() async {
        let all = container()
        let search = all.userSearchViewModel()
        for count in [257, 1 << 20] {
            search.query.text = String(repeating: "a", count: count)
            await search.submit()
            #expect(search.state.hint?.hasSuffix("A search has at most 256.") == true && server.requests.isEmpty)
            #expect(!search.state.isWaiting)
        }
        search.query.text = String(repeating: "a", count: 256)
        await search.submit()
        #expect(server.requests.count == 1 && search.state.hint == nil)
        let field = all.followerSearchViewModel()
        field.query = String(repeating: "a", count: 1 << 20)
        #expect(field.submit() == nil && field.state.hint?.contains("39") == true)
    }
}
