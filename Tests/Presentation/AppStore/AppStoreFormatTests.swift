import BrowseAppStoreDomain
@testable import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
@testable import BrowseGitHubPresentation
import Foundation
import TestLimits
import Testing

@testable import BrowsePresentation

@Suite("What stands on an App Store page", .bounded)
struct AppStoreFormatTests {
    private let english = Texts.english
    private let korean = Texts.korean

    @Test(
        arguments: [
            (0, "0.0"), (0.49, "0.4"), (0.5, "0.5"), (4.7, "4.7"), (4.75, "4.7"), (4.96, "4.9"), (4.999, "4.9"),
            (5, "5.0"),
            (5.1, "5.0"), (-1, "0.0"), (.nan, "0.0"), (0.3, "0.3"), (2.3, "2.3"),
        ] as [(Double, String)]
    )
    func `formats a rating with one decimal, rounded down`(average: Double, text: String) {
        let rating = AppStore.Rating(average: average, count: 3)
        #expect(english.formats.rating(rating) == text)
        #expect(korean.formats.rating(rating) == text)
        #expect(RatingLabel(rating, texts: english)?.average == text)
    }

    /// microsoft/vsmarketplace#103: nobody can give no star.
    @Test(arguments: [(0, nil), (.nan, nil), (0, 0), (4.5, 0)] as [(Double, Int?)])
    func `has no rating that nobody gave`(average: Double, count: Int?) {
        let app = AppStore.App(id: AppStore.AppID(1), name: "Tea") {
            $0.rating = AppStore.Rating(average: average, count: count)
        }
        #expect(AppRow(app, texts: english).rating == nil)
        #expect(AppDetails(app, texts: korean).summary.first?.value == "평가가 충분하지 않음")
    }

    @Test func `formats every tenth as itself, and a rating just below it rounded down`() throws {
        func text(_ average: Double) -> String { english.formats.rating(AppStore.Rating(average: average)) }
        var lower: String?
        for tenths in 0...50 {
            let expected = "\(tenths / 10).\(tenths % 10)"
            let value = try #require(Double(expected))
            #expect(text(value) == expected && text(value.nextUp) == expected, "\(value)")
            if let lower { #expect(text(value.nextDown) == lower, "\(value)") }
            lower = expected
        }
    }

    @Test func `formats a rating with localized digits`() {
        let german = Formats(locale: Locale(identifier: "de_DE"), timeZone: .gmt)
        #expect(german.rating(AppStore.Rating(average: 4.75)) == "4,7")
    }

    @Test(arguments: [
        (0, "0", "0"), (999, "999", "999"), (1_000, "1K", "1천"), (6_900, "6.9K", "6.9천"), (9_999, "10K", "1만"),
        (12_345, "12K", "1.2만"), (46_000, "46K", "4.6만"), (1_234_567, "1.2M", "123만"),
    ])
    func `formats a count for the language`(count: Int, inEnglish: String, inKorean: String) {
        #expect(english.formats.compact(count) == inEnglish)
        #expect(korean.formats.compact(count) == inKorean)
        #expect(english(.ratingCount(count)) == "\(inEnglish) ratings")
        #expect(korean(.ratingCount(count)) == "\(inKorean)개의 평가")
    }

    @Test func `formats a single rating in the singular`() {
        #expect(english(.ratingCount(1)) == "1 rating")
        #expect(korean(.ratingCount(1)) == "1개의 평가")
    }

    @Test(
        arguments: [
            (0, "0 bytes", "0바이트"), (1_023, "1 kB", "1kB"), (124_699_648, "124.7 MB", "124.7MB"),
            (2_500_000_000, "2.5 GB", "2.5GB"), (nil, nil, nil), (-1, nil, nil),
        ] as [(Int64?, String?, String?)]
    )
    func `formats a size in localized units`(bytes: Int64?, inEnglish: String?, inKorean: String?) {
        #expect(english.size(bytes) == inEnglish)
        #expect(korean.size(bytes) == inKorean)
    }

    @Test(arguments: [
        ("fr", "French", "프랑스어"), ("FR", "French", "프랑스어"), ("ko", "Korean", "한국어"), ("zh", "Chinese", "중국어"),
        ("xx", "XX", "XX"), ("", "", ""),
    ])
    func `formats a language by name or by code`(code: String, inEnglish: String, inKorean: String) {
        #expect(english.formats.languageName(code) == inEnglish)
        #expect(korean.formats.languageName(code) == inKorean)
    }

    @Test func `lists the user's language first`() {
        #expect(english.languageNames(["fr", "ko", "en"]) == ["English", "French", "Korean"])
        #expect(korean.languageNames(["fr", "ko", "en"]) == ["한국어", "프랑스어", "영어"])
        #expect(korean.languageNames(["fr", "en"]) == ["프랑스어", "영어"])
        #expect(english.languageNames([]).isEmpty)
    }

    @Test(
        arguments: [
            (.init(amount: 0, currency: "USD", text: "Free"), "Free", "Free"),
            (.init(amount: 2_500, currency: "KRW", text: "₩2,500"), "₩2,500", "₩2,500"),
            (.init(amount: 0, currency: "USD", text: nil), "Free", "무료"),
            (.init(amount: Decimal(string: "1.99"), currency: "USD", text: nil), "$1.99", "US$1.99"),
            (.init(amount: Decimal(string: "1.99"), currency: nil, text: nil), "1.99", "1.99"),
            (nil, nil, nil),
        ] as [(AppStore.App.Price?, String?, String?)]
    )
    func `formats a price as the App Store does, or by locale`(
        price: AppStore.App.Price?,
        inEnglish: String?,
        inKorean: String?
    ) {
        #expect(english.price(price) == inEnglish)
        #expect(korean.price(price) == inKorean)
    }

    @Test(arguments: [
        ("", "", false), ("Short.", "Short.", false), ("One.\nTwo.\nThree.", "One.\nTwo.\nThree.", false),
        ("One.\nTwo.\nThree.\n\n", "One.\nTwo.\nThree.\n\n", false),
        ("One.\nTwo.\nThree.\nFour.", "One.\nTwo.\nThree.…", true), ("One.\r\n\r\n\r\nFour.", "One.…", true),
        (String(repeating: "a", count: 200), String(repeating: "a", count: 200), false),
        (String(repeating: "a", count: 201), String(repeating: "a", count: 200) + "…", true),
        (String(repeating: "차", count: 300), String(repeating: "차", count: 200) + "…", true),
        (String(repeating: "👩‍👩‍👧", count: 201), String(repeating: "👩‍👩‍👧", count: 200) + "…", true),
        (String(repeating: "nine char ", count: 30), String(repeating: "nine char ", count: 19) + "nine char…", true),
        (String(repeating: "word ", count: 39) + "longer text", String(repeating: "word ", count: 38) + "word…", true),
        (String(repeating: "b", count: 195) + " " + "five", String(repeating: "b", count: 195) + " five", false),
    ])
    func `folds a long description after a word`(text: String, preview: String, isExpandable: Bool) {
        let expandable = ExpandableText(text)
        #expect(expandable.preview == preview)
        #expect(expandable.isExpandable == isExpandable)
        #expect(expandable.text == text)
    }
}

@Suite("Refusals and failures of the App Store", .bounded)
struct AppStoreMessageTests {
    private typealias ValidationError = AppStore.AppReference.ValidationError

