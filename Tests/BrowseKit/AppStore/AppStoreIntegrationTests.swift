import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite("App Store, all layers", .bounded)
struct AppStoreIntegrationTests {
    private func container(_ scenario: Scenario = .normal, locale: String = "en_US") -> Container {
        Container.offline(scenario, configuration: .localized(locale))
    }

    @Test func `navigates from a search to an app's page and a screenshot`() async throws {
        let container = container()
        let search = container.appSearchViewModel()
        search.query.text = "tea"
        await search.submit()
        #expect(search.state.content.rows.map(\.name) == ["Tea Timer", "Tea Leaves"])
        #expect(search.state.content.rows.map { $0.rating?.average } == ["4.7", nil])
        guard case .appStore(.app(_, let app?)) = search.select(search.state.content.rows[0].id)?.screen else {
            Issue.record("no page")
            return
        }
        let page = container.appDetailViewModel()
        page.showIfNeeded(app)
        await page.showIfNeeded(app.value.id)
        #expect(page.state.content.details?.rating?.count == "12K ratings")
        #expect(
            page.state.content.details?.main.share.link.rawValue
                == "https://apps.apple.com/us/app/tea-timer/id1500000001?uo=4"
        )
        await page.toggleFavorite()
        for await state in search.states where state.content.rows[0].isFavorite { break }
        guard case .appStore(.screenshotGallery(_, let position, let preview?)) = page.openScreenshot(at: 1)?.screen
        else {
            Issue.record("no gallery")
            return
        }
        let gallery = container.appDetailViewModel()
        gallery.showIfNeeded(preview, at: position)
        #expect(gallery.state.title == "2 of 3")
        #expect(gallery.state.gallery.current?.rawValue == "https://images.example/apps/teatimer/phone-2.jpg")
    }

    @Test func `uses the country and language of the locale`() async throws {
        let page = container(locale: "ko_KR").appDetailViewModel()
        await page.show(try AppStore.AppReference("https://apps.apple.com/app/tea-timer/id1500000001"))
        let details = try #require(page.state.content.details)
        #expect(details.main.name == "차 타이머")
        #expect(details.summary.map(\.value).prefix(2) == ["4.9 · 4.6만개의 평가", "4+"])
        #expect(details.facts.first { $0.id == "price" }?.value == "₩2,500")
        #expect(details.facts.first { $0.id == "size" }?.value == "124.7MB")
    }

    @Test func `shows every fixture, whatever values are missing`() async throws {
        let container = container()
        let search = container.appSearchViewModel()
        search.query.text = "e"
        await search.submit()
        let page = container.appDetailViewModel()
        #expect(search.state.content.rows.count > 20)
        for row in search.state.content.rows {
            page.showIfNeeded(EntityPreview(row.app))
            let details = try #require(page.state.content.details)
            #expect(details.facts.count == 8 && details.facts.allSatisfy { !$0.value.isEmpty })
            #expect(details.summary.allSatisfy { !$0.value.isEmpty })
            #expect(details.main.share.link.url != nil)
        }
    }

    @Test func `requests the configured URL, country, and language`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                headers: [("Content-Type", "text/javascript; charset=utf-8")],
                body: "\n\n{\"resultCount\":1,\"results\":[{\"trackId\":7,\"trackName\":\"Tea\"}]}"
            )
        }
        let locale = Locale(identifier: "de_DE")
        let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Configuration().with {
            $0.userAgent = "Tests/1"
            $0.locale = locale
            $0.storageFolder = folder
        }
        configuration.cacheByteLimit = 0
        configuration.appStore.url = try #require(URL(string: server.origin + "/shop/"))
        configuration.appStore.country = .southKorea
        configuration.appStore.language = try AppStore.Language("en_us")
        let container = Container(configuration)
        let page = container.appDetailViewModel()
        await page.show(try AppStore.AppReference("7"))
        #expect(page.state.content.details?.main.name == "Tea")
        let search = container.appSearchViewModel()
        search.query.text = "C++"
        await search.submit()
        #expect(
            server.requests.map(\.target) == [
                "/shop/lookup?id=7&country=kr&lang=en_us",
                "/shop/search?term=C%2B%2B&media=software&entity=software%2CiPadSoftware&limit=50&country=kr"
                    + "&lang=en_us",
            ]
        )
        #expect(
            server.requests.allSatisfy { $0.header("User-Agent") == "Tests/1" && $0.header("Authorization") == nil }
        )
    }

    @Test(arguments: [
        ("ko_KR", "kr"), ("en_GB", "gb"), ("de_CH", "ch"), ("en", "us"), ("en_001", "us"), ("es_419", "us"), ("", "us"),
        // Regions without a store of their own: mas-cli/mas#1094, nextcloud-passwords-ios#209.
        ("en_GI", "gb"), ("en_IM", "gb"), ("en_JE", "gb"), ("en_UK", "gb"), ("en_EU", "us"), ("es_PR", "us"),
        ("bn_BD", "us"), ("de_LI", "us"), ("it_SM", "us"), ("fr_MC", "us"), ("es_IC", "es"), ("es_EA", "es"),
        ("fr_RE", "fr"), ("sv_AX", "fi"), ("fo_FO", "dk"), ("nb_SJ", "no"),
    ])
    func `defaults to the country of the locale's region, or to another with a store`(locale: String, country: String) {
        let configuration = Configuration().with { $0.locale = Locale(identifier: locale) }
        #expect(configuration.storefront.country.code == country)
        #expect(configuration.storefront.language == nil)
    }
}
