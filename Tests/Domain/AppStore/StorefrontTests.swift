import BrowseAppStoreDomain
import BrowseDomain
import TestLimits
import Testing

@Suite("Storefront", .bounded)
struct StorefrontTests {
    @Test(arguments: [("kr", "kr"), ("KR", "kr"), ("uS", "us"), ("zz", "zz")])
    func `has a country with a two-letter code`(typed: String, code: String) throws {
        #expect(try AppStore.Country(typed).code == code)
    }

    @Test(arguments: ["", "k", "kor", "k1", "12", " kr", "kr ", "한국", "é", "k\u{301}", "ｋｒ", "@[", "`{", "\u{0}a"])
    func `rejects other country codes`(typed: String) {
        #expect(throws: AppStore.Country.ValidationError.notTwoLetters) { try AppStore.Country(typed) }
    }

    @Test(arguments: [("ko_kr", "ko_kr"), ("ko-KR", "ko_kr"), ("en_US", "en_us"), ("JA_JP", "ja_jp")])
    func `writes a language in the store's format`(typed: String, code: String) throws {
        #expect(try AppStore.Language(typed).code == code)
    }

    @Test(arguments: [
        "", "ko", "_", "ko_", "_kr", "ko_kr_x", "ko kr", "kokr", "kor_kr", "ko_410", "zh-Hans", "ko_k1", "ko__kr",
        "한_kr", "ko_kr ", "k\u{301}_kr",
    ])
    func `rejects other language codes`(typed: String) {
        #expect(throws: AppStore.Language.ValidationError.notLanguageAndCountry) { try AppStore.Language(typed) }
    }

    @Test func `defaults to the United States`() {
        #expect(AppStore.Storefront().country == .unitedStates)
        #expect(AppStore.Storefront().language == nil)
        #expect(AppStore.Country.unitedStates == (try? AppStore.Country("us")))
        #expect(AppStore.Country.southKorea == (try? AppStore.Country("kr")))
    }
}
