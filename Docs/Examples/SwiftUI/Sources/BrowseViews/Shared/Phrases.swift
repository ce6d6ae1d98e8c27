import BrowseKit

/// The texts of this app; messages, titles, and details come from the SDK.
extension Phrase {
    static let followersTab = Phrase("app.followers", "Followers", ko: "팔로워")
    static let repositoriesTab = Phrase("app.repositories", "Repositories", ko: "저장소")
    static let favoritesTab = Phrase("app.favorites", "Favorites", ko: "즐겨찾기")
    static let charactersTab = Phrase("app.characters", "Characters", ko: "등장인물")
    static let appStoreTab = Phrase("app.appStore", "App Store", ko: "App Store")

    static let close = Phrase("app.close", "Close", ko: "닫기")
    static let cancel = Phrase("app.cancel", "Cancel", ko: "취소")
    static let filter = Phrase("app.filter", "Filter", ko: "필터")
    static let sort = Phrase("app.sort", "Sort By", ko: "정렬 기준")
    static let order = Phrase("app.order", "Order", ko: "순서")
    static let ascending = Phrase("app.ascending", "Ascending", ko: "오름차순")
    static let descending = Phrase("app.descending", "Descending", ko: "내림차순")
    static let byName = Phrase("app.byName", "Name", ko: "이름")
    static let byKind = Phrase("app.byKind", "Kind", ko: "종류")
    static let byDate = Phrase("app.byDate", "Date Added", ko: "추가한 날짜")
    static let any = Phrase("app.any", "Any", ko: "모두")

    static let favorite = Phrase("app.favorite", "Favorite", ko: "즐겨찾기")
    static let addFavorite = Phrase("app.addFavorite", "Add to Favorites", ko: "즐겨찾기에 추가")
    static let removeFavorite = Phrase("app.removeFavorite", "Remove from Favorites", ko: "즐겨찾기에서 제거")
    static let star = Phrase("app.star", "Star", ko: "별표")
    static let unstar = Phrase("app.unstar", "Unstar", ko: "별표 해제")

    static func starCount(_ count: Int, isStarred: Bool) -> Phrase {
        let stars = Phrase("app.stars", plural: count, one: "1 star", "\(count) stars", ko: "별표 \(count)개")
        return isStarred ? Phrase("app.starred", "Starred, \(stars)", ko: "별표 표시함, \(stars)") : stars
    }
}

/// GitHub.
extension Phrase {
    static let username = Phrase("app.username", "GitHub Username", ko: "GitHub 사용자 이름")
    static let showFollowers = Phrase("app.showFollowers", "Show Followers", ko: "팔로워 보기")
    static let following = Phrase("app.following", "Following", ko: "팔로잉")
    static let company = Phrase("app.company", "Company", ko: "회사")
    static let place = Phrase("app.place", "Location", ko: "위치")
    static let website = Phrase("app.website", "Website", ko: "웹사이트")
    static let gists = Phrase("app.gists", "Gists", ko: "Gist")
    static let account = Phrase("app.account", "Account", ko: "계정")
    static let profile = Phrase("app.profile", "Profile", ko: "프로필")
    static let ownRepositories = Phrase("app.ownRepositories", "Your Repositories", ko: "내 저장소")
    static let starred = Phrase("app.starredRepositories", "Starred", ko: "별표 표시한 저장소")
    static let signIn = Phrase("app.signIn", "Sign In", ko: "로그인")
    static let signOut = Phrase("app.signOut", "Sign Out", ko: "로그아웃")
    static let signInByBrowser = Phrase("app.signInByBrowser", "Sign In with GitHub", ko: "GitHub로 로그인")
    static let signInByCode = Phrase("app.signInByCode", "Sign In on Another Device", ko: "다른 기기에서 로그인")

    static func sort(_ sort: GitHub.RepoSearch.Sort) -> Phrase {
        switch sort {
        case .bestMatch: Phrase("app.sort.bestMatch", "Best Match", ko: "정확도")
        case .stars: Phrase("app.sort.stars", "Stars", ko: "별표")
        case .forks: Phrase("app.sort.forks", "Forks", ko: "포크")
        case .helpWantedIssues: Phrase("app.sort.helpWanted", "Help Wanted", ko: "도움 요청")
        case .updated: Phrase("app.sort.updated", "Recently Updated", ko: "최근 업데이트")
        }
    }
}

/// The Rick and Morty API.
extension Phrase {
    static let name = Phrase("app.name", "Name", ko: "이름")
    static let status = Phrase("app.status", "Status", ko: "상태")
    static let species = Phrase("app.species", "Species", ko: "종")
    static let gender = Phrase("app.gender", "Gender", ko: "성별")
    static let origin = Phrase("app.origin", "Origin", ko: "출신")
    static let location = Phrase("app.location", "Last Known Location", ko: "마지막 위치")
    static let episodes = Phrase("app.episodes", "Episodes", ko: "에피소드")
    static let episode = Phrase("app.episode", "Episode", ko: "에피소드")
    static let airDate = Phrase("app.airDate", "Air Date", ko: "방영일")
    static let type = Phrase("app.type", "Type", ko: "유형")
    static let dimension = Phrase("app.dimension", "Dimension", ko: "차원")
    static let residents = Phrase("app.residents", "Residents", ko: "거주자")
}

/// The App Store.
extension Phrase {
    static let searchApps = Phrase("app.searchApps", "Search", ko: "검색")
    static let rating = Phrase("app.rating", "Rating", ko: "평점")
    static let developer = Phrase("app.developer", "Developer", ko: "개발자")
    static let age = Phrase("app.age", "Age", ko: "연령")
    static let languages = Phrase("app.languages", "Languages", ko: "언어")
    static let lookUpApp = Phrase("app.lookUpApp", "Look Up", ko: "조회")

    static func appPrompt(_ mode: AppSearchViewModel.Mode) -> Phrase {
        switch mode {
        case .search: Phrase("app.prompt.search", "Apps", ko: "앱")
        case .lookUp: Phrase("app.prompt.lookUp", "ID, Bundle ID, or Link", ko: "ID, 번들 ID 또는 링크")
        }
    }

    static func screenshot(_ number: Int, of count: Int) -> Phrase {
        Phrase("app.screenshot", "Screenshot \(number) of \(count)", ko: "스크린샷 \(count)장 중 \(number)번째")
    }
}
