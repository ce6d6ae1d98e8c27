import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Numbers, dates, languages, and foreign text on a screen.
@MainActor
@Suite(.bounded)
struct `Reports about formats` {
    private let server = ScriptedServer()
    private let languages = ["de", "fr", "ja", "ru", "ar", "fa", "th"].map { Translation(.init(rawValue: $0), [:]) }

    private func texts(_ locale: String, _ translations: [Translation]? = nil) -> Texts {
        Texts(locale: Locale(identifier: locale), timeZone: .gmt, translations: translations ?? languages)
    }

    private func plain(_ text: String) -> String {
        text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    }

    private func container(_ locale: String = "en_US", zone: String = "GMT") -> Container {
        .reports(server, locale: locale) {
            ($0.timeZone, $0.translations) = (TimeZone(identifier: zone) ?? .gmt, languages)
            $0.now = { .reports }
        }
    }

    /// Answers with a follower of "a", and a link to the second page.
    private func onFollowers(_ login: String, link: String = "Link", relation: String = #"rel="next""#) {
        let next = "<https://api.github.com/users/a/followers?per_page=100&page=2>; \(relation)"
        let row = #"[{"id":1,"login":"\#(login)"}]"#
        server.on(.get("/users/a/followers"), times: .any, response: .json(row, headers: [link: next]))
    }

    /// python-babel/babel#1301, tc39/proposal-unified-intl-numberformat#83
    @Test(arguments: [
        (999_950, "en_US", "1M"), (999_999, "en_US", "1M"), (999_949, "en_US", "1M"), (9_876, "en_US", "9.9K"),
        (99_999_999, "ko_KR", "1억"), (98_765_432, "ko_KR", "9877만"),
    ])
    func `the unit of a short number is chosen after rounding`(number: Int, locale: String, text: String) {
        #expect(texts(locale).formats.compact(number) == text)
    }

