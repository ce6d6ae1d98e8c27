import BrowseAppStoreDomain
import BrowseDomain
import TestLimits
import Testing

@Suite("Bundle identifier", .bounded)
struct AppStoreBundleIDTests {
    typealias ValidationError = AppStore.AppReference.ValidationError

    @Test(arguments: [
        "com.facebook.Facebook", "a.b", "com.example.app-2", "9.9", "com.apple.dt.Xcode", "A.B.C.D.E.F", "-.-",
        "a." + String(repeating: "x", count: 253),
    ])
    func `is trimmed and otherwise unchanged`(text: String) throws {
        #expect(try AppStore.BundleID(typed: " \(text)\n").rawValue == text)
        #expect(try AppStore.AppReference(" \(text)\n") == .bundleID(AppStore.BundleID(rawValue: text)))
    }

    @Test(arguments: [
        ("com.exa mple", ValidationError.characterNotAllowed(" ")), ("com.example*app", .characterNotAllowed("*")),
        ("com.예시", .characterNotAllowed("예")), ("com.a\u{301}pp", .characterNotAllowed("a\u{301}")),
        ("com.example?x=1", .characterNotAllowed("?")), ("com.a&id=5", .characterNotAllowed("&")),
        ("com..example", .incompleteBundleID), (".com", .incompleteBundleID),
        ("com.", .incompleteBundleID), (".", .incompleteBundleID),
        ("a." + String(repeating: "x", count: 256), .tooLong(by: 3)),
    ])
    func `is rejected with the reason`(text: String, reason: ValidationError) {
        #expect(throws: reason) { try AppStore.BundleID(typed: text) }
        #expect(throws: reason) { try AppStore.AppReference(text) }
    }

    @Test(arguments: ["facebook", "페이스북", "com-example", "word word", "_"])
    func `isn't an app's name`(text: String) {
        #expect(throws: ValidationError.name) { try AppStore.AppReference(text) }
    }

    @Test func `is kept as the store or a program writes it`() {
        for text in ["com.example.app", "facebook", "com.example_app ", ""] {
            #expect(AppStore.BundleID(text).rawValue == text)
            #expect(AppStore.BundleID(text) == AppStore.BundleID(rawValue: text))
            #expect("\(AppStore.BundleID(text))" == text)
        }
    }

    @Test func `needs two components`() {
        #expect(throws: ValidationError.incompleteBundleID) { try AppStore.BundleID(typed: "facebook") }
    }
}

@Suite("Storefront", .bounded)
struct AppStoreStorefrontTests {
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

    @Test(arguments: [("a", "a"), (" a b ", "a b"), ("C++ & 하늘\n", "C++ & 하늘")])
    func `trims a search term`(typed: String, text: String) throws {
        #expect(try AppStore.SearchTerm(typed).text == text)
    }

    @Test(arguments: ["", " ", "\n\u{3000}\t"])
    func `rejects a blank search term`(typed: String) {
        #expect(throws: AppStore.SearchTerm.ValidationError.blank) { try AppStore.SearchTerm(typed) }
    }
}
