import BrowseAppStoreDomain
import BrowseDomain
import Foundation
import TestLimits
import Testing

@Suite("App", .bounded)
struct AppTests {
    private func app(languages: [String] = [], page: String? = nil) -> AppStore.App {
        AppStore.App(id: AppStore.AppID(7), name: "Tea") {
            $0.languageCodes = languages
            $0.storePage = page.map(WebAddress.init(rawValue:))
        }
    }

    @Test func `needs only a number and a name, and invents no values`() {
        let app = AppStore.App(id: AppStore.AppID(7), name: " Tea ")
        #expect(app.name == "Tea")
        #expect(app.bundleID == nil && app.developer == nil && app.rating == nil && app.price == nil)
        #expect(app.fileSize == nil && app.versionDate == nil && app.releaseDate == nil && app.storePage == nil)
        #expect(app.icon.largest == nil && app.icon.forRow == nil && app.screenshots.shown.isEmpty)
    }

    @Test func `has each language once, in lowercase and in the store's order`() {
        #expect(app(languages: ["ZH", "EN", "", "ZH", "en", "KO"]).languageCodes == ["zh", "en", "ko"])
    }

    @Test(
        arguments: [
            ("https://apps.apple.com/us/app/tea/id7?uo=4", "https://apps.apple.com/us/app/tea/id7?uo=4"),
            (nil, "https://apps.apple.com/app/id7"), ("", "https://apps.apple.com/app/id7"),
            ("javascript:alert(1)", "https://apps.apple.com/app/id7"),
            ("file:///etc/hosts", "https://apps.apple.com/app/id7"),
        ] as [(String?, String)]
    )
    func `always has a valid link`(page: String?, link: String) {
        #expect(app(page: page).link.rawValue == link)
        #expect(app(page: page).link.url != nil)
    }

    @Test func `shows the screenshots of the first device that has any`() {
        let (a, b, c) = (WebAddress(rawValue: "a"), WebAddress(rawValue: "b"), WebAddress(rawValue: "c"))
        #expect(AppStore.App.Screenshots(main: [a], iPad: [b], appleTV: [c]).shown == [a])
        #expect(AppStore.App.Screenshots(iPad: [b], appleTV: [c]).shown == [b])
        #expect(AppStore.App.Screenshots(appleTV: [c]).shown == [c])
    }

    @Test func `has an icon for each purpose if it has any size`() {
        let (s, m, l) = (WebAddress(rawValue: "s"), WebAddress(rawValue: "m"), WebAddress(rawValue: "l"))
        typealias Icon = AppStore.App.Icon
        #expect(Icon(small: s, medium: m, large: l).largest == l && Icon(small: s, medium: m, large: l).forRow == m)
        #expect(Icon(small: s, medium: m).largest == m && Icon(small: s, large: l).forRow == l)
        #expect(Icon(small: s).largest == s && Icon(small: s).forRow == s)
    }

    @Test func `has a price if the amount or the text is known`() {
        typealias Price = AppStore.App.Price
        #expect(Price(amount: nil, currency: "USD", text: " ") == nil)
        #expect(Price(amount: 0, currency: "USD", text: nil)?.amount == 0)
        #expect(Price(amount: nil, currency: "", text: " Free ")?.text == "Free")
        #expect(Price(amount: nil, currency: "", text: "Free")?.currency == nil)
    }
}
