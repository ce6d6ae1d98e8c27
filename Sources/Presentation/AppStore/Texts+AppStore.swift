import BrowseAppStoreDomain
@_spi(Services) public import BrowsePresentation
import Foundation

// swift-format-ignore
extension Texts.Service {
    /// The App Store.
    public static let appStore: Texts.Service = Texts.Service(
        name: Phrase("appStore.name", "The App Store", ko: "App Store"),
        notFound: notInStorefront,
        gone: notInStorefront)
    private static let notInStorefront = Phrase("appStore.notFound",
        "This app isn’t available in the App Store of this country or region.",
        ko: "이 국가 또는 지역의 App Store에서는 이 앱을 사용할 수 없습니다.")
}

// swift-format-ignore
extension Phrase {
    static let mode = Phrase("app.mode", "Find", ko: "찾기")
    static let byName = Phrase("app.mode.search", "By Name", ko: "이름으로")
    static let byReference = Phrase("app.mode.lookUp", "By ID or Link", ko: "ID 또는 링크로")

    static func firstResults(_ count: Int) -> Phrase {
        Phrase("app.firstResults", "First \(count) results", ko: "처음 결과 \(count)개")
    }
    static func ratingCount(_ count: Int) -> Phrase {
        Phrase("app.ratings", plural: count, one: "\(count) rating", "\(compact: count) ratings", ko: "\(compact: count)개의 평가")
    }
    static let noRating = Phrase("app.noRating", "Not enough ratings", ko: "평가가 충분하지 않음")
    static let notStated = Phrase("app.notStated", "Not specified", ko: "정보 없음")
    static let free = Phrase("app.free", "Free", ko: "무료")
    static func languages(_ first: String, more: Int) -> Phrase {
        more == 0
            ? Phrase("app.language", "\(first)", ko: "\(first)")
            : Phrase("app.languages", "\(first) and \(more) more", ko: "\(first) 외 \(more)개")
    }
    static func version(_ version: String) -> Phrase {
        Phrase("app.version", "Version \(version)", ko: "버전 \(version)")
    }
    static func minimumOS(_ version: String, of platform: AppStore.App.Platform?) -> Phrase {
        switch platform {
        case .iOS: Phrase("app.minimumOS.iOS", "iOS \(version) or later", ko: "iOS \(version) 이상")
        case .mac: Phrase("app.minimumOS.mac", "macOS \(version) or later", ko: "macOS \(version) 이상")
        case nil: Phrase("app.minimumOS", "\(version) or later", ko: "\(version) 이상")
        }
    }

    static let screenshotsTitle = Phrase("app.screenshots.title", "Preview", ko: "미리 보기")
    static let descriptionTitle = Phrase("app.description.title", "Description", ko: "설명")
    static let whatsNewTitle = Phrase("app.whatsNew.title", "What’s New", ko: "새로운 기능")
    static let informationTitle = Phrase("app.information.title", "Information", ko: "정보")
    static let provider = Phrase("app.provider.title", "Provider", ko: "제공자")
    static let size = Phrase("app.size.title", "Size", ko: "크기")
    static let languagesTitle = Phrase("app.languages.title", "Languages", ko: "언어")
    static let ageRating = Phrase("app.age.title", "Age Rating", ko: "연령 등급")
    static let price = Phrase("app.price.title", "Price", ko: "가격")
    static let versionTitle = Phrase("app.version.title", "Version", ko: "버전")
    static let compatibility = Phrase("app.minimumOS.title", "Compatibility", ko: "호환성")
    static let released = Phrase("app.releaseDate.title", "Released", ko: "출시일")
    static let expected = Phrase("app.expectedDate.title", "Expected", ko: "출시 예정")
    static let rating = Phrase("app.rating.title", "Rating", ko: "평점")
    static let age = Phrase("app.summary.age.title", "Age", ko: "연령")
    static let genre = Phrase("app.genre.title", "Genre", ko: "장르")
    static let developer = Phrase("app.developer.title", "Developer", ko: "개발자")
    static let expand = Phrase("app.description.more", "more", ko: "더 보기")
    static let collapse = Phrase("app.description.less", "less", ko: "간략히 보기")
    static func screenshotPosition(_ number: Int, of count: Int) -> Phrase {
        Phrase("app.screenshot.position", "\(number) of \(count)", ko: "\(count)개 중 \(number)번째")
    }

    /// The hint for text that doesn't identify an app.
    static func appReference(_ error: AppStore.AppReference.ValidationError) -> Phrase {
        switch error {
        case .empty:
            Phrase("app.reference.empty", "Enter an app ID or a bundle ID, or paste an App Store link.",
                ko: "앱 ID 또는 번들 ID를 입력하거나 App Store 링크를 붙여넣으십시오.")
        case .foreignLink(host: ""):
            Phrase("app.reference.notALink", "This link doesn’t lead to the App Store.",
                ko: "App Store로 연결되지 않는 링크입니다.")
        case .foreignLink(let host):
            // Shortened, because text in place of a host can have any length.
            Phrase("app.reference.otherHost",
                "“\(host.prefix(60))” isn’t the App Store. Links to apps start with https://apps.apple.com/.",
                ko: "‘\(host.prefix(60))’ 링크는 App Store로 연결되지 않습니다. 앱 링크는 https://apps.apple.com/ 주소로 시작합니다.")
        case .noIDInLink:
            Phrase("app.reference.noNumber",
                "This link contains no app number. A link to an app has “/app/” in it, and “id” with a number at its end.",
                ko: "앱 번호가 없는 링크입니다. 앱 링크에는 ‘/app/’이 들어 있고 ‘id’와 번호로 끝납니다.")
        case .characterNotAllowed(let character):
            Phrase("app.reference.character", "App IDs and bundle IDs can’t contain \(.character(character)).",
                ko: "앱 ID와 번들 ID에는 \(.character(character)) 문자를 사용할 수 없습니다.")
        case .outOfRange:
            Phrase("app.reference.range", "There’s no app with this ID.", ko: "이 ID의 앱이 없습니다.")
        case .incompleteBundleID:
            Phrase("app.reference.incomplete",
                "A bundle ID consists of words separated by periods, such as com.example.app.",
                ko: "번들 ID는 com.example.app처럼 마침표로 구분된 단어로 이루어집니다.")
        case .tooLong(let excess):
            Phrase("app.reference.tooLong", plural: excess, one: "Remove \(excess) character. A bundle ID has at most \(255).",
                "Remove \(excess) characters. A bundle ID has at most \(255).",
                ko: "\(excess)자를 줄이십시오. 번들 ID는 \(255)자까지입니다.")
        case .name:
            Phrase("app.reference.name", "This isn’t an app ID, a bundle ID, or a link. To find an app by name, search for it.",
                ko: "앱 ID, 번들 ID, 링크가 아닙니다. 이름으로 찾으려면 검색하십시오.")
        }
    }
}

extension Texts {
    /// Returns a size in the reader's units; `nil` if it's missing.
    func size(_ bytes: Int64?) -> String? {
        bytes.flatMap { $0 < 0 ? nil : formats.size($0) }
    }

    /// Returns the store's text for a price, or a localized price; `nil` if it's missing.
    func price(_ price: AppStore.App.Price?) -> String? {
        price?.text ?? price?.amount.map { $0 == 0 ? self(.free) : formats.price($0, currency: price?.currency) }
    }

    /// Returns the localized names of languages, the reader's own first.
    func languageNames(_ codes: [String]) -> [String] {
        let reader = language.code
        return (codes.filter { $0 == reader } + codes.filter { $0 != reader }).map(formats.languageName)
    }
}
