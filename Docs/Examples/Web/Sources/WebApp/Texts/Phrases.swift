import BrowseKit

// The strings that only this site has; the SDK's view models supply all others.
// swift-format-ignore
extension Phrase {
    static let siteTitle = Phrase("web.title", "Browse", ko: "브라우즈")
    static let users = Phrase("web.users", "Users", ko: "사용자")
    static let repos = Phrase("web.repos", "Repositories", ko: "저장소")
    static let favorites = Phrase("web.favorites", "Favorites", ko: "즐겨찾기")
    static let characters = Phrase("web.characters", "Characters", ko: "등장인물")
    static let episodes = Phrase("web.episodes", "Episodes", ko: "에피소드")
    static let locations = Phrase("web.locations", "Locations", ko: "장소")
    static let apps = Phrase("web.apps", "Apps", ko: "앱")
    static let account = Phrase("web.account", "Account", ko: "계정")
    static let skip = Phrase("web.skip", "Skip to content", ko: "본문으로 건너뛰기")
    static let navigation = Phrase("web.navigation", "Main", ko: "기본 메뉴")

    static let query = Phrase("web.query", "Search for", ko: "검색어")
    static let scope = Phrase("web.scope", "Search in", ko: "검색 범위")
    static let search = Phrase("web.search", "Search", ko: "검색")
    static let loading = Phrase("web.loading", "Loading…", ko: "불러오는 중…")
    static let more = Phrase("web.more", "Show More", ko: "더 보기")
    static let dismiss = Phrase("web.dismiss", "Dismiss", ko: "닫기")

    static func addFavorite(_ name: String) -> Phrase {
        Phrase("web.favorite.add", "Add \(name) to favorites", ko: "\(name) 즐겨찾기에 추가")
    }
    static func removeFavorite(_ name: String) -> Phrase {
        Phrase("web.favorite.remove", "Remove \(name) from favorites", ko: "\(name) 즐겨찾기에서 삭제")
    }
}
