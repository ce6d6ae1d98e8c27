import BrowseAppStoreDomain
@testable import BrowseAppStorePresentation
import BrowseDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseGitHubPresentation
@testable import BrowsePresentation

@Suite(.bounded) struct `The texts` {
    @Test(arguments: [
        ("ko", Texts.Language.korean), ("ko_KR", .korean), ("ko-Kore-KR", .korean), ("en_US", .english),
        ("fr_FR", .english),
        ("", .english), ("kok_IN", .english),
    ])
    func `are in Korean for Korean locales and in English for all others`(locale: String, language: Texts.Language) {
        #expect(Texts(locale: Locale(identifier: locale), timeZone: .gmt).language == language)
    }

    @Test func `have the words that every front end needs`() {
        let phrases: [Phrase] = [
            .loading, .more, .refresh, .retry, .search, .cancel, .close, .signIn, .signOut, .addFavorite,
            .removeFavorite, .star, .unstar,
        ]
        #expect(Set(phrases.map(\.id)).count == phrases.count)
        #expect(Set(phrases.map { Texts.english($0) }).count == phrases.count)
        #expect(phrases.allSatisfy { Texts.english($0) != Texts.korean($0) })
    }

    @Test(arguments: [(Texts.english, "see this"), (.korean, "내용을 보려면")])
    func `ask a person to sign in for a change as for what they read`(texts: Texts, purpose: String) {
        let info = BrowseError.RequestInfo(endpoint: "PUT /notes/1") { $0.hadNoCredentials = true }
        let message = texts.message(for: .unauthorized(info)).ofChange
        #expect(message.action == .signIn && !message.text.contains(purpose), "\(message.text)")
    }

    @Test(arguments: ["de_DE", "fr_FR", "ar_EG", "hi_IN", "pt_BR", "ja_JP", ""])
    func `format numbers and dates in English when the locale's language is missing`(locale: String) {
        let texts = Texts(locale: Locale(identifier: locale), timeZone: .gmt)
        let date = Date(timeIntervalSince1970: 1_295_981_076)
        #expect(texts(.count(1_234_567)) == "1,234,567")
        #expect(texts.formats.rating(AppStore.Rating(average: 4.75, count: 1)) == "4.7")
        #expect(texts.formats.day(date) == "Jan 25, 2011")
    }

    @Test(arguments: [("hi_IN@numbers=deva", "१२,३४५"), ("hi_IN", "12,345"), ("ar_EG", "12,345")])
    func `write digits that the reader chose, also in English for a missing language`(locale: String, number: String) {
        #expect(Texts(locale: Locale(identifier: locale), timeZone: .gmt)(.count(12_345)) == number)
    }

    /// nextcloud/ios#2302, quran/quran-ios#666
    @Test func `write the digits that the reader chose in each number, also in a singular`() {
        let phrases: [Phrase] = [
            .resultCount(1), .unreadable(1), .ratingCount(1), .appReference(.tooLong(by: 1)),
            .appReference(.tooLong(by: 2)), .signOutUnsent(1),
        ]
        for language in ["en", "ko", "hi"] {
            let texts = Texts(locale: Locale(identifier: "\(language)_IN@numbers=deva"), timeZone: .gmt)
            for phrase in phrases {
                let text = texts(phrase)
                #expect(text.contains { $0.isNumber } && !text.utf8.contains { (0x30...0x39).contains($0) }, "\(text)")
            }
        }
        #expect(Texts.english(.resultCount(1)) == "1 result" && Texts.english(.ratingCount(1)) == "1 rating")
    }

    /// Also in English for a reader in Thailand, whose language has no texts.
    @Test(arguments: [
        ("en_US@calendar=buddhist", "2554"), ("ko_KR@calendar=buddhist", "2554"), ("en_US@calendar=japanese", "23"),
        ("th_TH", "2554"), ("ko_KR", "2011"),
    ])
    func `write dates in the calendar of the locale`(locale: String, year: String) {
        let date = Date(timeIntervalSince1970: 1_295_981_076)
        let texts = Texts(locale: Locale(identifier: locale), timeZone: .gmt, now: { date })
        for text in [texts(.memberSince(date)), texts.formats.day(date), texts.formats.moment(date)] {
            #expect(text.contains(year), "\(text)")
        }
        #expect(!texts.formats.deadline(date).contains(year))
    }

    @Test(arguments: [Texts.english, .korean])
    func `isolate foreign text that has a direction of its own`(texts: Texts) {
        func message(_ text: String) -> String { texts.noResults(for: text).text }
        let plain = message("x")
        #expect(plain.contains("x") && !plain.contains("\u{2068}"))
        for (text, shown) in [
            ("\u{202E}abc", "\u{202E}abc"), ("שלום", "שלום"), ("\u{2067}a", "\u{2067}a\u{2069}"),
            ("\u{2069}\u{202E}a", "\u{202E}a"), ("\u{2066}a\u{2069}", "\u{2066}a\u{2069}"), ("a\u{200F}", "a\u{200F}"),
        ] {
            // A set of scalars, since a mark of direction combines with the quote before it.
            let expected = plain.unicodeScalars.split(separator: "x")
                .map { String(String.UnicodeScalarView($0)) }
                .joined(separator: "\u{2068}\(shown)\u{2069}")
            #expect(Array(message(text).unicodeScalars) == Array(expected.unicodeScalars), "\(text)")
        }
    }

    @Test func `format numbers by the region of an English or Korean locale`() {
        #expect(Texts(locale: Locale(identifier: "en_DE"), timeZone: .gmt)(.count(1_234)) == "1.234")
        #expect(Texts(locale: Locale(identifier: "ko_US"), timeZone: .gmt)(.count(1_234)) == "1,234")
    }

    @Test func `name the month in the user's time zone`() throws {
        // 31 May 2008, 23:00 UTC: already June in Seoul.
        let date = Date(timeIntervalSince1970: 1_212_274_800)
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        #expect(Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)(.memberSince(date)).contains("May 2008"))
        #expect(Texts(locale: Locale(identifier: "en_US"), timeZone: seoul)(.memberSince(date)).contains("June 2008"))
    }
}
