import BrowseKit

/// The texts of this app; messages, titles, and details come from the SDK.
extension Phrase {
    static let followersTab = Phrase("views.followers", "Followers", ko: "팔로워")
    static let repositoriesTab = Phrase("views.repositories", "Repositories", ko: "저장소")
    static let favoritesTab = Phrase("views.favorites", "Favorites", ko: "즐겨찾기")
    static let charactersTab = Phrase("views.characters", "Characters", ko: "등장인물")
    static let appStoreTab = Phrase("views.appStore", "App Store", ko: "App Store")

    static let close = Phrase("views.close", "Close", ko: "닫기")
    static let cancel = Phrase("views.cancel", "Cancel", ko: "취소")
    static let refresh = Phrase("views.refresh", "Refresh", ko: "새로 고침")
    static let filter = Phrase("views.filter", "Filter", ko: "필터")
    static let sort = Phrase("views.sort", "Sort By", ko: "정렬 기준")
    static let order = Phrase("views.order", "Order", ko: "순서")
    static let ascending = Phrase("views.ascending", "Ascending", ko: "오름차순")
    static let descending = Phrase("views.descending", "Descending", ko: "내림차순")
    static let byName = Phrase("views.byName", "Name", ko: "이름")
    static let byKind = Phrase("views.byKind", "Kind", ko: "종류")
    static let byDate = Phrase("views.byDate", "Date Added", ko: "추가한 날짜")
    static let loadMore = Phrase("views.loadMore", "Load More", ko: "더 보기")
    static let any = Phrase("views.any", "Any", ko: "모두")

    static let favorite = Phrase("views.favorite", "Favorite", ko: "즐겨찾기")
    static let addFavorite = Phrase("views.addFavorite", "Add to Favorites", ko: "즐겨찾기에 추가")
    static let removeFavorite = Phrase("views.removeFavorite", "Remove from Favorites", ko: "즐겨찾기에서 제거")
    static let star = Phrase("views.star", "Star", ko: "별표")
    static let unstar = Phrase("views.unstar", "Unstar", ko: "별표 해제")

    static func starCount(_ count: Int, isStarred: Bool) -> Phrase {
        let stars = Phrase("views.stars", plural: count, one: "1 star", "\(count) stars", ko: "별표 \(count)개")
        return isStarred ? Phrase("views.starred", "Starred, \(stars)", ko: "별표 표시함, \(stars)") : stars
    }
}

/// GitHub.
extension Phrase {
    static let username = Phrase("views.username", "GitHub Username", ko: "GitHub 사용자 이름")
    static let showFollowers = Phrase("views.showFollowers", "Show Followers", ko: "팔로워 보기")
    static let following = Phrase("views.following", "Following", ko: "팔로잉")
    static let company = Phrase("views.company", "Company", ko: "회사")
    static let place = Phrase("views.place", "Location", ko: "위치")
    static let website = Phrase("views.website", "Website", ko: "웹사이트")
    static let gists = Phrase("views.gists", "Gists", ko: "Gist")
    static let repoPromptTitle = Phrase("views.repoPrompt.title", "Search Repositories", ko: "저장소 검색")
    static let repoPrompt = Phrase(
        "views.repoPrompt",
        "Find repositories on GitHub by name, topic, or language.",
        ko: "이름, 주제 또는 언어로 GitHub 저장소를 찾을 수 있습니다."
    )
    static let account = Phrase("views.account", "Account", ko: "계정")
    static let profile = Phrase("views.profile", "Profile", ko: "프로필")
    static let ownRepositories = Phrase("views.ownRepositories", "Your Repositories", ko: "내 저장소")
    static let starred = Phrase("views.starredRepositories", "Starred", ko: "별표 표시한 저장소")
    static let signIn = Phrase("views.signIn", "Sign In", ko: "로그인")
    static let signOut = Phrase("views.signOut", "Sign Out", ko: "로그아웃")
    static let signInByBrowser = Phrase("views.signInByBrowser", "Sign In with GitHub", ko: "GitHub로 로그인")
    static let signInByCode = Phrase("views.signInByCode", "Sign In on Another Device", ko: "다른 기기에서 로그인")

    static func sort(_ sort: GitHub.RepoSearch.Sort) -> Phrase {
        switch sort {
        case .bestMatch: Phrase("views.sort.bestMatch", "Best Match", ko: "정확도")
        case .stars: Phrase("views.sort.stars", "Stars", ko: "별표")
        case .forks: Phrase("views.sort.forks", "Forks", ko: "포크")
        case .helpWantedIssues: Phrase("views.sort.helpWanted", "Help Wanted", ko: "도움 요청")
        case .updated: Phrase("views.sort.updated", "Recently Updated", ko: "최근 업데이트")
        }
    }
}

/// The Rick and Morty API.
extension Phrase {
    static let name = Phrase("views.name", "Name", ko: "이름")
    static let status = Phrase("views.status", "Status", ko: "상태")
    static let species = Phrase("views.species", "Species", ko: "종")
    static let gender = Phrase("views.gender", "Gender", ko: "성별")
    static let origin = Phrase("views.origin", "Origin", ko: "출신")
    static let location = Phrase("views.location", "Last Known Location", ko: "마지막 위치")
    static let episodes = Phrase("views.episodes", "Episodes", ko: "에피소드")
    static let episode = Phrase("views.episode", "Episode", ko: "에피소드")
    static let airDate = Phrase("views.airDate", "Air Date", ko: "방영일")
    static let type = Phrase("views.type", "Type", ko: "유형")
    static let dimension = Phrase("views.dimension", "Dimension", ko: "차원")
    static let residents = Phrase("views.residents", "Residents", ko: "주민")
}

/// The App Store.
extension Phrase {
    static let searchApps = Phrase("views.searchApps", "Search", ko: "검색")
    static let rating = Phrase("views.rating", "Rating", ko: "평점")
    static let developer = Phrase("views.developer", "Developer", ko: "개발자")
    static let age = Phrase("views.age", "Age", ko: "연령")
    static let languages = Phrase("views.languages", "Languages", ko: "언어")
    static let viewInAppStore = Phrase("views.viewInAppStore", "View in App Store", ko: "App Store에서 보기")
    static let lookUpApp = Phrase("views.lookUpApp", "Look Up", ko: "조회")

    static func appPrompt(_ mode: AppSearchViewModel.Mode) -> Phrase {
        switch mode {
        case .search: Phrase("views.prompt.search", "Apps", ko: "앱")
        case .lookUp: Phrase("views.prompt.lookUp", "ID, Bundle ID, or Link", ko: "ID, 번들 ID 또는 링크")
        }
    }

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
