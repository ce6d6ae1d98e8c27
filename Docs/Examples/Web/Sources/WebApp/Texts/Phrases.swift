import BrowseKit

// The strings that only this site has; the SDK's view models supply all others.
// swift-format-ignore
extension Phrase {
    static let siteTitle = Phrase("web.title", "BrowseKit", ko: "BrowseKit")
    static let users = Phrase("web.users", "Users", ko: "사용자")
    static let repos = Phrase("web.repos", "Repositories", ko: "저장소")
    static let favorites = Phrase("web.favorites", "Favorites", ko: "즐겨찾기")
    static let characters = Phrase("web.characters", "Characters", ko: "등장인물")
    static let episodes = Phrase("web.episodes", "Episodes", ko: "에피소드")
    static let locations = Phrase("web.locations", "Locations", ko: "장소")
    static let residents = Phrase("web.residents", "Residents", ko: "주민")
    static let apps = Phrase("web.apps", "Apps", ko: "앱")
    static let account = Phrase("web.account", "Account", ko: "계정")
    static let skip = Phrase("web.skip", "Skip to content", ko: "본문으로 건너뛰기")
    static let navigation = Phrase("web.navigation", "Main", ko: "기본 메뉴")
    static let languages = Phrase("web.languages", "Language", ko: "언어")

    static let query = Phrase("web.query", "Search for", ko: "검색어")
    static let scope = Phrase("web.scope", "Search in", ko: "검색 범위")
    static let search = Phrase("web.search", "Search", ko: "검색")
    static let filter = Phrase("web.filter", "Filter", ko: "필터")
    static let apply = Phrase("web.apply", "Apply", ko: "적용")
    static let any = Phrase("web.any", "Any", ko: "전체")
    static let loading = Phrase("web.loading", "Loading…", ko: "불러오는 중…")
    static let more = Phrase("web.more", "Show More", ko: "더 보기")
    static let dismiss = Phrase("web.dismiss", "Dismiss", ko: "닫기")
    static let notFoundTitle = Phrase("web.notFound.title", "Page Not Found", ko: "페이지를 찾을 수 없음")
    static let notFound = Phrase("web.notFound", "There’s no page at this address.", ko: "이 주소에 페이지가 없습니다.")
    static let errorTitle = Phrase("web.error.title", "Request Not Accepted", ko: "요청을 처리할 수 없음")
    static let error = Phrase("web.error", "Go back, reload the page, and try again.", ko: "이전 페이지로 돌아가 새로 고친 후 다시 시도하십시오.")

    static func favorite(_ name: String) -> Phrase {
        Phrase("web.favorite", "Favorite: \(name)", ko: "즐겨찾기: \(name)")
    }
    static func star(_ name: String) -> Phrase {
        Phrase("web.star", "Star: \(name)", ko: "별표: \(name)")
    }
    static func rating(_ average: String) -> Phrase {
        Phrase("web.rating", "\(average) out of 5", ko: "5점 만점에 \(average)점")
    }
}

// GitHub.
// swift-format-ignore
extension Phrase {
    static let sort = Phrase("web.sort", "Sort by", ko: "정렬 기준")
    static let bestMatch = Phrase("web.sort.bestMatch", "Best match", ko: "가장 일치하는 항목")
    static let stars = Phrase("web.sort.stars", "Stars", ko: "별표")
    static let forkCount = Phrase("web.sort.forks", "Forks", ko: "포크")
    static let helpWanted = Phrase("web.sort.helpWanted", "Help wanted", ko: "도움 요청")
    static let lastUpdate = Phrase("web.sort.updated", "Last update", ko: "최근 업데이트")
    static let order = Phrase("web.order", "Order", ko: "순서")
    static let descending = Phrase("web.order.descending", "Descending", ko: "내림차순")
    static let ascending = Phrase("web.order.ascending", "Ascending", ko: "오름차순")
    static func forks(_ count: Int) -> Phrase {
        Phrase("web.forks", plural: count, one: "1 fork", "\(compact: count) forks", ko: "포크 \(compact: count)개")
    }
    static func updated(_ day: String) -> Phrase {
        Phrase("web.updated", "Updated \(day)", ko: "\(day) 업데이트")
    }
    static let isFork = Phrase("web.isFork", "Fork", ko: "포크됨")
    static let isArchived = Phrase("web.isArchived", "Archived", ko: "보관됨")
    static let isPrivate = Phrase("web.isPrivate", "Private", ko: "비공개")

    static let followers = Phrase("web.followers", "Followers", ko: "팔로워")
    static let following = Phrase("web.following", "Following", ko: "팔로잉")
    static let gists = Phrase("web.gists", "Gists", ko: "Gist")
    static let company = Phrase("web.company", "Company", ko: "회사")
    static let location = Phrase("web.location", "Location", ko: "위치")
    static let blog = Phrase("web.blog", "Website", ko: "웹사이트")
    static let onGitHub = Phrase("web.onGitHub", "Open on GitHub", ko: "GitHub에서 열기")

