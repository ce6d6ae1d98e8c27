import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Numbers, dates, and foreign text on a screen.
@MainActor
@Suite(.bounded)
struct `Reports about formats` {
    private let languages = ["de", "fr", "ja", "ru", "ar", "fa", "th"].map {
        Translation(Texts.Language(rawValue: $0), [:])
    }

    private func texts(_ locale: String, zone: String = "GMT") -> Texts {
        Texts(
            locale: Locale(identifier: locale),
            timeZone: TimeZone(identifier: zone) ?? .gmt,
            translations: languages
        )
    }

    private func plain(_ text: String) -> String {
        ["\u{202F}", "\u{A0}"].reduce(text) { $0.replacing($1, with: " ") }
    }

    private func container(_ server: ScriptedServer, _ locale: String, zone: String = "GMT") -> Container {
        .reports(server, locale: locale) {
            $0.timeZone = TimeZone(identifier: zone) ?? .gmt
            $0.translations = languages
        }
    }

    private func repo(_ dates: (created: String, updated: String), _ locale: String, zone: String = "GMT") async
        -> RepoFacts?
    {
        let server = ScriptedServer()
        let json = #""created_at":"\#(dates.created)","updated_at":"\#(dates.updated)""#
        server.on(.get("/repositories/1/readme"), times: .any, response: .status(404, headers: .gitHub))
        server.on(
            .any,
            times: .any,
            response: .json(#"{"id":1,"name":"b","full_name":"a/b",\#(json)}"#, headers: .gitHub)
        )
        let page = container(server, locale, zone: zone).repoDetailViewModel()
        await page.show(GitHub.Repo.ID(rawValue: 1))
        return page.state.content.details
    }

    private func joined(_ date: String, _ locale: String) async -> String? {
        let server = ScriptedServer()
        server.on(.any, response: .json(#"{"id":1,"login":"a","created_at":"\#(date)"}"#, headers: .gitHub))
        let page = container(server, locale).userProfileViewModel()
        await page.show(GitHub.Login("a"))
        return page.state.content.details?.memberSince
    }

    /// python-babel/babel#1301, tc39/proposal-unified-intl-numberformat#83
    @Test(arguments: [
        (999_950, "en_US", "1M"), (999_999, "en_US", "1M"), (999_949, "en_US", "1M"), (9_876, "en_US", "9.9K"),
        (99_999_999, "ko_KR", "1억"), (98_765_432, "ko_KR", "9877만"),
    ])
    func `the unit of a short number is chosen after rounding`(number: Int, locale: String, text: String) {
        #expect(texts(locale).formats.compact(number) == text)
    }

    /// cloudflare/cloudflare-docs#28302
    @Test(arguments: ["America/Los_Angeles", "Pacific/Kiritimati", "Asia/Seoul"])
    func `an air date is a day everywhere`(zone: String) async {
        let server = ScriptedServer()
        let json = #"{"id":1,"name":"Pilot","episode":"S01E01","air_date":"December 2, 2013","characters":[]}"#
        server.on(.any, times: .any, response: .json(json))
        for (locale, text) in [("en_US", "Dec 2, 2013"), ("ko_KR", "2013년 12월 2일")] {
            let page = container(server, locale, zone: zone).episodeDetailViewModel()
            await page.show(.init(rawValue: 1))
            #expect(page.state.content.details?.airDate == text)
        }
    }

    /// malcommac/SwiftDate#534, malcommac/SwiftDate#794, WenchaoD/FSCalendar#1264
    @Test(arguments: [
        ("2026-03-09T18:00:00Z", "fr_FR@hours=h12", "March 2026"),
        ("2022-02-27T16:00:00.000Z", "th_TH@calendar=buddhist", "2565"),
        ("2020-12-28T10:00:00Z", "en_US", "December 2020"), ("2020-12-28T10:00:00Z", "en_GB", "December 2020"),
        ("2020-12-28T10:00:00Z", "ko_KR", "2020년 12월"), ("2019-12-30T00:00:00Z", "de_DE", "December 2019"),
    ])
    func `a date is decoded in any setting, and its year is that of the calendar`(
        date: String,
        locale: String,
        text: String
    ) async {
        #expect(await joined(date, locale)?.contains(text) == true)
    }

    /// Layr-Labs/d-inference#673
    @Test(arguments: [
        ("2017-11-04T18:48:46.250Z", "Nov 4, 2017"), ("2011-01-25T18:44:36Z", "Jan 25, 2011"),
        ("2011-01-25T18:44:36.580497Z", "Jan 25, 2011"), ("2026-01-01T09:00:00+09:00", "Jan 1, 2026"),
        ("2026-01-01T08:00:00+09:00", "Dec 31, 2025"), ("2026-01-01T08:00:00.5+0900", "Dec 31, 2025"),
    ])
    func `every form of RFC 3339 is read`(date: String, text: String) async {
        let facts = await repo((created: date, updated: date), "en_US")
        #expect(facts?["created"]?.value == text && facts?["updated"]?.value == text)
    }

    /// ccmenu/ccmenu#107, openshift/origin-web-console#2175
    @Test(arguments: ["th_TH@calendar=buddhist", "ja_JP@calendar=japanese", "en_US"])
    func `an age is a time, in every calendar`(locale: String) {
        let time = Date(timeIntervalSince1970: 1_800_000_300)
        let text = plain(texts(locale).formats.time(time))
        #expect(text.contains("8:05") && !text.contains("543"))
        // Ahead of the clock.
        #expect(texts("en_US").age(of: .stale(since: time))?.contains(" in ") == false)
    }

    /// amir20/dozzle#2680
    @Test(arguments: [
        ("en_GB", "00:05", "12:05"), ("de_DE", "00:05", "12:05"), ("ja_JP", "0:05", "12:05"),
        ("fr_FR", "00:05", "12:05"),
        ("en_US", "12:05 AM", "12:05 PM"), ("ko_KR", "오전 12:05", "오후 12:05"), ("ko_KR@hours=h23", "00:05", "12:05"),
    ])
    func `midnight and noon are those of the hour cycle`(locale: String, midnight: String, noon: String) {
        let start = Date(timeIntervalSince1970: 1_800_057_900)
        #expect(plain(texts(locale).formats.time(start)) == midnight)
        #expect(plain(texts(locale).formats.time(start + 43_200)) == noon)
    }

    /// entrius/gittensor-ui#1143, mastodon/mastodon#16683
    @Test(arguments: [(0, "0 results"), (1, "1 result"), (2, "2 results"), (21, "21 results"), (1000, "1,000 results")])
    func `a noun has the form of its number`(count: Int, text: String) {
        #expect(texts("en_US")(.resultCount(count)) == text)
        #expect(texts("ko_KR")(.resultCount(count)).hasPrefix("결과 "))
        let russian = Translation(Texts.Language(rawValue: "ru")) { phrase, texts in
            guard phrase.id.hasPrefix("search.results"), let number = phrase.numbers.first else { return nil }
            let noun = number % 10 == 1 && number % 100 != 11 ? "результат" : "результатов"
            return "\(phrase.values(in: texts)[0]) \(noun)"
        }
        let reader = Texts(locale: Locale(identifier: "ru_RU"), timeZone: .gmt, translations: [russian])
        #expect(plain(reader(.resultCount(10_321))) == "10 321 результат")
        #expect(reader(.resultCount(1)) == "1 результат")
    }

    /// swiftlang/swift-corelibs-foundation#3884
    @Test(arguments: [
        ("en_US", "12.3 MB"), ("de_DE", "12,3 MB"), ("fr_FR", "12,3 Mo"), ("ko_KR", "12.3MB"), ("nl_NL", "12.3 MB"),
    ])
    func `a size is in the language of the texts`(locale: String, text: String) {
        #expect(plain(texts(locale).formats.size(12_345_678)) == text)
    }

    /// xamarin/GoogleApisForiOSComponents#81
    @Test(arguments: ["100%@n", "%s%n %1$@ %d", "50%", "{name} {{0}} {1} $1 \\(x)", "%2$@"])
    func `foreign text is shown letter by letter`(text: String) {
        for locale in ["en_US", "ko_KR"] { #expect(texts(locale).noResults(for: text).text.contains(text)) }
        let own = Translation(.english, ["search.noResults": "{1}: none, {1}"])
        let reader = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt, translations: [own])
        #expect(reader.noResults(for: text).text == "\(text): none, \(text)")
    }

    /// quran/quran_android#21
    @Test(arguments: ["ar_EG", "fa_IR"])
    func `digits of the reader are on the screen only`(locale: String) async {
        let server = ScriptedServer()
        server.on(
            .get("/users/a/followers"),
            times: .any,
            response: .json(
                #"[{"id":1,"login":"b"}]"#,
                headers: ["Link": "<https://api.github.com/users/a/followers?per_page=100&page=2>; rel=\"next\""]
            )
        )
        let app = #"{"wrapperType":"software","trackId":1036334244,"trackName":"Tea","fileSizeBytes":"12345678"}"#
        server.on(.any, times: .any, response: .json(#"{"resultCount":1,"results":[\#(app)]}"#))
        let all = container(server, locale)
        let list = all.followerListViewModel()
        await list.show(.followers(of: GitHub.Login("a")))
        await list.loadMore()
        let page = all.appDetailViewModel()
        await page.show(.id(AppStore.AppID(1_036_334_244)))
        #expect(server.requests.count == 3 && server.requests[1].url.query()?.contains("page=2") == true)
        #expect(server.requests.allSatisfy { $0.url.absoluteString.utf8.allSatisfy { $0 < 0x80 } })
        #expect(server.requests[2].url.query()?.contains("id=1036334244") == true)
        #expect(page.state.content.details?["size"]?.value.contains("1") == false)
    }

    /// qzind/tray#66
    @Test func `words of a protocol have no language`() async throws {
        let server = ScriptedServer()
        server.on(
            .get("/users/a/followers"),
            times: .any,
            response: .json(
                #"[{"id":1,"login":"titi"}]"#,
                headers: ["link": "<https://api.github.com/users/a/followers?per_page=100&page=2>; REL=\"NEXT\""]
            )
        )
        let wait: HTTPHeaders = ["RETRY-AFTER": "60", "X-GITHUB-REQUEST-ID": "A:1"]
        server.on(.get("/users/b"), response: .json("{}", status: 429, headers: wait))
        server.on(.any, times: .any, response: .json(#"{"id":1,"name":"ibrahim","status":"ALIVE"}"#))
        let all = container(server, "tr_TR")
        let list = all.followerListViewModel()
        await list.show(.followers(of: GitHub.Login("a")))
        #expect(list.state.content.hasMore)
        list.filter = "TITI"
        #expect(list.state.content.rows.count == 1)
        let profile = all.userProfileViewModel()
        await profile.show(GitHub.Login("b"))
        guard case .failed(let message) = profile.state.content.status, case .rateLimited = message.kind else {
            Issue.record("\(profile.state.content.status)")
            return
        }
        let character = all.characterDetailViewModel()
        await character.show(.init(rawValue: 1))
        #expect(character.state.content.details?["status"]?.value == "Alive")
        await character.toggleFavorite()
        let saved = all.favoriteListViewModel()
        await saved.show()
        #expect(saved.state.sections.map(\.title) == ["I"])
    }

    /// nextcloud-libraries/nextcloud-files#231
    @Test(arguments: [
        ("de_DE.UTF-8", "de"), ("C.UTF-8", "en"), ("C", "en"), ("POSIX", "en"), ("ko_KR.eucKR", "ko"),
        ("sr_RS@latin", "en"), ("", "en"), ("?! nonsense", "en"),
    ])
    func `the name of a locale in an environment is understood`(name: String, language: String) {
        let texts = texts(name)
        #expect(texts.language.rawValue == language && !texts(.refresh).isEmpty)
        let size = plain(texts.formats.size(12_345_678))
        #expect(size.hasPrefix(language == "de" ? "12,3" : "12.3"))
    }

    /// bluesky-social/social-app#11568
    @Test(arguments: ["🏳️‍🌈", "👨‍👩‍👧", "e\u{301}", "각", "🇰🇷"])
    func `a text is cut between characters`(character: String) async {
        let server = ScriptedServer()
        let text = "a" + String(repeating: character, count: 400)
        server.on(.any, response: .apps(#""description":"\#(text)""#))
        let page = container(server, "en_US").appDetailViewModel()
        await page.show(.id(AppStore.AppID(7)))
        let shown = page.state.description ?? ""
        #expect(shown.count <= 201 && shown.hasSuffix("…") && shown.count { $0 == "…" } == 1)
        #expect(shown.dropFirst().dropLast().allSatisfy { String($0) == character } && shown.count > 100)
    }
}
