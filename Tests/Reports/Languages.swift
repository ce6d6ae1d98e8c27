import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about places and languages` {
    @Test(arguments: [
        ("en_GI", "gb"), ("en_IM", "gb"), ("en_JE", "gb"), ("en_UK", "gb"), ("en_EU", "us"), ("es_PR", "us"),
        ("bn_BD", "us"), ("de_LI", "us"), ("it_SM", "us"), ("fr_MC", "us"), ("es_419", "us"), ("en", "us"),
        ("ko_KR", "kr"),
    ])
    func `readers in regions without a store use another one`(locale: String, country: String) {
        #expect(Configuration().with { $0.locale = Locale(identifier: locale) }.storefront.country.code == country)
    }

    @Test func `a country that an app sets is sent, and its refusal names it`() async throws {
        let server = ScriptedServer()
        let refusal = #"{"errorMessage":"Invalid value(s) for key(s): [country]","queryParameters":{}}"#
        server.on(.any, response: .json(refusal, status: 400))
        let country = try AppStore.Country("mc")
        let search = Container.reports(server) { $0.appStore.country = country }.appSearchViewModel()
        search.query.text = "tea"
        await search.submit()
        #expect(server.requests.last?.url.query()?.contains("country=mc") == true)
        #expect(search.state.content.status.message?.text.contains("Monaco") == true)
    }

    private func text(_ locale: String, _ languages: String...) -> String {
        Texts(
            locale: Locale(identifier: locale),
            timeZone: .gmt,
            translations: languages.map { Translation(Texts.Language(rawValue: $0), ["action.refresh": $0]) }
        )(.refresh)
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
        ("es_MX", "es-419"), ("pt_AO", "pt-PT"),
    ])
    func `a translation is found by old codes, script, and region`(locale: String, language: String) {
        #expect(text(locale, "xx", language) == language)
    }

    @Test func `the nearest region wins, and another script doesn't match`() {
        #expect(text("pt_PT", "pt-BR", "pt-PT", "pt") == "pt-PT" && text("pt_AO", "pt-BR", "pt-PT", "pt") == "pt-PT")
        #expect(text("pt_CH", "pt-BR", "pt") == "pt" && text("en_AU", "en-GB", "en-001") == "en-001")
        #expect(text("sr_Latn_RS", "sr") == "Refresh" && text("fr_FR", "de") == "Refresh")
    }

    @Test(arguments: [("de_DE", "21:55"), ("en_US@hours=h23", "21:55"), ("en_US", "9:55 PM"), ("fr_FR", "21:55")])
    func `a reader without a translation keeps the hour cycle`(locale: String, expected: String) {
        let texts = Texts(locale: Locale(identifier: locale), timeZone: .gmt)
        let time = texts.formats.time(Date(timeIntervalSince1970: 1_800_050_100)).replacing("\u{202F}", with: " ")
        #expect(time.hasSuffix(expected) && time.contains("PM") == (locale == "en_US"))
    }

    @Test func `the time zone follows the device`() {
        #expect(Configuration().timeZone == .autoupdatingCurrent)
    }

    private func released(_ date: String, in zone: String, _ locale: String = "en_US") async -> Fact? {
        let server = ScriptedServer()
        server.on(.any, response: .apps(#""releaseDate":"\#(date)""#))
        let page = Container.reports(server, locale: locale) {
            $0.timeZone = TimeZone(identifier: zone) ?? .gmt
            $0.now = { Date(timeIntervalSince1970: 1_800_000_000) }
        }
        .appDetailViewModel()
        await page.show(.id(AppStore.AppID(7)))
        return page.state.content.details?["releaseDate"]
    }

    @Test(arguments: ["Pacific/Honolulu", "America/Los_Angeles", "GMT", "Pacific/Kiritimati"])
    func `a release date is a day, wherever the reader is`(zone: String) async {
        #expect(await released("2021-03-05T08:00:00Z", in: zone)?.value == "Mar 5, 2021")
    }

    @Test func `a pre-order is expected, and not released`() async {
        #expect(await released("2027-06-01T07:00:00Z", in: "GMT")?.label == "Expected")
        #expect(await released("2027-06-01T07:00:00Z", in: "GMT", "ko_KR")?.label == "출시 예정")
        #expect(await released("2026-06-01T07:00:00Z", in: "GMT")?.label == "Released")
    }
}
