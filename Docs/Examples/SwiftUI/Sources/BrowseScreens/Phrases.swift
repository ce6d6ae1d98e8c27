import BrowseKit

/// The texts of this app; messages, titles, and details come from the SDK.
extension Phrase {
    static let followersTab = Phrase("views.followers", "Followers", ko: "팔로워")

    static let favorite = Phrase("views.favorite", "Favorite", ko: "즐겨찾기")

    static func starCount(_ count: Int, isStarred: Bool) -> Phrase {
        let stars = Phrase("views.stars", plural: count, one: "\(count) star", "\(count) stars", ko: "별표 \(count)개")
        return isStarred ? Phrase("views.starred", "Starred, \(stars)", ko: "별표 표시함, \(stars)") : stars
    }
}

/// GitHub.
extension Phrase {
    static let username = Phrase("views.username", "GitHub Username", ko: "GitHub 사용자 이름")
    static let showFollowers = Phrase("views.showFollowers", "Show Followers", ko: "팔로워 보기")
    static let repoPromptTitle = Phrase("views.repoPrompt.title", "Search Repositories", ko: "저장소 검색")
    static let repoPrompt = Phrase(
        "views.repoPrompt",
        "Find repositories on GitHub by name, topic, or language.",
        ko: "이름, 주제 또는 언어로 GitHub 저장소를 찾을 수 있습니다."
    )
    static let profile = Phrase("views.profile", "Profile", ko: "프로필")
    static let ownRepositories = Phrase("views.ownRepositories", "Your Repositories", ko: "내 저장소")
    static let starred = Phrase("views.starredRepositories", "Starred", ko: "별표 표시한 저장소")
}

/// The App Store.
extension Phrase {
    static let viewInAppStore = Phrase("views.viewInAppStore", "View in App Store", ko: "App Store에서 보기")

    static func appPromptTitle(_ mode: AppSearchViewModel.Mode) -> Phrase {
        switch mode {
        case .search: Phrase("views.appPrompt.search.title", "Search the App Store", ko: "App Store 검색")
        case .lookUp: Phrase("views.appPrompt.lookUp.title", "Look Up an App", ko: "앱 조회")
        }
    }

    static func appPromptText(_ mode: AppSearchViewModel.Mode) -> Phrase {
        switch mode {
        case .search:
            Phrase("views.appPrompt.search", "Enter the name of an app or a developer.", ko: "앱 또는 개발자의 이름을 입력하십시오.")
        case .lookUp:
            Phrase(
                "views.appPrompt.lookUp",
                "Enter an app ID or a bundle ID, or paste an App Store link.",
                ko: "앱 ID 또는 번들 ID를 입력하거나 App Store 링크를 붙여넣으십시오."
            )
        }
    }

    static let previousScreenshot = Phrase("views.previousScreenshot", "Previous Screenshot", ko: "이전 스크린샷")
    static let nextScreenshot = Phrase("views.nextScreenshot", "Next Screenshot", ko: "다음 스크린샷")
    static func screenshot(_ number: Int, of count: Int) -> Phrase {
        Phrase("views.screenshot", "Screenshot \(number) of \(count)", ko: "스크린샷 \(count)장 중 \(number)번째")
    }
}