    /// malcommac/SwiftDate#534, malcommac/SwiftDate#794, WenchaoD/FSCalendar#1264
    @Test(arguments: [
        ("2026-03-09T18:00:00Z", "fr_FR@hours=h12", "March 2026"),
        ("2022-02-27T16:00:00.000Z", "th_TH@calendar=buddhist", "2565"),
        ("2020-12-28T10:00:00Z", "en_US", "December 2020"), ("2020-12-28T10:00:00Z", "en_GB", "December 2020"),
        ("2020-12-28T10:00:00Z", "ko_KR", "2020년 12월"), ("2019-12-30T00:00:00Z", "de_DE", "December 2019"),
    ])
    func `a date is decoded in any setting, in its calendar's year`(date: String, locale: String, text: String) async {
        server.on(.any, response: .json(#"{"id":1,"login":"a","created_at":"\#(date)"}"#, headers: .gitHub))
        let page = await container(locale).profile(of: "a")
        #expect(page.state.content.details?.memberSince.contains(text) == true)
    }

    /// Layr-Labs/d-inference#673
    @Test(arguments: [
        ("2017-11-04T18:48:46.250Z", "Nov 4, 2017"), ("2011-01-25T18:44:36Z", "Jan 25, 2011"),
        ("2011-01-25T18:44:36.580497Z", "Jan 25, 2011"), ("2026-01-01T09:00:00+09:00", "Jan 1, 2026"),
        ("2026-01-01T08:00:00+09:00", "Dec 31, 2025"), ("2026-01-01T08:00:00.5+0900", "Dec 31, 2025"),
    ])
    func `every form of RFC 3339 is read`(date: String, text: String) async {
        let json = #"{"id":1,"name":"b","full_name":"a/b","created_at":"\#(date)","updated_at":"\#(date)"}"#
        server.on(.get("/repositories/1/readme"), times: .any, response: .status(404, headers: .gitHub))
        server.on(.any, times: .any, response: .json(json, headers: .gitHub))
        let page = container().repoDetailViewModel()
        await page.show(GitHub.Repo.ID(rawValue: 1))
        let facts = page.state.content.details
        #expect(facts?["created"]?.value == text && facts?["updated"]?.value == text)
    }

    /// ccmenu/ccmenu#107, openshift/origin-web-console#2175
    @Test(arguments: ["th_TH@calendar=buddhist", "ja_JP@calendar=japanese", "en_US"])
    func `an age is a time, in every calendar`(locale: String) {
        let text = plain(texts(locale).formats.time(.reports + 300))
        #expect(text.contains("8:05") && !text.contains("543"))
        // Ahead of the clock.
        #expect(texts("en_US").age(of: .stale(since: .reports + 300))?.contains(" in ") == false)
    }

    /// amir20/dozzle#2680
    @Test(arguments: [
        ("en_GB", "00:05", "12:05"), ("de_DE", "00:05", "12:05"), ("fr_FR", "00:05", "12:05"),
        // Italian readers have no translation.
        ("it_IT", "00:05", "12:05"), ("it_IT-u-hc-h12", "12:05 AM", "12:05 PM"),
        ("ja_JP", "0:05", "12:05"), ("en_US-u-hc-h23", "00:05", "12:05"), ("en_US@hours=h23", "00:05", "12:05"),
        ("en_US", "12:05 AM", "12:05 PM"), ("ko_KR", "오전 12:05", "오후 12:05"), ("ko_KR@hours=h23", "00:05", "12:05"),
    ])
    func `midnight and noon are those of the hour cycle`(locale: String, midnight: String, noon: String) {
        let start = Date.reports + 57_900
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
        let reader = texts("ru_RU", [russian])
        #expect(plain(reader(.resultCount(10_321))) == "10 321 результат")
        #expect(reader(.resultCount(1)) == "1 результат")
    }

    /// xamarin/GoogleApisForiOSComponents#81
    @Test(arguments: ["100%@n", "%s%n %1$@ %d", "50%", "{name} {{0}} {1} $1 \\(x)", "%2$@"])
    func `foreign text is shown letter by letter`(text: String) {
        for locale in ["en_US", "ko_KR"] { #expect(texts(locale).noResults(for: text).text.contains(text)) }
        let own = Translation(.english, ["search.noResults": "{1}: none, {1}"])
        #expect(texts("en_US", [own]).noResults(for: text).text == "\(text): none, \(text)")
    }

    /// quran/quran_android#21
    @Test(arguments: ["ar_EG", "fa_IR"]) func `digits of the reader are on the screen only`(locale: String) async {
        onFollowers("b")
        let app = #"{"wrapperType":"software","trackId":1036334244,"trackName":"Tea","fileSizeBytes":"12345678"}"#
        server.on(.any, times: .any, response: .json(#"{"resultCount":1,"results":[\#(app)]}"#))
        let all = container(locale)
        let list = await all.followers(of: "a")
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
        onFollowers("titi", link: "link", relation: #"REL="NEXT""#)
        let wait: HTTPHeaders = ["RETRY-AFTER": "60", "X-GITHUB-REQUEST-ID": "A:1"]
        server.on(.get("/users/b"), response: .json("{}", status: 429, headers: wait))
        server.on(.any, times: .any, response: .json(#"{"id":1,"name":"ibrahim","status":"ALIVE"}"#))
        let all = container("tr_TR")
        let list = await all.followers(of: "a")
        #expect(list.state.content.hasMore)
        list.filter = "TITI"
        #expect(list.state.content.rows.count == 1)
        let status = await all.profile(of: "b").state.content.status
        if case .rateLimited? = status.message?.kind {} else { Issue.record("\(status)") }
        let character = all.characterDetailViewModel()
        await character.show(.init(rawValue: 1))
        #expect(character.state.content.details?["status"]?.value == "Alive")
        await character.toggleFavorite()
        #expect(await all.favorites().state.sections.map(\.title) == ["I"])
    }

    /// nextcloud-libraries/nextcloud-files#231
    @Test(arguments: [
        ("de_DE.UTF-8", "de"), ("C.UTF-8", "en"), ("C", "en"), ("POSIX", "en"), ("ko_KR.eucKR", "ko"),
        ("sr_RS@latin", "en"), ("", "en"), ("?! nonsense", "en"),
    ])
    func `the name of a locale in an environment is understood`(name: String, language: String) {
        let texts = texts(name)
        #expect(texts.language.rawValue == language && !texts(.refresh).isEmpty)
        #expect(texts.formats.size(12_345_678).hasPrefix(language == "de" ? "12,3" : "12.3"))
    }

    /// bluesky-social/social-app#11568
    @Test(arguments: ["🏳️‍🌈", "👨‍👩‍👧", "e\u{301}", "각", "🇰🇷"])
    func `a text is cut between characters`(character: String) async {
        let text = "a" + String(repeating: character, count: 400)
        server.on(.any, response: .apps(#""description":"\#(text)""#))
        let shown = await container().app().state.description ?? ""
        #expect(shown.count <= 201 && shown.hasSuffix("…") && shown.count { $0 == "…" } == 1)
        #expect(shown.dropFirst().dropLast().allSatisfy { String($0) == character } && shown.count > 100)
    }

    /// facundoolano/app-store-scraper#181
    @Test(arguments: [200, 400], ["language", "resultEntity", "mediaType", "limit", "term", "country"])
    func `a refused value of the app is named, and isn't the person's input`(status: Int, key: String) async throws {
        let refusal = #"{"errorMessage":"Invalid value(s) for key(s): [\#(key)]","queryParameters":{}}"#
        server.on(.any, response: .json(refusal, status: status))
        let (language, country) = (try AppStore.Language("xx_xx"), try AppStore.Country("mc"))
        let all = Container.reports(server) { ($0.appStore.language, $0.appStore.country) = (language, country) }
        let message = await all.apps(for: "tea").state.content.status.message
        #expect(server.requests.last?.url.query()?.contains("country=mc") == true)
        #expect(message?.text.contains(key == "country" ? "Monaco" : "[\(key)]") == true)
        // A person can choose another country.
        guard key != "country" else { return }
        #expect(message?.action == (key == "term" ? .changeInput : nil))
        #expect(message?.text.contains("Check your input") == (key == "term"))
    }

    private func text(_ locale: String, _ languages: String...) -> String {
        let translations = languages.map { Translation(Texts.Language(rawValue: $0), ["action.refresh": $0]) }
        return texts(locale, translations)(.refresh)
    }

    @Test(arguments: [
        ("zh_TW", "zh-Hant"), ("zh_Hant_TW", "zh-Hant"), ("zh_HK", "zh-Hant"), ("zh_CN", "zh-Hans"),
        ("zh-Hans_SG", "zh-Hans"),
    ])
    func `Chinese readers get the translation in their script`(locale: String, expected: String) {
        #expect(text(locale, "zh-Hans", "zh-Hant") == expected)
        #expect(text(locale, "zh_Hant", "zh_Hans") == expected.replacing("-", with: "_"))
        #expect((text(locale, "zh") == "zh") == (expected == "zh-Hans"))
    }

    @Test(arguments: [
        ("nb_NO", "no"), ("nn_NO", "no"), ("no_NO", "nb"), ("pt_BR", "pt-BR"), ("fil_PH", "tl"), ("he_IL", "iw"),
        ("id_ID", "in"), ("yue_HK", "zh-Hant"), ("sr_Latn_RS", "sr-Latn"), ("de_AT", "de"), ("fr_CA", "fr_CA"),
        ("es_MX", "es-419"), ("pt_AO", "pt-PT"), ("pt", "pt-BR"), ("gsw_CH", "de"), ("lb_LU", "de"), ("en_AU", "en-GB"),
    ])
    func `a translation is found by old codes, script, and region`(locale: String, language: String) {
        #expect(text(locale, "xx", language) == language)
    }

    @Test func `the nearest region wins, and another script doesn't match`() {
        #expect(text("pt_PT", "pt-BR", "pt-PT", "pt") == "pt-PT" && text("pt_AO", "pt-BR", "pt-PT", "pt") == "pt-PT")
        #expect(text("pt_CH", "pt-BR", "pt") == "pt" && text("en_AU", "en-GB", "en-001") == "en-001")
        #expect(Set([text("sr_Latn_RS", "sr"), text("fr_FR", "de"), text("en_US", "en-001")]) == ["Refresh"])
    }

    private func released(_ date: String, zone: String = "GMT", _ locale: String = "en_US") async -> Fact? {
        server.on(.any, response: .apps(#""releaseDate":"\#(date)""#))
        return await container(locale, zone: zone).app().state.content.details?["releaseDate"]
    }

    @Test(arguments: ["Pacific/Honolulu", "America/Los_Angeles", "GMT", "Pacific/Kiritimati"])
    func `a release date is a day, wherever the reader is, whose time zone is the device's`(zone: String) async {
        #expect(Configuration().timeZone == .autoupdatingCurrent && Configuration().locale == .autoupdatingCurrent)
        #expect(await released("2021-03-05T08:00:00Z", zone: zone)?.value == "Mar 5, 2021")
    }

    @Test(arguments: [("2027", "en_US", "Expected"), ("2027", "ko_KR", "출시 예정"), ("2026", "en_US", "Released")])
    func `a pre-order is expected, and not released`(year: String, locale: String, label: String) async {
        #expect(await released("\(year)-06-01T07:00:00Z", locale)?.label == label)
    }
}
