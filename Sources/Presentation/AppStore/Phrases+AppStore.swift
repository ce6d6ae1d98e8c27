extension Texts.Service {
    /// The App Store.
    public static let appStore: Texts.Service = Texts.Service(
        name: Phrase("appStore.name", "The App Store", ko: "App Store"),
        notFound: Phrase(
            "appStore.notFound",
            "The App Store of this country doesn’t have this app.",
            ko: "이 국가의 App Store에 그런 앱이 없습니다."
        )
    )
}

// The phrases of an app's page.
extension Phrase {
    static func ratingCount(_ count: Int) -> Phrase {
        Phrase("app.ratings", plural: count, one: "1 rating", "\(compact: count) ratings", ko: "\(compact: count)개의 평가")
    }
    static let noRating = Phrase("app.noRating", "Not enough ratings", ko: "평가가 충분하지 않음")
    static let notStated = Phrase("app.notStated", "Not stated", ko: "정보 없음")
    static let free = Phrase("app.free", "Free", ko: "무료")
    static func languages(_ first: String, more: Int) -> Phrase {
        more == 0
            ? Phrase("app.language", "\(first)", ko: "\(first)")
            : Phrase("app.languages", "\(first) and \(more) more", ko: "\(first) 외 \(more)개")
    }
    static func version(_ version: String) -> Phrase {
        Phrase("app.version", "Version \(version)", ko: "버전 \(version)")
    }
    static func minimumOS(_ version: String) -> Phrase {
        Phrase("app.minimumOS", "\(version) or later", ko: "\(version) 이상")
    }

    static let screenshotsTitle = Phrase("app.screenshots.title", "Preview", ko: "미리 보기")
    static let descriptionTitle = Phrase("app.description.title", "Description", ko: "설명")
    static let whatsNewTitle = Phrase("app.whatsNew.title", "What’s New", ko: "새로운 기능")
    static let informationTitle = Phrase("app.information.title", "Information", ko: "정보")
    static func infoTitle(_ kind: AppDetails.InfoRow.Kind) -> Phrase {
        switch kind {
        case .provider: Phrase("app.provider.title", "Provider", ko: "제공자")
        case .size: Phrase("app.size.title", "Size", ko: "크기")
        case .languages: Phrase("app.languages.title", "Languages", ko: "언어")
        case .age: Phrase("app.age.title", "Age Rating", ko: "연령 등급")
        case .price: Phrase("app.price.title", "Price", ko: "가격")
        case .version: Phrase("app.version.title", "Version", ko: "버전")
        case .minimumOS: Phrase("app.minimumOS.title", "Compatibility", ko: "호환성")
        case .releaseDate: Phrase("app.releaseDate.title", "Released", ko: "출시일")
        }
    }
    static let unfold = Phrase("app.description.more", "more", ko: "더 보기")
    static let fold = Phrase("app.description.less", "less", ko: "간략히 보기")
    static func screenshotPosition(_ number: Int, of count: Int) -> Phrase {
        Phrase("app.screenshot.position", "\(number) of \(count)", ko: "\(count)개 중 \(number)번째")
    }
}

// The hints for text that doesn't name an app.
extension Phrase {
    static let appReferenceEmpty = Phrase(
        "app.reference.empty",
        "Enter an app’s number or bundle identifier, or paste a link to it.",
        ko: "앱의 번호나 번들 ID를 입력하거나 링크를 붙여넣으십시오."
    )
    static func appReferenceInvisible(_ scalar: Unicode.Scalar) -> Phrase {
        Phrase(
            "app.reference.invisible",
            "The text contains an invisible character (\(scalar.code)). Remove it, or enter the text again.",
            ko: "보이지 않는 문자(\(scalar.code))가 있습니다. 지우거나 다시 입력하십시오."
        )
    }
    static func appLinkForeign(host: String) -> Phrase {
        host.isEmpty
            ? Phrase(
                "app.reference.notALink",
                "This link doesn’t lead to the App Store.",
                ko: "App Store로 연결되지 않는 링크입니다."
            )
            : Phrase(
                "app.reference.otherHost",
                "“\(host)” isn’t the App Store. Links to apps start with https://apps.apple.com/.",
                ko: "‘\(host)’은(는) App Store가 아닙니다. 앱 링크는 https://apps.apple.com/ 으로 시작합니다."
            )
    }
    static let appLinkWithoutID = Phrase(
        "app.reference.noNumber",
        "This link doesn’t lead to an app. A link to an app ends with “id” and a number.",
        ko: "앱으로 연결되지 않는 링크입니다. 앱 링크는 ‘id’와 번호로 끝납니다."
    )
    static func appReferenceCharacter(_ character: Character) -> Phrase {
        Phrase(
            "app.reference.character",
            "An app’s number or bundle identifier can’t contain “\(character.visible)”.",
            ko: "‘\(character.visible)’ 문자는 앱 번호나 번들 ID에 사용할 수 없습니다."
        )
    }
    static let appNumberOutOfRange = Phrase("app.reference.range", "No app has this number.", ko: "이런 번호의 앱은 없습니다.")
    static let bundleIDIncomplete = Phrase(
        "app.reference.incomplete",
        "A bundle identifier is words separated by periods, such as com.example.app.",
        ko: "번들 ID는 com.example.app처럼 마침표로 구분한 단어입니다."
    )
    static func bundleIDTooLong(by excess: Int) -> Phrase {
        Phrase(
            "app.reference.tooLong",
            plural: excess,
            one: "Remove 1 character. A bundle identifier has at most 255.",
            "Remove \(excess) characters. A bundle identifier has at most 255.",
            ko: "\(excess)자를 줄이십시오. 번들 ID는 255자까지입니다."
        )
    }
    static let appReferenceName = Phrase(
        "app.reference.name",
        "This isn’t a number, a bundle identifier, or a link. To find an app by name, search for it.",
        ko: "번호, 번들 ID, 링크가 아닙니다. 이름으로 찾으려면 검색하십시오."
    )
}