    private static let refusals: [ValidationError] = [
        .empty, .foreignLink(host: "evil.example"), .foreignLink(host: ""),
        .noIDInLink,
        .characterNotAllowed("ａ"), .outOfRange, .incompleteBundleID, .tooLong(by: 1_234), .name,
    ]

    @Test func `have different texts for each error, in both languages`() {
        for texts in [Texts.english, .korean] {
            let words = Set(Self.refusals.map { texts(.appReference($0)) })
            #expect(words.count == Self.refusals.count)
            #expect(words.allSatisfy { !$0.isEmpty })
            #expect(texts(.appReference(.foreignLink(host: "evil.example"))).contains("evil.example"))
            #expect(texts(.appReference(.foreignLink(host: String(repeating: "x", count: 9_999)))).count < 200)
            #expect(texts(.appReference(.characterNotAllowed("\n"))).contains("U+000A"))
            #expect(texts(.appReference(.tooLong(by: 1_234))).contains("1,234"))
        }
    }

    @Test func `name the App Store, and GitHub's errors name GitHub`() {
        let info = BrowseError.RequestInfo(endpoint: "GET /lookup")
        let limit = BrowseError.RateLimit(
            kind: .secondary,
            retryAt: Date(timeIntervalSince1970: 0),
            isServerTime: false
        )
        let errors: [BrowseError] = [
            .notFound(info), .rateLimited(limit, info), .forbidden(info), .rejected(info), .unauthorized(info),
        ]
        for error in errors {
            let shop = Texts.english.about(.appStore).message(for: error)
            #expect(shop.text.contains("App Store") && !shop.text.contains("GitHub"))
            let gitHub = Texts.english.about(.gitHub).message(for: error)
            #expect(gitHub.text.contains("GitHub") && !gitHub.text.contains("App Store"))
            #expect(shop.kind == gitHub.kind && shop.title == gitHub.title && shop.action == gitHub.action)
            #expect(!Texts.korean.about(.appStore).message(for: error).text.contains("GitHub"))
        }
        #expect(Texts.english.about(.appStore).language == .english)
        #expect(
            Texts.korean.about(.appStore).message(for: .notFound(info)).text
                == "이 국가 또는 지역의 App Store에서는 이 앱을 사용할 수 없습니다."
        )
    }
}