    static let signIn = Phrase("web.signIn", "Sign In", ko: "로그인")
    static let signInByBrowser = Phrase("web.signIn.browser", "Sign In with GitHub", ko: "GitHub으로 로그인")
    static let signInByCode = Phrase("web.signIn.code", "Sign In with a Code", ko: "코드로 로그인")
    static let signingIn = Phrase("web.signIn.waiting", "Signing in…", ko: "로그인하는 중…")
    static let waitingForCode = Phrase("web.signIn.code.waiting", "This page continues when you have entered the code.",
        ko: "코드를 입력하면 이 페이지에서 계속됩니다.")
    static let openPage = Phrase("web.signIn.open", "Open GitHub", ko: "GitHub 열기")
    static func signedIn(_ login: GitHub.Login) -> Phrase {
        Phrase("web.signIn.done", "You’re signed in as \(login).", ko: "\(login) 계정으로 로그인되어 있습니다.")
    }
    static let cancel = Phrase("web.cancel", "Cancel", ko: "취소")
    static let ownRepos = Phrase("web.account.repos", "Your Repositories", ko: "내 저장소")
    static let ownStars = Phrase("web.account.stars", "Your Stars", ko: "내 별표")
    static let publicProfile = Phrase("web.account.profile", "Public Profile", ko: "공개 프로필")
    static let signOut = Phrase("web.account.signOut", "Sign Out", ko: "로그아웃")

    static let authorizeTitle = Phrase("web.authorize.title", "Choose an Account", ko: "계정 선택")
    static let authorize = Phrase("web.authorize", "This page stands in for GitHub. Nothing leaves this computer.",
        ko: "GitHub을 대신하는 페이지입니다. 이 컴퓨터 밖으로 전송되는 정보는 없습니다.")
    static let deny = Phrase("web.authorize.deny", "Deny Access", ko: "접근 거부")
}

// Favorites, Rick and Morty, and the App Store.
// swift-format-ignore
extension Phrase {
    static let byName = Phrase("web.favorites.name", "Name", ko: "이름")
    static let byKind = Phrase("web.favorites.kind", "Kind", ko: "종류")
    static let byDate = Phrase("web.favorites.date", "Date added", ko: "추가한 날짜")
    static let kind = Phrase("web.favorites.show", "Show", ko: "표시할 항목")

    static let name = Phrase("web.name", "Name", ko: "이름")
    static let code = Phrase("web.code", "Code", ko: "코드")
    static let status = Phrase("web.status", "Status", ko: "상태")
    static let gender = Phrase("web.gender", "Gender", ko: "성별")
    static let species = Phrase("web.species", "Species", ko: "종")
    static let type = Phrase("web.type", "Type", ko: "유형")
    static let dimension = Phrase("web.dimension", "Dimension", ko: "차원")
    static let origin = Phrase("web.origin", "Origin", ko: "출신")
    static let lastLocation = Phrase("web.lastLocation", "Last known location", ko: "마지막 위치")
    static let created = Phrase("web.created", "Added", ko: "등록일")
    static let airDate = Phrase("web.airDate", "Air date", ko: "방영일")

    static let mode = Phrase("web.apps.mode", "Find", ko: "찾기")
    static let byTerm = Phrase("web.apps.search", "By name", ko: "이름으로")
    static let byReference = Phrase("web.apps.lookUp", "By ID or link", ko: "ID 또는 링크로")
    static let ratings = Phrase("web.apps.ratings", "Rating", ko: "평가")
    static let age = Phrase("web.apps.age", "Age", ko: "연령")
    static let genre = Phrase("web.apps.genre", "Genre", ko: "장르")
    static let developer = Phrase("web.apps.developer", "Developer", ko: "개발자")
    static let appLanguages = Phrase("web.apps.languages", "Languages", ko: "언어")
    static let inStore = Phrase("web.apps.store", "Open in the App Store", ko: "App Store에서 열기")
    static func screenshot(_ number: Int) -> Phrase {
        Phrase("web.apps.screenshot", "Screenshot \(number)", ko: "스크린샷 \(number)")
    }
    static func position(_ number: Int, of count: Int) -> Phrase {
        Phrase("web.apps.position", "\(number) of \(count)", ko: "\(count)개 중 \(number)번째")
    }
    static let next = Phrase("web.next", "Next", ko: "다음")
    static let previous = Phrase("web.previous", "Previous", ko: "이전")
    static let backToApp = Phrase("web.apps.back", "Back to the App", ko: "앱으로 돌아가기")
}
